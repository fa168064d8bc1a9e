//! Reports on triangular-race freedom as JSON.

use super::{Header, Place, StatsJson, Witness, place, stats, witness};
use crate::report::ShownRun;
use crate::report::view::RacesView;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(JsonSchema, Serialize)]
pub(super) struct RacesJson<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    races: Vec<RaceJson>,
    stats: StatsJson,
}

#[derive(JsonSchema, Serialize)]
struct RaceJson {
    access: Place,
    other: Place,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Witness>,
}

/// The report on triangular-race freedom. `races` lists the pairs that race or are undecided.
pub(super) fn races<'a>(view: &'a RacesView<'_>) -> RacesJson<'a> {
    let source = &view.common.source;
    let races = view.listed.iter().map(|race| RaceJson {
        access: place(source, race.access),
        other: place(source, race.other),
        verdict: race.verdict.word(),
        witness: race
            .verdict
            .violation()
            .map(|run| witness(&ShownRun::new(*source, run))),
    });
    RacesJson {
        header: Header {
            notion: Some("trf"),
            ..Header::new(&view.common)
        },
        reason: view.common.reason.as_deref(),
        races: races.collect(),
        stats: stats(&view.common),
    }
}
