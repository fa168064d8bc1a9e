//! Triangular race freedom, as machines read it.

use super::{Place, SCHEMA, StatsJson, Witness, place, stats, witness};
use crate::report::{Measured, Source};
use crate::robustness::RaceReport;
use crate::verdict::Verdict;
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a> {
    schema: u32,
    tool: &'static str,
    version: &'static str,
    command: &'static str,
    notion: &'static str,
    file: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    program: &'a str,
    model: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    races: Vec<RaceJson>,
    stats: StatsJson,
}

#[derive(Serialize)]
struct RaceJson {
    access: Place,
    other: Place,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Witness>,
}

/// The report on triangular race freedom as one line of JSON, not ended. `races` has the pairs that
/// race or are not decided.
///
/// # Errors
///
/// If the serializer refuses, which no value here gives it a reason to.
pub fn races(
    source: &Source<'_>,
    report: &RaceReport,
    measured: &Measured,
) -> Result<String, serde_json::Error> {
    let verdict = report.verdict();
    let open = report.races.iter().filter(|r| r.verdict != Verdict::Holds);
    let races = open.map(|race| RaceJson {
        access: place(source, race.access),
        other: place(source, race.other),
        verdict: race.verdict.word(),
        witness: match &race.verdict {
            Verdict::Violated(run) => Some(witness(source, run)),
            Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
        },
    });
    serde_json::to_string(&Report {
        schema: SCHEMA,
        tool: "fencepost",
        version: env!("CARGO_PKG_VERSION"),
        command: "robust",
        notion: "trf",
        file: source.file,
        program: source.program.name(),
        model: report.model.name(),
        verdict: verdict.word(),
        reason: match &verdict {
            Verdict::Unknown(reason) => Some(reason.to_string()),
            Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Violated(_) => None,
        },
        races: races.collect(),
        stats: stats(&report.stats, measured),
    })
}
