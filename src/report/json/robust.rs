//! Robustness, as machines read it.

use super::{
    BoundsJson, Header, Place, StatsJson, Witness, bounds_json, place, stats, vacuous, witness,
};
use crate::check::Engine;
use crate::report::{Measured, Source};
use crate::robustness::{Attack, Form, RobustReport};
use crate::verdict::Verdict;
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    /// Null where it is not decided.
    robust: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<BoundsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
    attacks: AttacksJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Witness>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vacuous: Option<Vec<Place>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    load_bearing: Vec<Place>,
    stats: StatsJson,
}

#[derive(Serialize)]
struct AttacksJson {
    candidates: usize,
    pruned: usize,
    infeasible: usize,
    feasible: usize,
    open: usize,
    feasible_list: Vec<AttackJson>,
}

#[derive(Serialize)]
struct AttackJson {
    thread: String,
    store: Place,
    /// The last action, a load.
    #[serde(skip_serializing_if = "Option::is_none")]
    load: Option<Place>,
    /// The last action, a store.
    #[serde(skip_serializing_if = "Option::is_none")]
    overtaking_store: Option<Place>,
    witness: Witness,
}

/// The report on robustness as one line of JSON, not ended.
///
/// # Errors
///
/// If the serializer refuses, which no value here gives it a reason to.
pub fn robust(
    source: &Source<'_>,
    report: &RobustReport,
    measured: &Measured,
) -> Result<String, serde_json::Error> {
    let verdict = report.verdict();
    let (robust, bounds, reason, evidence) = match &verdict {
        // A part of the attacks decides nothing unless it has a feasible one.
        Verdict::Holds => (report.shard.is_none().then_some(true), None, None, None),
        Verdict::HoldsWithin(bounds) => {
            let bounds = bounds_json(source, report.unroll, bounds);
            (None, Some(bounds), None, None)
        }
        Verdict::Unknown(reason) => {
            let run = report.overflow.as_ref();
            let run = run.map(|run| witness(source, run));
            (None, None, Some(source.why(reason)), run)
        }
        Verdict::Violated(run) => (Some(false), None, None, Some(witness(source, run))),
    };
    let feasible_list: Vec<AttackJson> = report
        .feasible()
        .map(|(attack, run)| attack_json(source, attack, witness(source, run)))
        .collect();
    let infeasible = report.infeasible();
    serde_json::to_string(&Report {
        header: Header::new("robust", source, report.model, &verdict),
        robust,
        method: report.form.map(|form| match form {
            Form::Locality => "locality",
            Form::Singularity => "singularity",
        }),
        engine: report.engine.map(Engine::name),
        bounds,
        reason,
        shard: report
            .shard
            .map(|(index, of)| format!("{}/{of}", index + 1)),
        attacks: AttacksJson {
            candidates: report.candidates(),
            pruned: report.pruned.len(),
            infeasible,
            feasible: feasible_list.len(),
            open: report.answers.len() - infeasible - feasible_list.len(),
            feasible_list,
        },
        witness: evidence,
        vacuous: report
            .vacuity
            .as_ref()
            .map(|vacuity| vacuous(source, vacuity)),
        load_bearing: report
            .load_bearing
            .iter()
            .map(|bearing| place(source, bearing.site))
            .collect(),
        stats: stats(&report.stats, measured),
    })
}

fn attack_json(source: &Source<'_>, attack: Attack, witness: Witness) -> AttackJson {
    let last = place(source, attack.last_site());
    let is_store = source.program.instruction(attack.last_site()).op.is_store();
    let (load, overtaking_store) = if is_store {
        (None, Some(last))
    } else {
        (Some(last), None)
    };
    AttackJson {
        thread: source.program.thread(attack.thread).name().to_owned(),
        store: place(source, attack.store_site()),
        load,
        overtaking_store,
        witness,
    }
}
