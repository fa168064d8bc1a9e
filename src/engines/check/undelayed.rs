//! Programs in which no delayed store matters, as the static arguments show: decided under SC.
//!
//! If every attack is ruled out without a search, the program is robust, so it reaches under the model
//! what it reaches under SC [DMS17, Theorem 1], where it has fewer states. Locks with their fences, and
//! data structures that publish with locked instructions, are such programs.
//!
//! Only `auto` concludes that: an engine that was asked for answers by itself. Goals about waiting are
//! left to the model: who waits is defined on its configurations.
//!
//! What was decided under SC is kept with the program, so several models cost as much as one.

use super::inductive::flushed;
use super::{Answered, CheckOptions, ENGINES, Engine};
use crate::facts::Values;
use crate::model::Model;
use crate::program::{Goal, Program};
use crate::robustness::{has_attacks, is_robust_statically, keeps_goals};
use crate::verdict::{Budget, Defect, Verdict};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The goals' answers, in their order, by the engines of the options.
///
/// # Errors
///
/// If the reference rejects an engine's evidence.
pub(super) fn decided(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<Answered, Defect> {
    if options.model == Model::Sc {
        return decided_once(program, goals, options, budget);
    }
    if !is_undelayed(program, goals, options, budget) {
        return ENGINES.decide(program, goals, options, budget);
    }
    let under_sc = CheckOptions {
        model: Model::Sc,
        ..options.clone()
    };
    let mut answered = decided_once(program, goals, &under_sc, budget)?;
    for answer in &mut answered.answers {
        if let Verdict::Violated(run) = &answer.verdict {
            let run = flushed(program, options.model, answer.goal, run)?;
            answer.verdict = Verdict::Violated(run);
        }
    }
    Ok(answered)
}

/// What is known of a program's goals under SC, by what was asked.
#[derive(Default)]
struct UnderSc(Mutex<Vec<(Vec<Goal>, CheckOptions, Answered)>>);

impl UnderSc {
    fn all(&self) -> MutexGuard<'_, Vec<(Vec<Goal>, CheckOptions, Answered)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, goals: &[Goal], options: &CheckOptions) -> Option<Answered> {
        let all = self.all();
        let same = all
            .iter()
            .find(|(others, as_well, _)| others == goals && as_well == options);
        same.map(|(_, _, answered)| answered.clone())
    }
}

/// The answers under SC, which are remembered if a larger budget would not change them.
fn decided_once(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<Answered, Defect> {
    let known = program.computed(|_| UnderSc::default());
    if let Some(answered) = known.find(goals, options) {
        return Ok(answered);
    }
    let answered = ENGINES.decide(program, goals, options, budget)?;
    if answered.is_decided() {
        let entry = (goals.to_vec(), options.clone(), answered.clone());
        known.all().push(entry);
    }
    Ok(answered)
}

fn is_undelayed(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> bool {
    let model = options.model;
    let is_about_waiting = |goal: &Goal| match *goal {
        Goal::Property(number) => program.properties()[number].kind.is_about_waiting(),
        Goal::Assert(_) | Goal::Outside(_) => false,
    };
    options.engine == Engine::Auto
        && options.simplified.delays
        && model.relaxes_store_load()
        && !goals.iter().any(is_about_waiting)
        && has_attacks(program, model)
        && keeps_goals(program, model)
        && is_robust_statically(program, &Values::of(program), model, budget)
}
