//! How the words behind options are read, and which words there are.

use super::{Language, Shard};
use crate::check::{Engine, Extension};
use crate::fences::Algorithm;
use crate::model::Model;
use crate::robustness::Method;
use crate::solve::SolverKind;
use crate::syntax::{Compiler, Format};
use clap::builder::{PossibleValuesParser, TypedValueParser};

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

pub(super) fn model_parser() -> impl TypedValueParser<Value = Model> {
    PossibleValuesParser::new(Model::ALL.map(Model::name)).try_map(|name| name.parse::<Model>())
}

/// The models against which a program may fail to be robust.
pub(super) fn weak_model_parser() -> impl TypedValueParser<Value = Model> {
    let weak = Model::ALL.into_iter().filter(|&model| model != Model::Sc);
    PossibleValuesParser::new(weak.map(Model::name)).try_map(|name| name.parse::<Model>())
}

pub(super) fn engine_parser() -> impl TypedValueParser<Value = Engine> {
    PossibleValuesParser::new(Engine::ALL.map(Engine::name)).try_map(|name| name.parse::<Engine>())
}

pub(super) fn extension_parser() -> impl TypedValueParser<Value = Extension> {
    let names = Extension::ALL.map(Extension::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Extension>())
}

pub(super) fn format_parser() -> impl TypedValueParser<Value = Language> {
    let names = std::iter::once("auto").chain(Format::ALL.map(Format::name));
    PossibleValuesParser::new(names).map(|name| {
        name.parse::<Format>()
            .map_or(Language::Auto, Language::Given)
    })
}

pub(super) fn compiler_parser() -> impl TypedValueParser<Value = Compiler> {
    PossibleValuesParser::new(Compiler::ALL.map(Compiler::name))
        .try_map(|name| name.parse::<Compiler>())
}

/// The formats that programs are printed in.
pub(super) fn printed_format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::PRINTED.map(Format::name))
        .try_map(|name| name.parse::<Format>())
}

pub(super) fn method_parser() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(Method::name)).try_map(|name| name.parse::<Method>())
}

pub(super) fn algorithm_parser() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name))
        .try_map(|name| name.parse::<Algorithm>())
}

pub(super) fn solver_parser() -> impl TypedValueParser<Value = SolverKind> {
    PossibleValuesParser::new(SolverKind::ALL.iter().map(|kind| kind.name()))
        .try_map(|name| name.parse::<SolverKind>())
}
