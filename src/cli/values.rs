//! Parsers for the values of options.

use super::Language;
use crate::formats::Format;
use crate::model::Model;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A shard: every `of`-th item, starting with number `index`, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shard {
    pub(super) index: usize,
    pub(super) of: usize,
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0)
        .ok_or_else(|| "expected a number of seconds, as in `2.5`".to_owned())
}

pub(super) fn shard(text: &str) -> Result<Shard, String> {
    text.split_once('/')
        .and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)))
        .filter(|&(index, of)| 1 <= index && index <= of)
        .map(|(index, of)| Shard { index, of })
        .ok_or_else(|| "expected a part and the number of parts, as in `1/4`".to_owned())
}

/// A parser for one of these values, by its name.
pub(super) fn named<T: Clone + Send + Sync + 'static>(
    all: impl IntoIterator<Item = T>,
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let all: Vec<T> = all.into_iter().collect();
    let names: Vec<&str> = all.iter().cloned().map(name).collect();
    PossibleValuesParser::new(names).try_map(move |word| {
        let found = all.iter().find(|value| name((*value).clone()) == word);
        found.cloned().ok_or("no such value")
    })
}

/// A parser for the models under which a program may fail to be robust.
pub(super) fn weak_model() -> impl TypedValueParser<Value = Model> {
    let is_weak = |model: &Model| model.relaxes_store_load();
    named(Model::ALL.into_iter().filter(is_weak), Model::name)
}

/// A parser for the input format: `auto`, or a format.
pub(super) fn language() -> impl TypedValueParser<Value = Language> {
    let given = Format::ALL.map(Language::Given);
    named(
        [Language::Auto].into_iter().chain(given),
        |language| match language {
            Language::Auto => "auto",
            Language::Given(format) => format.name(),
        },
    )
}
