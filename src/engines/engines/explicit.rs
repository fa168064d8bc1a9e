//! The explicit engine: the step-by-step reference explores, with one search for all goals.
//!
//! Complete for finite data: an answer is `Holds` or `Violated`, or unknown if the budget runs out.
//! It visits the configurations of a slice: the part of the program that can influence the goals, unless the
//! whole program has very few. Goals that depend on far less than all together are decided one by one.
//! A search that visits every configuration also shows what is never executed. A search that finds
//! every goal stops early and does not; then a second, small search runs for the vacuity report
//! alone.

mod apart;
mod sliced;

use super::ladder::{SHORT, VACUITY};
use super::{
    Answered, CheckOptions, Effort, Engine, GoalAnswer, Query, Row, Slices, Stats, Vacuity,
    replayed,
};
use crate::facts::{Sliced, Values};
use crate::model::Model;
use crate::program::{Goal, Program, PropertyKind};
use crate::reference::{Replay, ReplayError, Run, Step, arrival};
use crate::search::{Answers, Question, Reduction, Visited, check_all, go_on};
use crate::verdict::{Budget, Defect, Verdict};
use sliced::restored;

/// Visiting this many configurations per instruction takes less time than slicing the program.
const GLANCE: usize = 2;

/// Slicing needs the values of each register at each location. A program with more of these is not sliced:
/// one with a register for each of a thousand cells, say, as an attack on a large array has.
const MOST_SETS: usize = 1 << 20;

/// The row in the table of engines.
pub(crate) const EXPLICIT: Row = Row {
    engine: Engine::Explicit,
    deepest: None,
    predicates_only: false,
    suits: |_| true,
    decide: answer,
    vacuity: Some(vacuity),
};

/// The goals' answers, in their order: by one search for all of them, unless searches for each of them have
/// much less to visit.
fn answer(query: &Query<'_>, _: Effort) -> Result<Answered, Defect> {
    let is_first = query.paused.borrow().is_none();
    if let Some(answered) = at_a_glance(query)? {
        return Ok(answered);
    }
    let sliced = slice(query, query.goals);
    let apart = sliced
        .as_ref()
        .is_some_and(|sliced| apart::suits(query, sliced));
    if !apart {
        return together(query, sliced.as_ref());
    }
    // One search shows what is executed, too, so it comes first as long as it is short.
    if is_first {
        let budget = &query.budget.with_states(SHORT.min(query.budget.states));
        let answered = together(&Query { budget, ..*query }, sliced.as_ref())?;
        if answered.is_decided() || query.budget.is_stopped() {
            return Ok(answered);
        }
    }
    match apart::decided(query)? {
        Some(answered) => Ok(answered),
        None => together(query, sliced.as_ref()),
    }
}

/// The goals' answers, if the program has so few configurations that visiting them costs less than finding
/// out what the goals depend on.
fn at_a_glance(query: &Query<'_>) -> Result<Option<Answered>, Defect> {
    let few = GLANCE * query.program.sites().count();
    let may = query.options.simplified.slices == Slices::Large
        && few < query.budget.states
        && !query.goals.is_empty();
    if !may || query.paused.borrow().is_some() {
        return Ok(None);
    }
    let budget = &query.budget.with_states(few);
    let answered = together(&Query { budget, ..*query }, None)?;
    Ok(answered.is_decided().then_some(answered))
}

/// The goals' answers, by one search that goes on where an earlier one has stopped.
fn together(query: &Query<'_>, sliced: Option<&Sliced>) -> Result<Answered, Defect> {
    let program = query.program;
    let searched = sliced.map_or(program, |sliced| &sliced.program);
    let (found, states) = search(query, searched);
    let verdicts = found.verdicts.into_iter();
    let answers = verdicts.map(|(goal, verdict)| answer_of(query, goal, verdict, sliced));
    let answers = answers.collect::<Result<_, _>>()?;
    let shows_executed = !sliced.is_some_and(Sliced::omits_branches);
    let executed = (found.complete && shows_executed).then_some(found.executed);
    Ok(Answered {
        vacuity: executed.map(|executed| Vacuity::new(program, &executed)),
        ..answered(answers, states)
    })
}

fn answered(answers: Vec<GoalAnswer>, states: usize) -> Answered {
    Answered {
        answers,
        engine: Some(Engine::Explicit),
        unroll: None,
        vacuity: None,
        history: None,
        invariant: None,
        stats: Stats {
            states: Some(states as u64),
            ..Stats::default()
        },
    }
}

/// The answer on a goal, whose evidence in a slice becomes one in the program.
fn answer_of(
    query: &Query<'_>,
    goal: Goal,
    verdict: Verdict<Vec<Step>>,
    sliced: Option<&Sliced>,
) -> Result<GoalAnswer, Defect> {
    let (program, model) = (query.program, query.options.model);
    let verdict = verdict.try_map(|steps| {
        let steps = match sliced {
            Some(sliced) => restored(program, model, sliced, &steps).map_err(rejected)?,
            None => steps,
        };
        arrived(
            program,
            model,
            goal,
            replayed(program, model, goal, &steps)?,
        )
    })?;
    Ok(GoalAnswer { goal, verdict })
}

/// A search that has stopped for the number of its states.
pub(crate) struct Paused {
    program: Program,
    model: Model,
    goals: Vec<Goal>,
    reduction: Reduction,
    visited: Visited,
}

impl Paused {
    fn new(question: Question<'_>, visited: Visited) -> Self {
        Self {
            program: question.program.clone(),
            model: question.model,
            goals: question.goals.to_vec(),
            reduction: question.reduction,
            visited,
        }
    }

    fn question(&self) -> Question<'_> {
        Question {
            program: &self.program,
            model: self.model,
            goals: &self.goals,
            reduction: self.reduction,
        }
    }
}

/// Searches a program for the goals, from where an earlier attempt at the same has stopped. Also returns
/// the number of configurations that are new.
fn search(query: &Query<'_>, program: &Program) -> (Answers, usize) {
    let question = Question {
        program,
        model: query.options.model,
        goals: query.goals,
        // Which instructions are executed shows what is unreachable, if that is to be reported.
        reduction: Reduction {
            hopeless: query.options.reduction.hopeless && !query.options.note_unreachable,
            ..query.options.reduction
        },
    };
    let earlier = query.paused.take();
    let same = earlier.filter(|earlier| earlier.question() == question);
    let mut visited = same.map_or_else(Visited::default, |same| same.visited);
    let before = visited.states();
    let found = go_on(&mut visited, question, query.budget);
    let mut verdicts = found.verdicts.iter();
    if verdicts.any(|(_, verdict)| matches!(verdict, Verdict::Unknown(_))) {
        query.paused.replace(Some(Paused::new(question, visited)));
    }
    let states = found.states - before;
    (found, states)
}

/// The run of a goal. If it shows that threads wait forever, they go on to where they do, unless the
/// predicate of the property is false there.
fn arrived(program: &Program, model: Model, goal: Goal, run: Run) -> Result<Run, Defect> {
    let is_stuck = match goal {
        Goal::Property(number) => program.properties()[number].kind == PropertyKind::Stuck,
        Goal::Assert(_) | Goal::Outside(_) => false,
    };
    let way = if is_stuck {
        arrival(program, &run.end)
    } else {
        Vec::new()
    };
    if way.is_empty() {
        return Ok(run);
    }
    let mut replay = Replay::new(program, model);
    let mut steps = Vec::new();
    for moment in &run.moments {
        replay.step(moment.step).map_err(rejected)?;
        steps.push(moment.step);
    }
    for step in way {
        replay.step_and_drain(step, &mut steps).map_err(rejected)?;
    }
    let later = replay.finish().map_err(rejected)?;
    Ok(if later.reached.contains(&goal) {
        later
    } else {
        run
    })
}

/// The part of the program that can influence the goals; `None` if the search needs all of it.
fn slice(query: &Query<'_>, goals: &[Goal]) -> Option<Sliced> {
    let program = query.program;
    let is_about_states = |&goal: &Goal| match goal {
        Goal::Assert(_) | Goal::Outside(_) => true,
        Goal::Property(number) => match program.properties()[number].kind {
            PropertyKind::Forbid | PropertyKind::FinalAssert | PropertyKind::Exists => true,
            PropertyKind::Stuck | PropertyKind::Starved(_) => false,
        },
    };
    let applies = query.options.simplified.slices != Slices::Never
        && !goals.is_empty()
        && register_sets(program) <= MOST_SETS
        && goals.iter().all(is_about_states);
    applies.then(|| Sliced::new(program, &Values::of(program), goals, query.options.model))
}

/// How many sets of values there are.
fn register_sets(program: &Program) -> usize {
    let threads = program.threads().iter();
    let sets = threads.map(|thread| thread.locations().len() * thread.registers().len());
    sets.sum()
}

fn rejected(ReplayError { at, message }: ReplayError) -> Defect {
    Defect::witness(format!("step {at}: {message}"))
}

/// What no execution reaches, if a small search decides it.
pub(super) fn vacuity(
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
) -> Option<Vacuity> {
    let [_, most] = VACUITY;
    vacuity_within(most, program, options, budget)
}

/// What no execution reaches, if a search of so many configurations decides it.
pub(super) fn vacuity_within(
    states: usize,
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
) -> Option<Vacuity> {
    let small = budget.with_states(states.min(budget.states));
    let all = check_all(program, options.model, &[], &small);
    all.complete.then(|| Vacuity::new(program, &all.executed))
}
