//! Checking: can the program reach a state that it must not reach?
//!
//! A program has [goals](crate::program::Goal): assertions, accesses outside shared memory,
//! forbidden states. An *engine* decides each of them. The step-by-step reference has replayed
//! every violation.
//!
//! `exists` goals are *observations*: reaching one is not a violation. An undecided observation
//! does count in the overall verdict, because the user asked for it and has no answer.
//!
//! **Invariant.** The overall verdict is never stronger than the weakest answer that it depends on.

mod copies;
mod inductive;
mod limits;
mod minimal;
mod to_sc;
mod under_sc;

pub use crate::engines::{CheckOptions, Engine, Extension, GoalAnswer, Stats, Until, Vacuity};
pub use crate::instances::{AnyNumber, ReachedGoal};
pub use minimal::minimised;
pub use under_sc::check_under_sc;

pub use crate::techniques::{PassName, Passes, Techniques, When};

use crate::engines::{Answered, BMC, EXPLICIT, Engines, is_observation};
use crate::facts::{Loops, skeleton};
use crate::induction::Invariant;
use crate::lazy::{LAZY, LazyHistory};
use crate::model::Model;
use crate::passes::{Pass, through};
use crate::problem::{Memory, Problem};
use crate::program::{Expr, Goal, Origin, Program, Property, PropertyKind};
use crate::reference::{Run, waiters};
use crate::verdict::{Budget, Defect, Reason, Verdict};
use crate::work::{BRIEF, GLANCE};
use inductive::IC3;
use std::sync::Arc;
use to_sc::TO_SC;

/// All engines.
const ENGINES: Engines = Engines {
    rows: &[BMC, EXPLICIT, IC3, LAZY],
};

/// What makes a problem easier, whichever engine decides it.
const PASSES: [Pass; 3] = [Pass::ALIKE, Pass::CONE, TO_SC];

/// The verdicts on all goals of a program under one model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckReport {
    /// The memory model.
    #[doc(hidden)]
    pub model: Model,
    /// The engine that decided, if one ran; never [`Engine::Auto`].
    #[doc(hidden)]
    pub engine: Option<Engine>,
    /// The unroll bound, if the engine that decided unrolls loops.
    #[doc(hidden)]
    pub unroll: Option<u32>,
    /// The goals that must not be reached, in the order of [`Program::goals`].
    #[doc(hidden)]
    pub answers: Vec<GoalAnswer>,
    /// The `exists` goals, in the same order; a violated verdict means "observed".
    #[doc(hidden)]
    pub observations: Vec<GoalAnswer>,
    /// What no execution reaches; `None` if this is not known.
    #[doc(hidden)]
    pub vacuity: Option<Vacuity>,
    /// How the lazy engine decided, if it was the engine used.
    #[doc(hidden)]
    pub history: Option<LazyHistory>,
    /// What proves the goals that hold, if the inductive engine decided them.
    #[doc(hidden)]
    pub invariant: Option<Invariant>,
    /// Whether the goal of the violation can be reached under SC too, if that was
    /// [decided](check_under_sc).
    #[doc(hidden)]
    pub under_sc: Option<Verdict<()>>,
    /// An execution that never finishes, if a short search found one ([`CheckOptions::note_waiting`]).
    #[doc(hidden)]
    pub unfinished: Option<Unfinished>,
    /// How it was decided, if the program has threads in any number of copies. Runs are then
    /// executions of an instance.
    pub(crate) any_number: Option<AnyNumber>,
    /// A computation that leaves 32 bits, if that is why something is undecided
    /// ([`Reason::Overflow`]).
    #[doc(hidden)]
    pub overflow: Option<Run>,
    /// The cost.
    #[doc(hidden)]
    pub stats: Stats,
}

/// An execution at whose end every thread that has not ended waits forever.
#[derive(Clone, PartialEq, Eq, Debug)]
#[doc(hidden)]
pub struct Unfinished {
    /// The execution.
    pub run: Run,
    /// The program that it is of, if that is not the program of the report but the same text, read such that it
    /// says what threads wait for.
    pub of: Option<Arc<Program>>,
}

impl CheckReport {
    /// Whether an execution that never finishes is worth a note: where nothing worse is known.
    fn may_note_waiting(&self) -> bool {
        matches!(self.verdict(), Verdict::Holds | Verdict::HoldsWithin(_))
    }

    /// The report, with a note if executions of this program never finish. It is the text of the program that was checked, read
    /// such that it says what threads wait for, and forbids that they wait forever.
    ///
    /// # Errors
    ///
    /// If the reference rejects an engine's evidence.
    pub fn noting_waiting(
        self,
        asking: impl FnOnce() -> Option<Program>,
        options: &CheckOptions,
        budget: &Budget,
    ) -> Result<Self, Defect> {
        if !self.may_note_waiting() {
            return Ok(self);
        }
        let Some(asking) = asking() else {
            return Ok(self);
        };
        let run = never_finishes(&asking, options, budget)?;
        let of = Some(Arc::new(asking));
        let unfinished = run.map(|run| Unfinished { run, of });
        Ok(Self { unfinished, ..self })
    }

    /// The verdict over all goals. A violation takes precedence over unknown, unknown over bounded,
    /// and bounded over holds. The evidence is the first goal reached, with its run. An undecided
    /// observation counts; an observation that was made does not.
    pub fn verdict(&self) -> Verdict<(Goal, &Run)> {
        let seen = |answer: &&GoalAnswer| matches!(answer.verdict, Verdict::Violated(_));
        let open = self.observations.iter().filter(|answer| !seen(answer));
        let counted = self.answers.iter().chain(open);
        Verdict::all(counted.map(|answer| answer.verdict.as_ref().map(|run| (answer.goal, run))))
    }

    /// The run to show: of the violation, or else of the first observation.
    pub fn run(&self) -> Option<&Run> {
        let seen = self.observations.iter().map(|a| a.verdict.as_ref());
        match Verdict::all([self.verdict().map(|(_, run)| run)].into_iter().chain(seen)) {
            Verdict::Violated(run) => Some(run),
            Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
        }
    }

    /// The program that the runs are executions of, if it is not the one that was checked: the instance
    /// of a program with threads in any number of copies.
    pub fn instance(&self) -> Option<&Program> {
        self.any_number.as_ref()?.instance.as_ref()
    }

    /// The program that the run of this goal is an execution of, if it is not the one that was checked.
    pub fn instance_of(&self, goal: Goal) -> Option<&Program> {
        let reached = self.any_number.as_ref()?.reached_goal(goal)?;
        Some(&reached.instance)
    }

    /// How it was decided, if the program has threads in any number of copies.
    pub fn any_number(&self) -> Option<&AnyNumber> {
        self.any_number.as_ref()
    }

    /// A report that decides no goal, for this reason.
    pub fn undecided(program: &Program, options: &CheckOptions, reason: &Reason) -> Self {
        assemble(program, options, Answered::open(&program.goals(), reason))
    }
}

/// Decides all goals of the program under the model of the options.
///
/// If the program has threads in any number of copies, `Holds` is for every number of them, and the
/// runs are executions of an instance ([`CheckReport::instance`]).
///
/// # Errors
///
/// If the reference rejects an engine's evidence.
pub fn check(
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
) -> Result<CheckReport, Defect> {
    check_goals(program, &program.goals(), options, budget)
}

/// Decides only these goals of the program.
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
    budget.progress().goals(goals.len());
    let mut report = decide_goals(program, goals, options, budget)?;
    let is_noted = options.note_unreachable && report.vacuity.is_none();
    if is_noted && report.engine.is_some() && !program.is_parametric() {
        // The skeleton does everything that the program does, also beyond its limits. So what is
        // dead in the skeleton is dead beyond the limits too.
        let skeleton = skeleton(program);
        let whole = if program.limits().is_empty() {
            Some(program)
        } else {
            skeleton.as_ref()
        };
        report.vacuity = whole.and_then(|whole| ENGINES.vacuity(whole, options, budget));
    }
    Ok(CheckReport {
        unfinished: unfinished(program, &report, options, budget)?,
        ..report
    })
}

/// Decides only these goals of the program, and searches for nothing else.
///
/// # Errors
///
/// As [`check`].
pub(crate) fn decide_goals(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<CheckReport, Defect> {
    if program.is_parametric() {
        let (answered, any, overflow) = limits::any_number(program, goals, options, budget)?;
        return Ok(CheckReport {
            any_number: Some(any),
            overflow,
            ..assemble(program, options, answered)
        });
    }
    let (answered, overflow) = if program.limits().is_empty() {
        (asked(program, goals, options, budget)?, None)
    } else {
        limits::limited(program, goals, options, budget)?
    };
    Ok(CheckReport {
        overflow,
        ..assemble(program, options, answered)
    })
}

/// The answers to a problem about a program without threads in any number of copies, whatever is beyond its
/// limits. The executions are those of this program: here they are replayed, and nowhere on the way.
///
/// # Errors
///
/// If the reference rejects an engine's evidence.
fn asked(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<Answered, Defect> {
    let problem = Problem {
        program,
        queries: goals,
        options,
        budget,
        memory: &Memory::default(),
    };
    let found = through(&PASSES, &problem, &|problem| ENGINES.find(problem))?;
    found.replayed(program, options.model)
}

/// [`decide_goals`], with each goal decided on the threads that it depends on, also if there are few threads,
/// and by any engine.
///
/// # Errors
///
/// If the reference rejects an engine's evidence.
pub(crate) fn decide_goals_apart(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<CheckReport, Defect> {
    let mut techniques = options.techniques;
    if techniques.uses(PassName::Cone) {
        techniques.passes = techniques.passes.with(PassName::Cone, When::Possible);
    }
    let options = CheckOptions {
        techniques,
        ..options.clone()
    };
    decide_goals(program, goals, &options, budget)
}

/// Whether a program that is not robust has properties, and all of them hold all the same, for all executions. Only a
/// by-product, so it is decided within a small limit.
///
/// # Errors
///
/// If evidence does not replay.
pub fn hold_all_the_same(
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
) -> Result<bool, Defect> {
    let goals = program.goals().into_iter();
    let goals: Vec<Goal> = goals
        .filter(|&goal| !is_observation(program, goal))
        .collect();
    if goals.is_empty() {
        return Ok(false);
    }
    let options = CheckOptions {
        until: Until::Violated,
        ..options.clone()
    };
    let decided = decide_goals_apart(program, &goals, &options, &BRIEF.of_all(budget))?;
    Ok(matches!(decided.verdict(), Verdict::Holds))
}

/// An execution that never finishes, if that has to be noted and few configurations show it.
fn unfinished(
    program: &Program,
    report: &CheckReport,
    options: &CheckOptions,
    budget: &Budget,
) -> Result<Option<Unfinished>, Defect> {
    let about_waiting = |property: &Property| property.kind.is_about_waiting();
    let is_noted = options.note_waiting
        && report.may_note_waiting()
        && Loops::in_program(program)
        && !program.properties().iter().any(about_waiting);
    if !is_noted {
        return Ok(None);
    }
    let asking = program.with_property(Property {
        kind: PropertyKind::Stuck,
        predicate: Expr::Const(1),
        origin: Origin::default(),
    });
    let run = never_finishes(&asking, options, budget)?;
    Ok(run.map(|run| Unfinished { run, of: None }))
}

/// An execution of the program that never finishes, of which a property forbids that it is stuck, if few configurations
/// show one.
fn never_finishes(
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
) -> Result<Option<Run>, Defect> {
    let stuck = |property: &Property| property.kind == PropertyKind::Stuck;
    let property = program.properties().iter().position(stuck);
    let Some(goal) = property.map(Goal::Property) else {
        return Ok(None);
    };
    if program.is_parametric() || !program.limits().is_empty() {
        return Ok(None);
    }
    let options = CheckOptions {
        engine: Engine::Explicit,
        ..options.clone()
    };
    let brief = GLANCE.of_searches(budget);
    let answered = ENGINES.decide(program, &[goal], &options, &brief)?;
    let found = answered
        .answers
        .into_iter()
        .find_map(|answer| match answer.verdict {
            Verdict::Violated(run) => Some(run),
            Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
        });
    // A thread that reads nothing, such as one that stores the same value forever, waits for nothing.
    let reads = |run: &Run| {
        let all = waiters(program, &run.end);
        all.iter().all(|waiter| !waiter.sees.is_empty())
    };
    Ok(found.filter(reads))
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
        history: answered.history,
        any_number: None,
        invariant: answered.invariant,
        overflow: None,
        under_sc: None,
        unfinished: None,
        stats: answered.stats,
    }
}
