//! Reports on robustness as JSON.

use super::any_number::{AnyNumberJson, any_number};
use super::{Header, Place, StatsJson, Witness, place, stats, vacuous, witness};
use crate::check::Engine;
use crate::report::Source;
use crate::report::view::{Bounds, Counts, RobustView};
use crate::robustness::{Attack, Form};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(JsonSchema, Serialize)]
pub(super) struct RobustJson<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    /// `null` if undecided.
    robust: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<&'a Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
    /// Of the program, if a shard was decided: shards of different programs cannot be joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    program_digest: Option<String>,
    attacks: AttacksJson,
    /// How it was decided, if the program has threads in any number of copies.
    #[serde(skip_serializing_if = "Option::is_none")]
    any_number: Option<AnyNumberJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Witness>,
    /// Present if the program is not robust and its own properties were found to hold all the same.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    properties_hold: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    vacuous: Option<Vec<Place>>,
    /// The fences and locked instructions that the result depends on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    load_bearing: Vec<Place>,
    /// Those of which it was not decided whether the result depends on them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    load_bearing_undecided: Vec<Place>,
    stats: StatsJson,
}

#[derive(JsonSchema, Serialize)]
struct AttacksJson {
    #[serde(flatten)]
    counts: Counts,
    feasible_list: Vec<AttackJson>,
}

#[derive(JsonSchema, Serialize)]
struct AttackJson {
    #[serde(flatten)]
    pair: Pair,
    witness: Witness,
}

/// The places of an attack.
#[derive(JsonSchema, Serialize)]
pub(super) struct Pair {
    thread: String,
    store: Place,
    /// The last action, if it is a load.
    #[serde(skip_serializing_if = "Option::is_none")]
    load: Option<Place>,
    /// The last action, if it is a store.
    #[serde(skip_serializing_if = "Option::is_none")]
    overtaking_store: Option<Place>,
}

/// The report on robustness.
pub(super) fn robust<'a>(view: &'a RobustView<'_>) -> RobustJson<'a> {
    let (source, report) = (&view.common.source, view.report);
    let feasible = view.feasible.iter();
    RobustJson {
        header: Header::new(&view.common),
        robust: view.robust,
        method: report.form.map(|form| match form {
            Form::Locality => "locality",
            Form::Singularity => "singularity",
        }),
        engine: view.common.engine.map(Engine::name),
        bounds: view.common.bounds.as_ref(),
        reason: view.common.reason.as_deref(),
        shard: view.shard.map(|(index, of)| format!("{index}/{of}")),
        program_digest: view.shard.map(|_| digest(&format!("{:?}", source.program))),
        attacks: AttacksJson {
            counts: view.counts,
            feasible_list: feasible
                .map(|&(attack, run)| {
                    let shown = view.shown(run);
                    attack_json(&shown.source, attack, witness(&shown))
                })
                .collect(),
        },
        any_number: report.any_number().map(any_number),
        properties_hold: report.harmless,
        witness: view.witness.map(|run| witness(&view.shown(run))),
        vacuous: report
            .vacuity
            .as_ref()
            .map(|vacuity| vacuous(source, vacuity)),
        load_bearing: report
            .load_bearing
            .needed
            .iter()
            .map(|bearing| place(source, bearing.site))
            .collect(),
        load_bearing_undecided: report
            .load_bearing
            .undecided
            .iter()
            .map(|&site| place(source, site))
            .collect(),
        stats: stats(&view.common),
    }
}

/// A number that differs if two texts differ, but for accidents: FNV-1a, 64 bits.
fn digest(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

fn attack_json(source: &Source<'_>, attack: Attack, witness: Witness) -> AttackJson {
    AttackJson {
        pair: pair(source, attack),
        witness,
    }
}

pub(super) fn pair(source: &Source<'_>, attack: Attack) -> Pair {
    let last = place(source, attack.last_site());
    let is_store = source.program.instruction(attack.last_site()).op.is_store();
    let (load, overtaking_store) = if is_store {
        (None, Some(last))
    } else {
        (Some(last), None)
    };
    Pair {
        thread: source.thread(attack.thread).to_owned(),
        store: place(source, attack.store_site()),
        load,
        overtaking_store,
    }
}
