//! The invariant of the inductive engine as JSON.

use super::super::view::InvariantView;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(JsonSchema, Serialize)]
pub(super) struct InvariantJson<'a> {
    /// The number of clauses.
    clauses: usize,
    /// For each clause the conditions that no reachable state satisfies together, with
    /// `--show-invariant`.
    #[serde(skip_serializing_if = "Option::is_none")]
    excluded: Option<&'a Vec<Vec<String>>>,
}

/// The number of clauses, and the clauses if they are listed.
pub(super) fn invariant(view: &InvariantView) -> InvariantJson<'_> {
    InvariantJson {
        clauses: view.clauses.len(),
        excluded: view.is_listed.then_some(&view.clauses),
    }
}
