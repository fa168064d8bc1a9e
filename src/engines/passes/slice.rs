//! The slice of a program: the data and the branches that can influence the goals.
//!
//! **Theorem.** [`Sliced`]: the slice reaches a goal under the model exactly if the program does, and a computation
//! of the slice is restored to one of the program ([`restored()`]) by putting back what was left out.
//!
//! It pays where the search is longer than the analysis. So the whole program is searched first, for so few
//! configurations that visiting them costs less than finding out what the goals depend on.

mod restored;

use super::{Below, Pass, PassName, When};
use crate::facts::{Sliced, Values};
use crate::problem::{Found, Problem};
use crate::program::{Goal, Program, PropertyKind};
use crate::reference::ReplayError;
use crate::search::Paused;
use crate::verdict::{Defect, Verdict};
use restored::restored;

/// The row in the table of passes.
pub(crate) const SLICE: Pass = Pass {
    name: PassName::Slice,
    decide,
};

/// Visiting this many configurations per instruction takes less time than slicing the program.
const GLANCE: usize = 2;

/// Slicing needs the values of each register at each location. A program with more of these is not sliced:
/// one with a register for each of a thousand cells, say, as an attack on a large array has.
const MOST_SETS: usize = 1 << 20;

fn decide(problem: &Problem<'_>, when: When, below: Below<'_>) -> Result<Option<Found>, Defect> {
    if when == When::Pays
        && let Some(found) = at_a_glance(problem, below)?
    {
        return Ok(Some(found));
    }
    let Some(sliced) = sliced(problem, problem.queries) else {
        return Ok(None);
    };
    on_slice(problem, &sliced, below).map(Some)
}

/// The answers, if the program has so few configurations that visiting them costs less than finding
/// out what the goals depend on.
fn at_a_glance(problem: &Problem<'_>, below: Below<'_>) -> Result<Option<Found>, Defect> {
    let few = GLANCE * problem.program.sites().count();
    let may = few < problem.budget.states && !problem.queries.is_empty();
    if !may || problem.memory.has::<Paused>() {
        return Ok(None);
    }
    let budget = &problem.budget.with_states(few);
    let found = below(&Problem { budget, ..*problem })?;
    Ok(found.is_decided().then_some(found))
}

/// The part of the program that can influence the goals; `None` if the search needs all of it.
pub(super) fn sliced(problem: &Problem<'_>, goals: &[Goal]) -> Option<Sliced> {
    let program = problem.program;
    let is_about_states = |&goal: &Goal| match goal {
        Goal::Assert(_) | Goal::Outside(_) => true,
        Goal::Property(number) => match program.properties()[number].kind {
            PropertyKind::Forbid | PropertyKind::FinalAssert | PropertyKind::Exists => true,
            PropertyKind::Stuck | PropertyKind::Starved(_) => false,
        },
    };
    // A cell that is loaded for nothing, and every store to it, may let a load wait.
    let waits = problem.options.model.relaxes_store_load() && program.has_waiting_loads();
    let applies = !goals.is_empty()
        && !waits
        && register_sets(program) <= MOST_SETS
        && goals.iter().all(is_about_states);
    let model = problem.options.model;
    applies.then(|| Sliced::new(program, &Values::of(program), goals, model))
}

/// How many sets of values there are.
fn register_sets(program: &Program) -> usize {
    let threads = program.threads().iter();
    let sets = threads.map(|thread| thread.locations().len() * thread.registers().len());
    sets.sum()
}

/// The answers to a problem, asked about a slice for its goals.
///
/// # Errors
///
/// If evidence is not that of a slice.
fn on_slice(problem: &Problem<'_>, sliced: &Sliced, below: Below<'_>) -> Result<Found, Defect> {
    let mut found = below(&Problem {
        program: &sliced.program,
        ..*problem
    })?;
    for answer in &mut found.answers {
        let verdict = std::mem::replace(&mut answer.verdict, Verdict::Holds);
        answer.verdict = verdict.try_map(|steps| {
            restored(problem.program, problem.options.model, sliced, &steps).map_err(rejected)
        })?;
    }
    if sliced.omits_branches() {
        found.shown.executed = None;
    }
    Ok(found)
}

fn rejected(ReplayError { at, message }: ReplayError) -> Defect {
    Defect::witness(format!("step {at}: {message}"))
}
