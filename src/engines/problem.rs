//! What is asked, and what is answered: problems about goals, and problems about attacks ([`Query`]).
//!
//! ```text
//! Problem ──▶ passes ──▶ engine ──▶ Found: steps ──▶ passes ──▶ replay ──▶ Answered: runs
//! ```
//!
//! On the way, evidence is a list of steps of whichever program was asked about. It becomes a [`Run`] in one
//! place ([`Found::replayed`], for attacks `robustness::witnessed`): where the reference replays it on the
//! program of the question.

mod history;
mod memory;
mod query;
mod vacuity;

pub use history::{Attempt, End, LazyHistory, QueryCost, Round};
pub(crate) use memory::Memory;
pub(crate) use query::{GoalShown, Query, QueryOptions};
pub use vacuity::Vacuity;

use crate::induction::Invariant;
use crate::model::Model;
use crate::program::{Goal, Program, PropertyKind};
use crate::reference::{Replay, ReplayError, Run, Step, arrival, replay, starves};
use crate::solve::SolverKind;
use crate::techniques::Techniques;
use crate::verdict::{Budget, Defect, Reason, Verdict};
use strum::VariantArray;

/// Which of these goals does this program reach under the model of the options, or which of these attacks
/// are feasible?
#[derive(Clone, Copy)]
pub(crate) struct Problem<'a, Q: Query = Goal> {
    pub(crate) program: &'a Program,
    pub(crate) queries: &'a [Q],
    pub(crate) options: &'a Q::Options,
    pub(crate) budget: &'a Budget,
    /// What engines have begun at the same problem, for later slices of work.
    pub(crate) memory: &'a Memory,
}

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
    /// All engines in turn, in slices of counted work that grow: those that need little first.
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
    /// What makes it easier.
    #[doc(hidden)]
    pub techniques: Techniques,
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

impl CheckOptions {
    /// The defaults under this model.
    pub fn new(model: Model) -> Self {
        Self {
            model,
            engine: Engine::default(),
            unroll: None,
            solver: SolverKind::default(),
            techniques: Techniques::default(),
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

/// Steps of a computation, of the program that was asked about.
pub(crate) type Steps = Vec<Step>;

/// What is found out about a goal or an attack. Nothing has replayed it.
#[derive(Clone)]
pub(crate) struct Answer<Q> {
    pub(crate) query: Q,
    pub(crate) verdict: Verdict<Steps>,
}

impl<Q> Answer<Q> {
    /// Whether the goal is reached, or the attack feasible.
    pub(crate) fn is_violated(&self) -> bool {
        matches!(self.verdict, Verdict::Violated(_))
    }

    /// Whether all executions were considered, or one shows it.
    pub(crate) fn is_decided(&self) -> bool {
        matches!(self.verdict, Verdict::Holds | Verdict::Violated(_))
    }
}

/// What an engine finds, with the answers in the order of the queries.
#[derive(Clone)]
pub(crate) struct Found<Q: Query = Goal> {
    pub(crate) answers: Vec<Answer<Q>>,
    pub(crate) engine: Option<Engine>,
    pub(crate) unroll: Option<u32>,
    /// What else the engine shows.
    pub(crate) shown: Q::Shown,
    pub(crate) stats: Stats,
}

impl<Q: Query> Found<Q> {
    pub(crate) fn open(queries: &[Q], reason: &Reason) -> Self {
        let answers = queries.iter().map(|&query| Answer {
            query,
            verdict: Verdict::Unknown(reason.clone()),
        });
        Self {
            answers: answers.collect(),
            engine: None,
            unroll: None,
            shown: Q::Shown::default(),
            stats: Stats::default(),
        }
    }

    pub(crate) fn is_decided(&self) -> bool {
        self.answers.iter().all(Answer::is_decided)
    }

    /// Whether an engine that unrolls loops this far, and may use this budget, could find out no more with more
    /// work.
    pub(crate) fn is_final(&self, deepest: u32, budget: &Budget) -> bool {
        let is_open = |answer: &Answer<Q>| match &answer.verdict {
            Verdict::Unknown(Reason::StateBudget(states)) => *states < budget.states,
            Verdict::Unknown(reason) => reason.is_limit(),
            Verdict::HoldsWithin(bounds) => bounds.loops.iter().any(|cut| cut.iterations < deepest),
            Verdict::Holds | Verdict::Violated(_) => false,
        };
        !self.answers.iter().any(is_open)
    }

    /// Adds what answers to further queries have cost, and who gave them.
    pub(crate) fn add(&mut self, more: &Found<Q>) {
        self.engine = more.engine.or(self.engine);
        self.unroll = self.unroll.max(more.unroll);
        Q::add(&mut self.shown, &more.shown);
        self.stats = self.stats.plus(more.stats);
    }
}

impl Found {
    /// The answers with the executions of this program that the steps stand for. Those that show that threads
    /// wait forever go on to where they do, unless the predicate of the property is false there.
    ///
    /// # Errors
    ///
    /// If the reference rejects some steps, or they do not reach their goal.
    pub(crate) fn replayed(self, program: &Program, model: Model) -> Result<Answered, Defect> {
        let runs = self.answers.into_iter().map(
            |Answer {
                 query: goal,
                 verdict,
             }| {
                let verdict = verdict.try_map(|steps| {
                    arrived(
                        program,
                        model,
                        goal,
                        replayed(program, model, goal, &steps)?,
                    )
                })?;
                Ok(GoalAnswer { goal, verdict })
            },
        );
        Ok(Answered {
            answers: runs.collect::<Result<_, Defect>>()?,
            engine: self.engine,
            unroll: self.unroll,
            vacuity: self
                .shown
                .executed
                .map(|executed| Vacuity::new(program, &executed)),
            history: self.shown.history,
            invariant: self.shown.invariant,
            stats: self.stats,
        })
    }
}

/// The answers to a problem, in the order of its goals.
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
}

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

/// The run of a goal. If it shows that threads wait forever, they go on to where they do, unless the
/// predicate of the property is false there.
fn arrived(program: &Program, model: Model, goal: Goal, run: Run) -> Result<Run, Defect> {
    let rejected =
        |error: ReplayError| Defect::witness(format!("step {}: {}", error.at, error.message));
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
    for step in run.steps() {
        replay.step(step).map_err(rejected)?;
        steps.push(step);
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
