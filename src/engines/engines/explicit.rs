//! The explicit engine: the step-by-step reference explores, with one search for all goals.
//!
//! Complete for finite data: an answer is `Holds` or `Violated`, or unknown if the budget runs out.
//! A search that visits every configuration also shows what is never executed. A search that finds
//! every goal stops early and does not; then a second, small search runs for the vacuity report
//! alone.

use super::{Answer, CheckOptions, Engine, Found, GoalShown, Problem, Row, Stats, Vacuity};
use crate::passes::{SLICE, SPLIT};
use crate::program::Program;
use crate::race::Slice;
use crate::search::{Paused, Question, Reduction, Visited, check_all, go_on};
use crate::verdict::{Budget, Defect, Verdict};
use crate::work::{MOMENT, Work};

/// The row in the table of engines.
pub(crate) const EXPLICIT: Row = Row {
    engine: Engine::Explicit,
    deepest: None,
    passes: &[SPLIT, SLICE],
    suits: |_| true,
    decide: answer,
    vacuity: Some(vacuity),
};

/// The goals' answers, in their order, by one search that goes on where an earlier attempt at the same has
/// stopped. The cost is the number of configurations that are new.
#[expect(clippy::unnecessary_wraps, reason = "a row of the table")]
fn answer(problem: &Problem<'_>, _: Slice) -> Result<Found, Defect> {
    let options = problem.options;
    let question = Question {
        program: problem.program,
        model: options.model,
        goals: problem.queries,
        // Which instructions are executed shows what is unreachable, if that is to be reported.
        reduction: Reduction {
            hopeless: options.techniques.reduction.hopeless && !options.note_unreachable,
            ..options.techniques.reduction
        },
    };
    let earlier = problem.memory.take::<Paused>();
    let same = earlier.filter(|earlier| earlier.question() == question);
    let mut visited = same.map_or_else(Visited::default, Paused::into_visited);
    let before = visited.states();
    let found = go_on(&mut visited, question, problem.budget);
    let mut verdicts = found.verdicts.iter();
    if verdicts.any(|(_, verdict)| matches!(verdict, Verdict::Unknown(_))) {
        problem.memory.keep(Paused::new(question, visited));
    }
    let verdicts = found.verdicts.into_iter();
    let answers = verdicts.map(|(goal, verdict)| Answer {
        query: goal,
        verdict,
    });
    Ok(Found {
        answers: answers.collect(),
        engine: Some(Engine::Explicit),
        unroll: None,
        shown: GoalShown {
            executed: found.complete.then_some(found.executed),
            ..GoalShown::default()
        },
        stats: Stats {
            states: Some((found.states - before) as u64),
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
    vacuity_within(MOMENT, program, options, budget)
}

/// What no execution reaches, if a search that costs so much decides it.
pub(super) fn vacuity_within(
    most: Work,
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
) -> Option<Vacuity> {
    let small = most.of_searches(budget);
    let all = check_all(program, options.model, &[], &small);
    all.complete.then(|| Vacuity::new(program, &all.executed))
}
