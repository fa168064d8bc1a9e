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
use crate::problem::{CheckOptions, Found, Memory, Problem, Stats};
use crate::program::{Goal, Program};
use crate::search::Paused;
use crate::techniques::Techniques;
use crate::verdict::{Defect, Reason};
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

/// Nor all of them together more than this fraction of the work that is left.
const PART: u64 = 2;

fn decide(problem: &Problem<'_>, when: When, below: Below<'_>) -> Result<Option<Found>, Defect> {
    let count = problem.queries.len();
    if !(2..=MOST_GOALS).contains(&count) {
        return Ok(None);
    }
    if when == When::Possible {
        return Ok(one_by_one(problem, usize::MAX, below)?.ok());
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
        // What is left of the work is for all goals together.
        let budget = &problem.budget.with_part(PART);
        let part = Problem { budget, ..*problem };
        match one_by_one(&part, problem.budget.states / EACH, below)? {
            Ok(found) => Ok(Some(found)),
            Err(cost) => {
                let mut found = below(problem)?;
                found.stats = found.stats.plus(cost);
                Ok(Some(found))
            }
        }
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

/// What is known of the goals one by one, for later slices of work.
struct Begun {
    program: Program,
    goals: Vec<Goal>,
    options: CheckOptions,
    /// What was found out about the first ones, which are decided. The cost is that of this slice.
    found: Vec<Found>,
    /// What was begun at the next one.
    next: Memory,
    /// How many configurations it has taken so far.
    cost: usize,
}

impl Begun {
    /// What an earlier slice has left of the same problem, or nothing.
    fn of(problem: &Problem<'_>) -> Self {
        let same = |earlier: &Begun| {
            earlier.goals == problem.queries
                && earlier.options == *problem.options
                && earlier.program == *problem.program
        };
        let earlier = problem.memory.take::<Begun>().filter(same);
        earlier.unwrap_or_else(|| Self {
            program: problem.program.clone(),
            goals: problem.queries.to_vec(),
            options: problem.options.clone(),
            found: Vec::new(),
            next: Memory::default(),
            cost: 0,
        })
    }

    /// What was found out about all goals.
    fn sum(self) -> Found {
        // What is executed for one goal does not show what is for all.
        let mut sum = Found::open(&[], &Reason::Stopped);
        for found in self.found {
            sum.add(&found);
            sum.answers.extend(found.answers);
        }
        sum
    }
}

/// The goals' answers, in their order; what it has cost as soon as they take too long, which is mostly known after
/// the first of them. A later slice goes on there.
fn one_by_one(
    problem: &Problem<'_>,
    each: usize,
    below: Below<'_>,
) -> Result<Result<Found, Stats>, Defect> {
    let most = problem.budget.states.saturating_mul(ALL);
    let prepared = Work::preparing(problem.program).states();
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
    let mut begun = Begun::of(problem);
    let mut open = Stats::default();
    while let Some(goal) = problem.queries.get(begun.found.len()) {
        let alone = Problem {
            queries: std::slice::from_ref(goal),
            options,
            budget,
            memory: &begun.next,
            ..*problem
        };
        let found = below(&alone)?;
        let states = usize::try_from(found.stats.states.unwrap_or(0)).unwrap_or(usize::MAX);
        begun.cost += states + prepared;
        let goes_on = found.is_decided() || each == usize::MAX;
        if goes_on {
            begun.found.push(found);
            begun.next = Memory::default();
        } else {
            open = found.stats;
        }
        let asked = begun.found.len() + usize::from(!goes_on);
        let expected = (begun.cost / asked).saturating_mul(problem.queries.len());
        if each < usize::MAX && (!goes_on || expected > most) {
            let reported = begun.found.iter_mut();
            let each = reported.map(|found| std::mem::take(&mut found.stats));
            let cost = each.fold(open, Stats::plus);
            problem.memory.keep(begun);
            return Ok(Err(cost));
        }
    }
    Ok(Ok(begun.sum()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::parse;
    use crate::model::Model;
    use crate::verdict::Budget;

    /// What was begun is gone on with in the same problem, and in no other one that has the same memory.
    #[test]
    fn what_was_begun_at_another_problem_is_not_used() {
        let program = |value: u32| {
            let text =
                format!("shared x; thread t {{ x = {value}; }} forbid x == 1; forbid x == 2;");
            parse(&text).program.expect("no errors in the text")
        };
        let (one, other) = (program(1), program(3));
        let goals = one.goals();
        let [sc, tso] = [Model::Sc, Model::Tso].map(CheckOptions::new);
        let (budget, memory) = (Budget::default(), Memory::default());
        let begun = |program, queries, options| {
            Begun::of(&Problem {
                program,
                queries,
                options,
                budget: &budget,
                memory: &memory,
            })
        };
        let is_used = |program, queries, options| {
            let mut first = begun(&one, &goals[..], &sc);
            first.found.push(Found::open(&goals[..1], &Reason::Stopped));
            memory.keep(first);
            !begun(program, queries, options).found.is_empty()
        };
        assert!(is_used(&one, &goals[..], &sc));
        assert!(!is_used(&one, &goals[..1], &sc));
        assert!(!is_used(&other, &goals[..], &sc));
        assert!(!is_used(&one, &goals[..], &tso));
    }
}
