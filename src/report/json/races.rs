//! Triangular race freedom, as machines read it.

use super::{Header, Place, StatsJson, Witness, place, stats, witness};
use crate::report::{Measured, Source};
use crate::robustness::RaceReport;
use crate::verdict::Verdict;
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    header: Header<'a>,
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
        header: Header {
            notion: Some("trf"),
            ..Header::new("robust", source, report.model, &verdict)
        },
        reason: match &verdict {
            Verdict::Unknown(reason) => Some(reason.to_string()),
            Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Violated(_) => None,
        },
        races: races.collect(),
        stats: stats(&report.stats, measured),
    })
}
