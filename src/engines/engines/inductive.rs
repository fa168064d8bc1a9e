//! The inductive engine: one search for all goals, by IC3.
//!
//! Complete for finite data under SC: it ends with an invariant that excludes all goals that are left,
//! or with runs that reach goals. Each goal that is reached is left out, and the search goes on with the
//! clauses that it has learned: they are about what is reachable, and not about goals.

use super::{Answer, Engine, Found, Problem, Row, Stats, replayed};
use crate::facts::{Values, refuted};
use crate::induction::{Finding, Refusal, Search};
use crate::passes::PREDICATES;
use crate::program::Goal;
use crate::race::Slice;
use crate::search::shorten;
use crate::verdict::{Defect, Reason, Verdict, unless_cancelled};

/// The row in the table of engines.
pub(crate) const IC3: Row = Row {
    engine: Engine::Ic3,
    deepest: None,
    passes: &[PREDICATES],
    suits: |model| !model.relaxes_store_load(),
    decide: answer,
    vacuity: None,
};

/// Why a weak model is not supported. The table of `check` has a row that supports it.
const SC_ONLY: &str = "the inductive engine decides reachability under SC only here: use `--engine \
                       explicit`, or `check`, which decides robustness too";

/// The goals' answers, in their order.
///
/// # Errors
///
/// If a computation found does not replay, or an invariant is refuted.
fn answer(problem: &Problem<'_>, _: Slice) -> Result<Found, Defect> {
    let &Problem {
        program,
        queries: goals,
        options,
        budget,
        ..
    } = problem;
    if options.model.relaxes_store_load() {
        let reason = Reason::Unsupported(SC_ONLY.to_owned());
        return Ok(Found::open(goals, &reason));
    }
    let values = Values::of(program);
    let mut answered = Found::open(goals, &Reason::Stopped);
    answered.engine = Some(Engine::Ic3);
    for answer in &mut answered.answers {
        if refuted(program, &values, answer.query) {
            answer.verdict = Verdict::Holds;
        }
    }
    let open = |answers: &[Answer<_>]| -> Vec<Goal> {
        let unknown = |answer: &&Answer<_>| matches!(answer.verdict, Verdict::Unknown(_));
        answers.iter().filter(unknown).map(|a| a.query).collect()
    };
    let queried = open(&answered.answers);
    if queried.is_empty() {
        return Ok(answered);
    }
    let mut search = match Search::new(program, &queried, options.solver, budget) {
        Ok(search) => search,
        Err(Refusal::Stopped) => return Ok(answered),
        Err(Refusal::Unsupported(why)) => {
            return Ok(Found::open(goals, &Reason::Unsupported(why)));
        }
    };
    loop {
        let left = open(&answered.answers);
        if left.is_empty() {
            break;
        }
        match unless_cancelled(search.decide(&left))? {
            None => break,
            Some(Finding::Proved(invariant)) => {
                for answer in &mut answered.answers {
                    if left.contains(&answer.query) {
                        answer.verdict = Verdict::Holds;
                    }
                }
                answered.shown.invariant = Some(invariant);
            }
            Some(Finding::Reached(goal, steps)) => {
                // It may reach further goals.
                let steps = shorten(program, options.model, goal, steps);
                let run = replayed(program, options.model, goal, &steps)?;
                for answer in &mut answered.answers {
                    if left.contains(&answer.query) && run.reached.contains(&answer.query) {
                        answer.verdict = Verdict::Violated(steps.clone());
                    }
                }
            }
        }
    }
    let cost = search.cost();
    answered.stats = Stats {
        queries: Some(cost.queries),
        variables: Some(cost.variables as u64),
        clauses: Some(cost.clauses as u64),
        ..Stats::default()
    };
    Ok(answered)
}
