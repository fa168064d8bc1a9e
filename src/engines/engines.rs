//! The engines that model every store buffer: which goals of a program are reachable?
//!
//! The choice of engine affects the cost and never the meaning: every engine decides the same
//! relation. Every violation is replayed by the step-by-step reference before it leaves this
//! module.
//!
//! ```text
//! Program, Model, goals ──▶ engine ──steps──▶ replay ──▶ one answer per goal
//! ```
//!
//! To add an engine: write its module, name it in [`Engine`], add a [`Row`] to a table of
//! [`Engines`], and add a row to the [`ladder`] that `auto` climbs.
//!
//! **Absent.** The lazy engine, which runs these engines under SC. It is a separate layer above
//! this one, and its row is in the table of `check`.

mod any_number;
mod automatic;
mod bounded;
mod explicit;
mod history;
mod inductive;
pub(crate) mod ladder;
mod limits;
mod table;
mod vacuity;

pub use any_number::{AnyNumber, ReachedGoal};
pub(crate) use any_number::{
    CopiesSearch, Excluded, MOST_COPIES, embedded, undecided as any_number_undecided,
    union as union_of_sizes, vacuity as any_number_vacuity,
};
pub(crate) use bounded::BMC;
pub(crate) use explicit::{EXPLICIT, Paused};
pub use history::{Attempt, End, LazyHistory, QueryCost, Round};
pub(crate) use inductive::IC3;
pub(crate) use ladder::{Climb, DEEPEST, Effort, Rung, SHALLOW, climb};
pub(crate) use limits::{Limits, limits};
pub(crate) use table::{BUFFERED, Engines, Query, Row};
pub use vacuity::Vacuity;

use crate::induction::Invariant;
use crate::model::Model;
use crate::program::{Goal, Program, PropertyKind};
use crate::reach;
use crate::reference::{ReplayError, Run, Step, replay, starves};
use crate::search::Reduction;
use crate::solve::SolverKind;
use crate::verdict::{Budget, Defect, Reason, Verdict};
use strum::VariantArray;

/// A procedure that decides goals.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Debug,
    Default,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Engine {
    /// All engines in turn, in slices of counted work that grow. The bounded engine is first, because it
    /// finds most violations.
    #[default]
    Auto,
    /// Unrolls the loops into one formula for a SAT solver.
    Bmc,
    /// Visits all configurations one by one.
    Explicit,
    /// Looks for an inductive invariant under SC, without unrolling \[Bradley11\].
    Ic3,
    /// SC reachability, extended lazily where weak memory matters \[BCDM15\].
    Lazy,
}

impl Engine {
    /// All engines, as listed on the command line.
    pub const ALL: &[Engine] = Engine::VARIANTS;

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// How the lazy engine encodes store buffering into a program.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Debug,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Extension {
    /// Adds everything that the delayed store may do, and removes the store itself. The set of
    /// configurations reachable under TSO does not change [BCDM15, Lemma 1].
    Exact,
    /// Adds only the delay, and keeps the store [BCDM15, section 5]. Nothing is lost, but the same
    /// delays are found again.
    Amended,
}

impl Extension {
    /// All extensions, as listed on the command line.
    pub const ALL: &[Extension] = Extension::VARIANTS;

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Which goals must be decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Until {
    /// A single violation is enough: it decides the verdict.
    #[default]
    Violated,
    /// Every goal must be decided.
    AllAnswered,
}

/// How a program is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CheckOptions {
    /// The memory model.
    pub model: Model,
    /// The engine.
    pub engine: Engine,
    /// The maximum unroll bound of the bounded engine; `None` for the engine's default.
    pub unroll: Option<u32>,
    /// The solver of the bounded engine.
    pub solver: SolverKind,
    /// The reductions of the explicit engine.
    #[doc(hidden)]
    pub reduction: Reduction,
    /// What is simplified before a search.
    #[doc(hidden)]
    pub simplified: Simplified,
    /// When `Auto` stops.
    pub until: Until,
    /// How the lazy engine extends programs.
    #[doc(hidden)]
    pub extension: Extension,
    /// Whether to look briefly for executions that never finish, if no violation is found and no
    /// property is about them.
    pub note_waiting: bool,
    /// Whether to look for what no execution reaches, if the answer does not show it anyway.
    pub note_unreachable: bool,
}

/// What is simplified before a search. No answer depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Simplified {
    /// When the explicit engine omits what cannot influence the goals.
    pub slices: Slices,
    /// Whether `Auto` decides under SC if no delayed store matters, as static arguments show.
    pub delays: bool,
    /// Whether goals are decided on the part of the program that they depend on, where that is smaller.
    pub parts: bool,
}

/// When the explicit engine searches a slice of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Slices {
    /// The whole program is searched.
    Never,
    /// Unless the whole program has very few configurations.
    #[default]
    Large,
    /// Whatever it costs to make it.
    Always,
}

impl Default for Simplified {
    fn default() -> Self {
        Self {
            slices: Slices::default(),
            delays: true,
            parts: true,
        }
    }
}

impl CheckOptions {
    /// The defaults under this model.
    pub fn new(model: Model) -> Self {
        Self {
            model,
            engine: Engine::default(),
            unroll: None,
            solver: SolverKind::default(),
            reduction: Reduction::default(),
            simplified: Simplified::default(),
            until: Until::default(),
            extension: Extension::Exact,
            note_waiting: false,
            note_unreachable: true,
        }
    }
}

/// The verdict on one goal.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GoalAnswer {
    /// The goal.
    pub goal: Goal,
    /// Whether it is reachable, and by which run.
    pub verdict: Verdict<Run>,
}

impl GoalAnswer {
    /// Whether the goal is reached.
    pub(crate) fn is_violated(&self) -> bool {
        matches!(self.verdict, Verdict::Violated(_))
    }

    /// Whether all executions were considered, or one shows the goal.
    pub(crate) fn is_decided(&self) -> bool {
        matches!(self.verdict, Verdict::Holds | Verdict::Violated(_))
    }
}

/// The cost of an answer. A figure is `None` if the engine does not have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Stats {
    /// The number of solver calls.
    pub queries: Option<u64>,
    /// The solver's conflicts.
    pub conflicts: Option<u64>,
    /// The variables of the largest formula.
    pub variables: Option<u64>,
    /// The clauses of the largest formula.
    pub clauses: Option<u64>,
    /// The configurations visited by an explicit search.
    pub states: Option<u64>,
}

impl Stats {
    /// The cost of two answers together. Formula sizes are the larger of the two.
    #[must_use]
    pub fn plus(self, other: Stats) -> Stats {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        Stats {
            queries: sum(self.queries, other.queries),
            conflicts: sum(self.conflicts, other.conflicts),
            variables: self.variables.max(other.variables),
            clauses: self.clauses.max(other.clauses),
            states: sum(self.states, other.states),
        }
    }
}

impl From<reach::Effort> for Stats {
    fn from(effort: reach::Effort) -> Self {
        Stats {
            queries: Some(effort.queries),
            variables: Some(effort.variables as u64),
            clauses: Some(effort.clauses as u64),
            ..Stats::default()
        }
    }
}

/// An engine's result, with the answers in the order of the goals.
#[derive(Clone)]
pub(crate) struct Answered {
    pub(crate) answers: Vec<GoalAnswer>,
    pub(crate) engine: Option<Engine>,
    pub(crate) unroll: Option<u32>,
    /// What is dead, if the search found it as a by-product.
    pub(crate) vacuity: Option<Vacuity>,
    /// How the lazy engine decided, if it was the engine used.
    pub(crate) history: Option<LazyHistory>,
    /// What proves the goals that hold, if the inductive engine was the engine used.
    pub(crate) invariant: Option<Invariant>,
    pub(crate) stats: Stats,
}

impl Answered {
    pub(crate) fn open(goals: &[Goal], reason: &Reason) -> Self {
        let answers = goals.iter().map(|&goal| GoalAnswer {
            goal,
            verdict: Verdict::Unknown(reason.clone()),
        });
        Self {
            answers: answers.collect(),
            engine: None,
            unroll: None,
            vacuity: None,
            history: None,
            invariant: None,
            stats: Stats::default(),
        }
    }

    pub(crate) fn is_decided(&self) -> bool {
        self.answers.iter().all(GoalAnswer::is_decided)
    }
}

/// Why programs with threads in any number of copies are not checked.
pub(crate) const PARAMETRIC: &str = "threads with any number of copies (`[*]`) are not decided by one engine: declare a number of copies, \
     as in `[3]`";

/// Whether reaching the goal is an observation rather than a violation.
pub(crate) fn is_observation(program: &Program, goal: Goal) -> bool {
    match goal {
        Goal::Property(index) => program.properties()[index].kind == PropertyKind::Exists,
        Goal::Assert(_) | Goal::Outside(_) => false,
    }
}

/// Whether a thread starves at the end of a run, if that is the goal: what the others may still do
/// is explored from there.
fn is_starved(program: &Program, model: Model, goal: Goal, run: &Run) -> bool {
    let Goal::Property(number) = goal else {
        return false;
    };
    let PropertyKind::Starved(thread) = program.properties()[number].kind else {
        return false;
    };
    let budget = Budget::default();
    starves(program, model, number, thread, &run.end, &budget)
}

/// Whether a run reaches the goal.
pub(crate) fn reaches(program: &Program, model: Model, goal: Goal, run: &Run) -> bool {
    run.reached.contains(&goal) || is_starved(program, model, goal, run)
}

/// Replays evidence for a goal by the reference.
pub(crate) fn replayed(
    program: &Program,
    model: Model,
    goal: Goal,
    steps: &[Step],
) -> Result<Run, Defect> {
    let run = replay(program, model, steps).map_err(|ReplayError { at, message }| {
        Defect::new(format_args!(
            "a witness does not replay: step {at}: {message}"
        ))
    })?;
    if reaches(program, model, goal, &run) {
        Ok(run)
    } else {
        Err(Defect::new(
            "a witness does not replay: its last configuration does not reach the goal",
        ))
    }
}
