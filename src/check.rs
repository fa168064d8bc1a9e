//! Checking: can the program reach what it must not reach?
//!
//! A program asks questions, its [goals](crate::program::Goal): assertions, accesses outside shared
//! memory, forbidden states. An *engine* answers each of them; every violation has been replayed by
//! the step-by-step reference.
//!
//! `exists` goals are *observations*: reaching one is no violation. They do count where they stay
//! undecided, because then a question of the user's has no answer.
//!
//! **Invariant.** The overall verdict is never stronger than the weakest answer behind it.

mod limits;
mod litmus;

pub use crate::engines::{CheckOptions, Engine, Extension, GoalAnswer, Stats, Until, Vacuity};
pub use litmus::{FinalStates, LitmusReport, MOST_CONFIGURATIONS, check_litmus};

use crate::analysis::skeleton;
use crate::engines::{Answered, BMC, EXPLICIT, Engines, is_observation, ladder};
use crate::explicit::Run;
use crate::lazy::{LAZY, Story};
use crate::model::Model;
use crate::program::{Goal, Program};
use crate::verdict::{Budget, Defect, Reason, Verdict};

/// All engines.
const ENGINES: Engines = Engines {
    rows: &[BMC, EXPLICIT, LAZY],
    ladder: &ladder::GOALS,
};

/// The answers to all of a program's questions under one model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckReport {
    /// The memory model.
    pub(crate) model: Model,
    /// The engine that answered, if one was asked; never [`Engine::Auto`].
    pub(crate) engine: Option<Engine>,
    /// How often loops were followed, if the engine that answered unrolls them.
    pub(crate) unroll: Option<u32>,
    /// The goals that must not be reached, in the order of [`Program::goals`].
    pub(crate) answers: Vec<GoalAnswer>,
    /// The `exists` goals, in the same order; a violated verdict means "observed".
    pub(crate) observations: Vec<GoalAnswer>,
    /// What no execution reaches; absent if that was not found out.
    pub(crate) vacuity: Option<Vacuity>,
    /// How the lazy engine came to its answers, if it was the one that answered.
    pub(crate) story: Option<Story>,
    /// A computation that leaves 32 bits, if that is why something is undecided
    /// ([`Reason::Overflow`]).
    pub(crate) overflow: Option<Run>,
    /// What it cost.
    pub(crate) stats: Stats,
}

impl CheckReport {
    /// The verdict over all goals: violated before unknown before within before holds. The
    /// evidence is the first goal that is reached and how. Observations that were not decided
    /// count, observations that were made do not.
    pub fn verdict(&self) -> Verdict<(Goal, &Run)> {
        let seen = |answer: &&GoalAnswer| matches!(answer.verdict, Verdict::Violated(_));
        let open = self.observations.iter().filter(|answer| !seen(answer));
        let questions = self.answers.iter().chain(open);
        Verdict::all(questions.map(|answer| answer.verdict.as_ref().map(|run| (answer.goal, run))))
    }

    /// The run to show: of the violation, or else of the first observation.
    pub fn run(&self) -> Option<&Run> {
        let seen = self.observations.iter().map(|a| a.verdict.as_ref());
        match Verdict::all([self.verdict().map(|(_, run)| run)].into_iter().chain(seen)) {
            Verdict::Violated(run) => Some(run),
            Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
        }
    }

    /// The report in which every question is open for this reason.
    pub(crate) fn undecided(program: &Program, options: &CheckOptions, reason: &Reason) -> Self {
        assemble(program, options, Answered::open(&program.goals(), reason))
    }
}

/// Answers all of the program's goals under the model of the options.
///
/// Programs with threads of any number of copies are not answered: every goal is unknown, with the
/// reason.
///
/// # Errors
///
/// If an engine's evidence is refused by the reference.
pub fn check(
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
) -> Result<CheckReport, Defect> {
    check_goals(program, &program.goals(), options, budget)
}

/// Answers these goals of the program only.
///
/// # Errors
///
/// As [`check`].
pub fn check_goals(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<CheckReport, Defect> {
    let (mut answered, overflow) = if program.limits().is_empty() {
        (ENGINES.decide(program, goals, options, budget)?, None)
    } else {
        limits::limited(program, goals, options, budget)?
    };
    if answered.vacuity.is_none() && answered.engine.is_some() {
        // What is dead beyond a limit as well is dead in the skeleton, which does all that is done.
        let skeleton = skeleton(program);
        let whole = if program.limits().is_empty() {
            Some(program)
        } else {
            skeleton.as_ref()
        };
        answered.vacuity = whole.and_then(|whole| ENGINES.vacuity(whole, options, budget));
    }
    Ok(CheckReport {
        overflow,
        ..assemble(program, options, answered)
    })
}

fn assemble(program: &Program, options: &CheckOptions, answered: Answered) -> CheckReport {
    let (observations, answers) = answered
        .answers
        .into_iter()
        .partition(|answer| is_observation(program, answer.goal));
    CheckReport {
        model: options.model,
        engine: answered.engine,
        unroll: answered.unroll,
        answers,
        observations,
        vacuity: answered.vacuity,
        story: answered.story,
        overflow: None,
        stats: answered.stats,
    }
}
