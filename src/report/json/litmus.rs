//! The final states of a litmus test as JSON.

use crate::formats::{LitmusTest, Quantifier};
use crate::litmus::FinalStates;
use crate::program::Program;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;

#[derive(JsonSchema, Serialize)]
pub(super) struct LitmusJson<'a> {
    kind: &'static str,
    states: Vec<StateJson<'a>>,
    /// Whether the quantified condition holds; `None` if that is not decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<bool>,
    positive: usize,
    negative: usize,
    /// `None` if further states could change it.
    #[serde(skip_serializing_if = "Option::is_none")]
    observation: Option<&'static str>,
    /// Why there may be more states; `None` if the list is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<String>,
}

/// Names and values, in the order of the text report.
struct StateJson<'a>(Vec<(&'a str, ValueJson)>);

impl Serialize for StateJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl JsonSchema for StateJson<'_> {
    fn schema_name() -> Cow<'static, str> {
        "FinalState".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, ValueJson>::json_schema(generator)
    }
}

#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
enum ValueJson {
    Number(i64),
    /// An address, as the name of its cell.
    Cell(String),
}

/// All known states.
pub(super) fn litmus<'a>(
    program: &Program,
    test: &'a LitmusTest,
    states: &FinalStates,
) -> LitmusJson<'a> {
    let value = |pointer: bool, value: i64| {
        let cell = i32::try_from(value).ok();
        match cell.and_then(|value| program.cell_at(value)) {
            Some(cell) if pointer => ValueJson::Cell(program.cell_name(cell)),
            Some(_) | None => ValueJson::Number(value),
        }
    };
    let state = |values: &[i32]| {
        let named = test.named(values).into_iter();
        StateJson(
            named
                .map(|(shown, v)| (shown.name.as_str(), value(shown.pointer, v)))
                .collect(),
        )
    };
    LitmusJson {
        kind: match test.quantifier {
            Quantifier::Exists => "exists",
            Quantifier::NotExists => "~exists",
            Quantifier::ForAll => "forall",
        },
        states: states.values().map(state).collect(),
        holds: states.holds(test.quantifier),
        positive: states.positive(),
        negative: states.negative(),
        observation: states.observation(test.quantifier),
        incomplete: states.incomplete.as_ref().map(ToString::to_string),
    }
}
