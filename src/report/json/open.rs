//! Why a result is open as JSON, and what was reached before a limit ended the search.

use crate::report::view::Common;
use schemars::JsonSchema;
use serde::Serialize;

/// What a search had reached.
#[derive(JsonSchema, Serialize)]
pub(super) struct ReachedJson {
    /// What it did last: `preparing`, `exploring` or `solving`.
    phase: &'static str,
    /// The configurations visited.
    #[serde(skip_serializing_if = "is_zero")]
    states: u64,
    /// The calls of a solver.
    #[serde(skip_serializing_if = "is_zero")]
    queries: u64,
    /// How far a loop was unrolled, at most.
    #[serde(skip_serializing_if = "is_zero")]
    unroll: u64,
    /// The attacks to decide, and those decided.
    #[serde(skip_serializing_if = "is_zero")]
    attacks: u64,
    #[serde(skip_serializing_if = "is_zero")]
    attacks_decided: u64,
    /// The sets of fences that were probed.
    #[serde(skip_serializing_if = "is_zero")]
    sets: u64,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// What was reached, if a limit ended the search.
pub(super) fn reached(common: &Common<'_>) -> Option<ReachedJson> {
    let reached = common.reached()?;
    Some(ReachedJson {
        phase: reached.phase.name(),
        states: reached.states,
        queries: reached.queries,
        unroll: reached.unroll,
        attacks: reached.attacks,
        attacks_decided: reached.decided,
        sets: reached.sets,
    })
}
