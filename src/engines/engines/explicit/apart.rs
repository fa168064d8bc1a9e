//! Goals one by one, each on the part of the program that can influence it.
//!
//! The states of independent parts multiply in one search for all goals. In a barrier each thread checks
//! that another one has arrived: a search for all of these keeps a cell per thread, and visits all
//! combinations of their values. What a single one depends on is one cell and a count, and the other threads
//! are then alike.

use super::super::ladder::PREPARED;
use super::{Answered, GoalAnswer, Query, answer_of, answered, slice};
use crate::facts::Sliced;
use crate::program::Goal;
use crate::search::check_all_with;
use crate::verdict::{Defect, Reason, Verdict};

/// More goals than this are decided together.
const MOST_GOALS: usize = 1000;

/// All goals together may cost this multiple of the states that may be visited for all of them at once.
const ALL: usize = 4;

/// No goal may take more than this fraction of the states that may be visited for all of them at once.
const EACH: usize = 4;

/// Whether the goals are worth deciding one by one: the first of them depends on less than half of the
/// cells that all depend on, as the slice for all shows.
pub(super) fn suits(query: &Query<'_>, all: &Sliced) -> bool {
    let count = query.goals.len();
    count > 1
        && count <= MOST_GOALS
        && slice(query, &query.goals[..1])
            .is_some_and(|first| 2 * first.relevant_cells() < all.relevant_cells())
}

/// The goals' answers, in their order; `None` as soon as they take too long, which is mostly known after the
/// first of them.
///
/// # Errors
///
/// If the reference rejects evidence.
pub(super) fn decided(query: &Query<'_>) -> Result<Option<Answered>, Defect> {
    let most = query.budget.states.saturating_mul(ALL);
    let prepared = PREPARED * query.program.sites().count();
    let (mut sum, mut cost) = (0, 0);
    let mut answers = Vec::with_capacity(query.goals.len());
    for &goal in query.goals {
        let (answer, states) = alone(query, goal, query.budget.states / EACH)?;
        let is_decided = answer.is_decided();
        answers.push(answer);
        sum += states;
        cost += states + prepared;
        let expected = (cost / answers.len()).saturating_mul(query.goals.len());
        if !is_decided || expected > most {
            return Ok(None);
        }
    }
    Ok(Some(answered(answers, sum)))
}

/// The answer on one goal within a number of states, and how many were visited.
fn alone(query: &Query<'_>, goal: Goal, states: usize) -> Result<(GoalAnswer, usize), Defect> {
    let sliced = slice(query, &[goal]);
    let program = sliced
        .as_ref()
        .map_or(query.program, |sliced| &sliced.program);
    let options = query.options;
    let budget = query.budget.with_states(states);
    let mut found = check_all_with(program, options.model, &[goal], options.reduction, &budget);
    let open = Verdict::Unknown(Reason::Stopped);
    let verdict = found.verdicts.pop().map_or(open, |(_, verdict)| verdict);
    let answer = answer_of(query, goal, verdict, sliced.as_ref())?;
    Ok((answer, found.states))
}
