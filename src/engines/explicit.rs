//! The explicit engine: the step-by-step reference explores, with one search for all goals.
//!
//! Complete for finite data: an answer is `Holds` or `Violated`, or unknown if the budget runs out.
//! A search that visits every configuration also shows what is never executed. A search that finds
//! every goal stops early and does not; then a second, small search runs for the vacuity report
//! alone.

use super::ladder::VACUITY;
use super::{
    Answered, CheckOptions, Effort, Engine, GoalAnswer, Query, Row, Stats, Vacuity, replayed,
};
use crate::explicit::{check_all, check_all_with};
use crate::program::Program;
use crate::verdict::{Budget, Defect, Verdict};

/// The row in the table of engines.
pub(crate) const EXPLICIT: Row = Row {
    engine: Engine::Explicit,
    deepest: None,
    predicates_only: false,
    suits: |_| true,
    decide: answer,
    vacuity: Some(vacuity),
};

/// The goals' answers, in their order.
fn answer(query: &Query<'_>, _: Effort) -> Result<Answered, Defect> {
    let &Query {
        program,
        goals,
        options,
        budget,
        ..
    } = query;
    let model = options.model;
    let found = check_all_with(program, model, goals, options.reduction, budget);
    let mut answers = Vec::with_capacity(goals.len());
    for (goal, verdict) in found.verdicts {
        let verdict = match verdict {
            Verdict::Holds => Verdict::Holds,
            Verdict::HoldsWithin(bounds) => Verdict::HoldsWithin(bounds),
            Verdict::Violated(steps) => Verdict::Violated(replayed(program, model, goal, &steps)?),
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
        };
        answers.push(GoalAnswer { goal, verdict });
    }
    let executed = found.complete.then_some(found.executed);
    Ok(Answered {
        answers,
        engine: Some(Engine::Explicit),
        unroll: None,
        vacuity: executed.map(|executed| Vacuity::new(program, &executed)),
        history: None,
        invariant: None,
        stats: Stats {
            states: Some(found.states as u64),
            ..Stats::default()
        },
    })
}

/// What no execution reaches, if a small search decides it.
pub(super) fn vacuity(
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
) -> Option<Vacuity> {
    let small = budget.with_states(VACUITY.min(budget.states));
    let all = check_all(program, options.model, &[], &small);
    all.complete.then(|| Vacuity::new(program, &all.executed))
}
