//! Programs in which no delayed store matters, as the static arguments show: decided under SC.
//!
//! If every attack is ruled out without a search, the program is robust, so it reaches under the model
//! what it reaches under SC [DMS17, Theorem 1], where it has fewer states. Locks with their fences, and
//! data structures that publish with locked instructions, are such programs.
//!
//! **Theorem.** A program without feasible attacks is robust, and a robust program reaches under the model what
//! it reaches under SC [DMS17, Theorem 1], unless an atomic block that never ends keeps stores from memory
//! ([`keeps_goals`]).
//!
//! It pays with `auto` only: an engine that was asked for answers by itself. Goals about waiting are
//! left to the model: who waits is defined on its configurations.
//!
//! What was decided under SC is kept with the program, so several models cost as much as one.

use super::Engine;
use crate::engines::CheckOptions;
use crate::facts::Values;
use crate::model::Model;
use crate::passes::{Below, Pass, PassName, When};
use crate::problem::{Found, Problem, Steps};
use crate::program::{Goal, Program};
use crate::reference::{Replay, ReplayError, Step};
use crate::robustness::{has_attacks, is_robust_statically, keeps_goals};
use crate::search::shorten;
use crate::verdict::{Defect, Verdict};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The row in the table of passes.
pub(super) const TO_SC: Pass = Pass {
    name: PassName::ToSc,
    decide,
};

fn decide(problem: &Problem<'_>, when: When, below: Below<'_>) -> Result<Option<Found>, Defect> {
    if problem.options.model == Model::Sc {
        return decided_once(problem, below).map(Some);
    }
    if !is_undelayed(problem, when) {
        return Ok(None);
    }
    let options = &CheckOptions {
        model: Model::Sc,
        ..problem.options.clone()
    };
    let under_sc = Problem {
        options,
        ..*problem
    };
    let mut found = decided_once(&under_sc, below)?;
    for answer in &mut found.answers {
        let (program, model) = (problem.program, problem.options.model);
        let verdict = std::mem::replace(&mut answer.verdict, Verdict::Holds);
        answer.verdict = verdict.try_map(|steps| flushed(program, model, answer.query, &steps))?;
    }
    Ok(Some(found))
}

/// What is known of a program's goals under SC, by what was asked.
#[derive(Default)]
struct UnderSc(Mutex<Vec<(Vec<Goal>, CheckOptions, Found)>>);

impl UnderSc {
    fn all(&self) -> MutexGuard<'_, Vec<(Vec<Goal>, CheckOptions, Found)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, goals: &[Goal], options: &CheckOptions) -> Option<Found> {
        let all = self.all();
        let same = all
            .iter()
            .find(|(others, as_well, _)| others == goals && as_well == options);
        same.map(|(_, _, found)| found.clone())
    }
}

/// The answers under SC, which are remembered if a larger budget would not change them.
fn decided_once(problem: &Problem<'_>, below: Below<'_>) -> Result<Found, Defect> {
    let known = problem.program.computed(|_| UnderSc::default());
    if let Some(found) = known.find(problem.queries, problem.options) {
        return Ok(found);
    }
    let found = below(problem)?;
    if found.is_decided() {
        let entry = (
            problem.queries.to_vec(),
            problem.options.clone(),
            found.clone(),
        );
        known.all().push(entry);
    }
    Ok(found)
}

fn is_undelayed(problem: &Problem<'_>, when: When) -> bool {
    let (program, model) = (problem.program, problem.options.model);
    let is_about_waiting = |goal: &Goal| match *goal {
        Goal::Property(number) => program.properties()[number].kind.is_about_waiting(),
        Goal::Assert(_) | Goal::Outside(_) => false,
    };
    (problem.options.engine == Engine::Auto || when == When::Possible)
        && model.relaxes_store_load()
        && !problem.queries.iter().any(is_about_waiting)
        && has_attacks(program, model)
        && keeps_goals(program, model)
        && is_robust_statically(program, &Values::of(program), model, problem.budget)
}

/// A computation under SC as one under the model: each store leaves the buffers at once.
///
/// # Errors
///
/// If the reference rejects a step.
pub(super) fn flushed(
    program: &Program,
    model: Model,
    goal: Goal,
    under_sc: &[Step],
) -> Result<Steps, Defect> {
    let mut replay = Replay::new(program, model);
    let mut steps = Vec::new();
    for &step in under_sc {
        if let Step::Execute { .. } = step {
            let taken = replay.step_and_drain(step, &mut steps);
            taken.map_err(|error: ReplayError| Defect::witness(error.message))?;
        }
    }
    Ok(shorten(program, model, goal, steps))
}
