//! The inductive engine under every model.
//!
//! ```text
//! violated under SC            ─▶ violated: memory may take every store at once
//! holds under SC, and robust   ─▶ holds: the model adds no behaviour [BCDM15, Lemma 5]
//! holds under SC, not robust   ─▶ undecided here: an execution may exist under the model only
//! ```
//!
//! Robustness is a problem about instrumented programs under SC, so the same engine decides it.

use super::Engine;
use super::to_sc::flushed;
use crate::engines::{self, Row};
use crate::model::Model;
use crate::problem::{Found, Problem, Steps};
use crate::race::Slice;
use crate::robustness::{RobustOptions, decide, keeps_goals};
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
fn answer(problem: &Problem<'_>, slice: Slice) -> Result<Found, Defect> {
    let (program, model) = (problem.program, problem.options.model);
    if !model.relaxes_store_load() {
        return (engines::IC3.decide)(problem, slice);
    }
    let options = engines::CheckOptions {
        model: Model::Sc,
        ..problem.options.clone()
    };
    let under_sc = Problem {
        options: &options,
        ..*problem
    };
    let mut answered = (engines::IC3.decide)(&under_sc, slice)?;
    for answer in &mut answered.answers {
        if let Verdict::Violated(steps) = &answer.verdict {
            let steps = flushed(program, model, answer.query, steps)?;
            answer.verdict = Verdict::Violated(steps);
        }
    }
    let holding = answered.answers.iter();
    let holds = |verdict: &Verdict<Steps>| matches!(verdict, Verdict::Holds);
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
        solver: problem.options.solver,
        until: engines::Until::Violated,
        techniques: problem.options.techniques,
        ..RobustOptions::new(model)
    };
    let robust = decide(program, &options, problem.budget)?;
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
fn give_up(answered: &mut Found, reason: &Reason) {
    for answer in &mut answered.answers {
        if matches!(answer.verdict, Verdict::Holds) {
            answer.verdict = Verdict::Unknown(reason.clone());
        }
    }
    answered.shown.invariant = None;
}
