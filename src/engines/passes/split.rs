//! Goals one by one, each on the part of the program that can influence it.
//!
//! **Theorem.** A program reaches each goal or not, whatever else is asked.
//!
//! The states of independent parts multiply in one search for all goals. In a barrier each thread checks
//! that another one has arrived: a search for all of these keeps a cell per thread, and visits all
//! combinations of their values. What a single one depends on is one cell and a count, and the other threads
//! are then alike. It pays if the first goal depends on less than half of the cells that all depend on, and one
//! search for all of them, which also shows what is executed, is not short.

use super::slice::sliced;
use super::{Below, Pass, PassName, When};
use crate::problem::{CheckOptions, Found, GoalShown, Memory, Problem};
use crate::search::Paused;
use crate::techniques::Techniques;
use crate::verdict::Defect;
use crate::work::{GLANCE, Work};

/// The row in the table of passes.
pub(crate) const SPLIT: Pass = Pass {
    name: PassName::Split,
    decide,
};

/// More goals than this are decided together.
const MOST_GOALS: usize = 1000;

/// All goals one by one may cost this multiple of the states that may be visited for all of them at once.
const ALL: usize = 4;

/// No goal may take more than this fraction of the states that may be visited for all of them at once.
const EACH: usize = 4;

fn decide(problem: &Problem<'_>, when: When, below: Below<'_>) -> Result<Option<Found>, Defect> {
    let count = problem.queries.len();
    if !(2..=MOST_GOALS).contains(&count) {
        return Ok(None);
    }
    if when == When::Possible {
        return one_by_one(problem, usize::MAX, below);
    }
    if !problem.memory.has::<Paused>() {
        // All goals together, before anything else is tried.
        let few = GLANCE.states().min(problem.budget.states);
        let budget = &problem.budget.with_states(few);
        let found = below(&Problem { budget, ..*problem })?;
        if found.is_decided() || problem.budget.is_stopped() || few == problem.budget.states {
            return Ok(Some(found));
        }
    }
    if is_narrow(problem) {
        one_by_one(problem, problem.budget.states / EACH, below)
    } else {
        Ok(None)
    }
}

/// Whether the first goal depends on less than half of the cells that all depend on.
fn is_narrow(problem: &Problem<'_>) -> bool {
    let cells = |goals| sliced(problem, goals).map(|sliced| sliced.relevant_cells());
    let (first, all) = (cells(&problem.queries[..1]), cells(problem.queries));
    first.zip(all).is_some_and(|(first, all)| 2 * first < all)
}

/// The goals' answers, in their order; `None` as soon as they take too long, which is mostly known after the
/// first of them.
fn one_by_one(
    problem: &Problem<'_>,
    each: usize,
    below: Below<'_>,
) -> Result<Option<Found>, Defect> {
    let most = problem.budget.states.saturating_mul(ALL);
    let prepared = Work::preparing(problem.program).states();
    let mut cost = 0;
    let mut sum: Option<Found> = None;
    // What is executed for one goal does not show what is for all.
    let techniques = problem.options.techniques;
    let passes = techniques.passes;
    let slices = match passes.when(PassName::Slice) {
        When::Never => When::Never,
        When::Pays | When::Possible => When::Possible,
    };
    let options = &CheckOptions {
        note_unreachable: false,
        techniques: Techniques {
            passes: passes.with(PassName::Slice, slices),
            ..techniques
        },
        ..problem.options.clone()
    };
    let budget = &problem.budget.with_states(each.min(problem.budget.states));
    for (number, goal) in problem.queries.iter().enumerate() {
        let alone = Problem {
            queries: std::slice::from_ref(goal),
            options,
            budget,
            memory: &Memory::default(),
            ..*problem
        };
        let found = below(&alone)?;
        let states = usize::try_from(found.stats.states.unwrap_or(0)).unwrap_or(usize::MAX);
        cost += states + prepared;
        let expected = (cost / (number + 1)).saturating_mul(problem.queries.len());
        let is_decided = found.is_decided();
        match &mut sum {
            None => {
                sum = Some(Found {
                    shown: GoalShown {
                        executed: None,
                        ..found.shown
                    },
                    ..found
                });
            }
            Some(sum) => {
                sum.add(&found);
                sum.answers.extend(found.answers);
            }
        }
        if each < usize::MAX && (!is_decided || expected > most) {
            return Ok(None);
        }
    }
    Ok(sum)
}
