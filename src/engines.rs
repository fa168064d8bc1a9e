//! The engines that model every buffer: which of a program's goals are reached?
//!
//! Which one is asked is a choice of cost, never of meaning: every engine decides the same
//! relation, and every violation that one of them finds has been replayed by the step-by-step
//! reference before it leaves this room.
//!
//! ```text
//! Program, Model, goals ──▶ engine ──steps──▶ replay ──▶ an answer a goal
//! ```
//!
//! To add an engine: write its module, name it in [`Engine`], and give it a [`Row`] in a table of
//! [`Engines`], and one in the [`ladder`] that is climbed for `auto`.
//!
//! **Absent.** The lazy engine, which asks these under SC: it is a room of its own above, and its row
//! is in the table of `check`.

mod automatic;
mod bounded;
mod explicit;
pub(crate) mod ladder;
mod limits;
mod story;
mod table;
mod vacuity;

pub(crate) use bounded::BMC;
pub(crate) use explicit::EXPLICIT;
pub(crate) use ladder::{Climb, DEEPEST, Effort, Rung, SHALLOW, climb};
pub(crate) use limits::{Limits, limits};
pub use story::{Asked, Attempt, End, Round, Story};
pub(crate) use table::{BUFFERED, Engines, Query, Row};
pub use vacuity::Vacuity;

use crate::explicit::{Reduction, ReplayError, Run, Step, replay};
use crate::model::Model;
use crate::program::{Goal, Program, PropertyKind};
use crate::reach;
use crate::solve::SolverKind;
use crate::verdict::{Defect, Reason, Verdict};
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
    /// The bounded engine first, where violations are found, then the complete ones.
    #[default]
    Auto,
    /// Unrolled loops, one formula, a SAT solver.
    Bmc,
    /// All configurations, one by one.
    Explicit,
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

/// How the lazy engine puts store buffering into a program.
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
    /// All that the delayed store may do besides, and the store itself taken out: neither adds nor
    /// removes configurations that are reachable under TSO [BCDM15, Lemma 1].
    Exact,
    /// The delay alone, beside the store [BCDM15, section 5]: nothing is lost, but the same
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

/// Which questions are worth the cost of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Until {
    /// Once something is violated, the verdict is decided.
    #[default]
    Violated,
    /// Every goal counts.
    AllAnswered,
}

/// How a program is checked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheckOptions {
    /// The memory model.
    pub model: Model,
    /// Which engine answers.
    pub engine: Engine,
    /// How often the bounded engine follows each loop at most; it chooses if this is absent.
    pub unroll: Option<u32>,
    /// The solver of the bounded engine.
    pub solver: SolverKind,
    /// What the explicit engine leaves out.
    #[doc(hidden)]
    pub reduction: Reduction,
    /// When `Auto` stops.
    pub until: Until,
    /// How the lazy engine extends programs.
    #[doc(hidden)]
    pub extension: Extension,
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
            until: Until::default(),
            extension: Extension::Exact,
        }
    }
}

/// What was found out about one goal.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GoalAnswer {
    /// The question.
    pub goal: Goal,
    /// Whether it is reached, and by which run.
    pub verdict: Verdict<Run>,
}

impl GoalAnswer {
    /// Whether the goal is reached.
    pub(crate) fn is_violated(&self) -> bool {
        matches!(self.verdict, Verdict::Violated(_))
    }
}

/// What the answer cost. Absent figures are those that the engine has no notion of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Stats {
    /// How many times a solver was asked.
    pub queries: Option<u64>,
    /// The conflicts that it met.
    pub conflicts: Option<u64>,
    /// The variables of the largest formula.
    pub variables: Option<u64>,
    /// The clauses of the largest formula.
    pub clauses: Option<u64>,
    /// The configurations visited one by one.
    pub states: Option<u64>,
}

impl Stats {
    /// What two answers cost together; of formulas the larger one's size.
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

/// What an engine hands back: answers in the order of the goals given.
pub(crate) struct Answered {
    pub(crate) answers: Vec<GoalAnswer>,
    pub(crate) engine: Option<Engine>,
    pub(crate) unroll: Option<u32>,
    /// Where the search told as a by-product.
    pub(crate) vacuity: Option<Vacuity>,
    /// How the lazy engine came to them, if it was the one.
    pub(crate) story: Option<Story>,
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
            story: None,
            stats: Stats::default(),
        }
    }

    pub(crate) fn is_decided(&self) -> bool {
        self.answers
            .iter()
            .all(|answer| matches!(answer.verdict, Verdict::Holds | Verdict::Violated(_)))
    }
}

/// Why programs with threads of any number of copies are not checked.
pub(crate) const PARAMETRIC: &str = "threads of any number of copies (`[*]`) are not checked yet: declare a number of copies, as in \
     `[3]`";

/// Whether reaching the goal is an observation rather than a violation.
pub(crate) fn is_observation(program: &Program, goal: Goal) -> bool {
    match goal {
        Goal::Property(index) => program.properties()[index].kind == PropertyKind::Exists,
        Goal::Assert(_) | Goal::Outside(_) => false,
    }
}

/// Evidence for a goal as the reference sees it.
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
    if run.reached.contains(&goal) {
        Ok(run)
    } else {
        Err(Defect::new(
            "a witness does not replay: its last configuration is not the one asked for",
        ))
    }
}
