//! The inductive engine under every model.
//!
//! ```text
//! violated under SC            ─▶ violated: memory may take every store at once
//! holds under SC, and robust   ─▶ holds: the model adds no behaviour [BCDM15, Lemma 5]
//! holds under SC, not robust   ─▶ undecided here: an execution may exist under the model only
//! ```
//!
//! Robustness is a query about instrumented programs under SC, so the same engine decides it.

use super::{Answered, Engine};
use crate::engines::{self, Effort, Query, Row, replayed};
use crate::model::Model;
use crate::program::{Goal, Program};
use crate::reference::{Replay, Run, Step};
use crate::robustness::{RobustOptions, decide, keeps_goals};
use crate::search::shorten;
use crate::verdict::{Defect, Reason, Verdict};

/// The row in the table of `check`.
pub(super) const IC3: Row = Row {
    // Under TSO the lazy engine asks the same questions, and more.
    suits: |model| model != Model::Tso,
    decide: answer,
    ..engines::IC3
};

/// The goals' answers, in their order.
///
/// # Errors
///
/// If a computation found does not replay, or an invariant is refuted.
fn answer(query: &Query<'_>, effort: Effort) -> Result<Answered, Defect> {
    let (program, model) = (query.program, query.options.model);
    if !model.relaxes_store_load() {
        return (engines::IC3.decide)(query, effort);
    }
    let options = engines::CheckOptions {
        model: Model::Sc,
        ..query.options.clone()
    };
    let under_sc = Query {
        options: &options,
        ..*query
    };
    let mut answered = (engines::IC3.decide)(&under_sc, effort)?;
    for answer in &mut answered.answers {
        if let Verdict::Violated(run) = &answer.verdict {
            let run = flushed(program, model, answer.goal, run)?;
            answer.verdict = Verdict::Violated(run);
        }
    }
    let holding = answered.answers.iter();
    let holds = |verdict: &Verdict<Run>| matches!(verdict, Verdict::Holds);
    if !holding.clone().any(|answer| holds(&answer.verdict)) {
        return Ok(answered);
    }
    if !keeps_goals(program, model) {
        let why = format!(
            "it holds under SC, by induction, but an atomic block that never ends may reach a goal under \
             {model} only: use `--engine explicit`"
        );
        give_up(&mut answered, &Reason::Unsupported(why));
        return Ok(answered);
    }
    let options = RobustOptions {
        engine: Engine::Ic3,
        solver: query.options.solver,
        until: engines::Until::Violated,
        ..RobustOptions::new(model)
    };
    let robust = decide(program, &options, query.budget)?;
    answered.stats = answered.stats.plus(robust.stats);
    let open = match robust.verdict() {
        Verdict::Holds => return Ok(answered),
        Verdict::Unknown(reason) => reason,
        Verdict::HoldsWithin(_) | Verdict::Violated(_) => Reason::Unsupported(format!(
            "it holds under SC, by induction, but the program is not robust, so {model} may add an \
             execution: use `--engine lazy` or `--engine explicit`"
        )),
    };
    give_up(&mut answered, &open);
    Ok(answered)
}

/// What holds under SC is not known under the model.
fn give_up(answered: &mut Answered, reason: &Reason) {
    for answer in &mut answered.answers {
        if matches!(answer.verdict, Verdict::Holds) {
            answer.verdict = Verdict::Unknown(reason.clone());
        }
    }
    answered.invariant = None;
}

/// A run under SC as a run under the model: each store leaves the buffers at once.
///
/// # Errors
///
/// If it does not replay.
pub(super) fn flushed(
    program: &Program,
    model: Model,
    goal: Goal,
    run: &Run,
) -> Result<Run, Defect> {
    let refused = |error: crate::reference::ReplayError| Defect::witness(error.message);
    let mut replay = Replay::new(program, model);
    let mut steps = Vec::new();
    for moment in &run.moments {
        if let Step::Execute { .. } = moment.step {
            let taken = replay.step_and_drain(moment.step, &mut steps);
            taken.map_err(refused)?;
        }
    }
    replayed(program, model, goal, &steps)?;
    let steps = shorten(program, model, goal, steps);
    replayed(program, model, goal, &steps)
}
