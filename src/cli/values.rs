//! Parsers for the values of options.

use super::Language;
use crate::formats::Format;
use crate::model::Model;
use crate::report::Shard;
use crate::report::draw::Drawing;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};
use std::ffi::OsStr;
use std::path::PathBuf;

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0)
        .ok_or_else(|| "expected a number of seconds, as in `2.5`".to_owned())
}

pub(super) fn shard(text: &str) -> Result<Shard, String> {
    Shard::parse(text)
        .ok_or_else(|| "expected a part and the number of parts, as in `1/4`".to_owned())
}

/// A drawing: its file, and its format, which the file's name determines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DrawTo {
    pub(super) path: PathBuf,
    pub(super) format: Drawing,
}

pub(super) fn drawing(text: &str) -> Result<DrawTo, String> {
    let format = Drawing::of_file(text)
        .ok_or("expected a file name that ends with `.svg`, `.dot` or `.html`")?;
    let path = PathBuf::from(text);
    Ok(DrawTo { path, format })
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

/// Other names of models: machines that have them.
const MACHINES: [(&str, Model); 6] = [
    ("x86", Model::Tso),
    ("x86-64", Model::Tso),
    ("x86-tso", Model::Tso),
    ("sparc", Model::Tso),
    ("ztso", Model::Tso),
    ("sparc-pso", Model::Pso),
];

/// Models that people may look for.
const OTHERS: [&str; 12] = [
    "arm", "aarch64", "armv8", "armv7", "power", "ppc", "riscv", "rvwmo", "c11", "rc11", "lkmm",
    "alpha",
];

/// A parser for models.
#[derive(Clone)]
struct ModelParser {
    accepted: Vec<Model>,
}

impl TypedValueParser for ModelParser {
    type Value = Model;

    fn parse_ref(
        &self,
        command: &Command,
        option: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Model, clap::Error> {
        let word = value.to_string_lossy().to_lowercase();
        if OTHERS.contains(&word.as_str()) {
            let why = format!(
                "`{word}` is not supported: it also reorders loads, or lets some threads see a store before \
                 others do, and neither is what a store buffer does; a proof for another model says \
                 nothing about it\n"
            );
            return Err(clap::Error::raw(ErrorKind::InvalidValue, why).with_cmd(command));
        }
        let machine = MACHINES.iter().find(|(name, _)| *name == word);
        let name = machine.map_or(word.as_str(), |(_, model)| model.name());
        let name = OsStr::new(name);
        named(self.accepted.iter().copied(), Model::name).parse_ref(command, option, name)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |&model: &Model| {
            let machines = MACHINES.iter().filter(move |(_, of)| *of == model);
            PossibleValue::new(model.name()).aliases(machines.map(|(name, _)| *name))
        };
        Some(Box::new(self.accepted.iter().map(value)))
    }
}

/// A parser for the models, and machines that have them.
pub(super) fn model() -> impl TypedValueParser<Value = Model> {
    ModelParser {
        accepted: Model::ALL.to_vec(),
    }
}

/// The same for those under which a program may fail to be robust.
pub(super) fn weak_model() -> impl TypedValueParser<Value = Model> {
    let is_weak = |model: &Model| model.relaxes_store_load();
    ModelParser {
        accepted: Model::ALL.into_iter().filter(is_weak).collect(),
    }
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

/// The requested models without duplicates, in the order of their first mention.
pub(super) fn distinct(requested: &[Model]) -> Vec<Model> {
    let mut models = Vec::new();
    for &model in requested {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    models
}
