//! The cost of a result as JSON: what was measured, and nothing else.

use crate::report::view::Common;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(JsonSchema, Serialize)]
pub(super) struct StatsJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    queries: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conflicts: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variables: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clauses: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_rss_kib: Option<u64>,
}

/// The cost of a result.
pub(super) fn stats(common: &Common<'_>) -> StatsJson {
    let (stats, measured) = (&common.stats, &common.measured);
    StatsJson {
        queries: stats.queries,
        conflicts: stats.conflicts,
        variables: stats.variables,
        clauses: stats.clauses,
        states: stats.states,
        seconds: measured
            .seconds
            .map(|seconds| (seconds * 1000.0).round() / 1000.0),
        peak_rss_kib: measured.peak_rss_kib,
    }
}
