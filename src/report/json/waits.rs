//! Threads that wait forever.

use super::{Place, place};
use crate::report::{Source, evidence};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(JsonSchema, Serialize)]
pub(super) struct WaitJson {
    #[serde(flatten)]
    place: Place,
    text: String,
    /// The cells that it reads again and again, with their values.
    sees: BTreeMap<String, i32>,
}

/// Each wait with its place.
pub(super) fn waiting(source: &Source<'_>, waits: Vec<evidence::Wait>) -> Vec<WaitJson> {
    let waits = waits.into_iter().map(|wait| WaitJson {
        place: place(source, wait.site),
        text: source.statement(wait.site),
        sees: wait
            .sees
            .into_iter()
            .map(|(cell, value)| (source.program.cell_name(cell), value))
            .collect(),
    });
    waits.collect()
}
