//! The four algorithms of \[JK15\]: a smallest set of statement pairs that must stay in order for
//! the program's goals to hold.
//!
//! ```text
//! Te        keeps one pair of each counterexample in order, chosen by the solver;
//!           at the end, a minimum hitting set of all counterexamples                   Alg. 1
//! Fi        keeps a minimum hitting set of the counterexamples found so far            Alg. 2
//! ROBMC     Fi, with at most k pairs free to be reordered; k doubles up to K2          Alg. 3
//! ROBMC-ET  the same, until a "safe" did not need the bound on reorderings             Alg. 4
//! ```
//!
//! The set of a counterexample consists of the pairs that it reorders. If none of them is kept in
//! order, the counterexample remains possible. So no set smaller than the minimum hitting set
//! suffices, and all four algorithms return a set of the least size.
//!
//! **Differs from \[JK15\]**: pairs of statements that cannot influence any goal are ignored, and
//! goals that are unreachable under any reordering are dropped at the start; `k` ends exactly at
//! `K2`; and if a counterexample reorders nothing, an SC computation is shown.

mod checker;
mod placing;
mod reorderable;
mod search;

pub use placing::{Placing, places_of};
pub use reorderable::{Pair, reordered, statement_pairs};

use crate::engines::{BUFFERED, CheckOptions, Engine, GoalAnswer, Stats};
use crate::facts::{Values, slice};
use crate::model::Model;
use crate::program::{Goal, Program};
use crate::reference::Run;
use crate::solve::SolverKind;
use crate::verdict::{Bounds, Budget, Defect, Reason, Verdict, unless_cancelled};
use checker::Checker;
use search::PairSearch;
use std::fmt;
use strum::VariantArray;

/// One of the four algorithms.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum PairAlgorithm {
    /// Trace enumeration [JK15, Alg. 1].
    Te,
    /// Accelerated fence insertion [JK15, Alg. 2].
    Fi,
    /// Reorder-bounded model checking [JK15, Alg. 3].
    Robmc,
    /// The same with early termination [JK15, Alg. 4].
    RobmcEt,
}

impl PairAlgorithm {
    /// All four, in the order of the paper.
    pub const ALL: &[PairAlgorithm] = PairAlgorithm::VARIANTS;

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for PairAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Options of a search for pairs.
#[derive(Clone, Debug)]
pub struct PairOptions {
    /// The algorithm.
    pub algorithm: PairAlgorithm,
    /// The memory model.
    pub model: Model,
    /// The first bound on reordered pairs, for the algorithms that have one.
    pub k1: usize,
    /// The last bound on reordered pairs; `None` for the number of all pairs, which is no bound.
    pub k2: Option<usize>,
    /// The maximum unroll bound; `None` for the default.
    pub unroll: Option<u32>,
    /// The solver.
    pub solver: SolverKind,
}

impl PairOptions {
    /// The defaults for this algorithm under this model.
    pub fn new(algorithm: PairAlgorithm, model: Model) -> Self {
        Self {
            algorithm,
            model,
            k1: 5,
            k2: None,
            unroll: None,
            solver: SolverKind::default(),
        }
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PairAnswer {
    /// No goal is reachable with these pairs kept in order, and no smaller set suffices.
    Found {
        /// The pairs, ascending.
        pairs: Vec<Pair>,
        /// The loop bounds within which this holds; `None` if it holds for all iterations.
        bounds: Option<Bounds>,
        /// If present, this holds only for computations that reorder at most this many pairs.
        most: Option<usize>,
    },
    /// No set of pairs suffices: this goal is reachable under SC.
    Unrepairable(Goal, Box<Run>),
    /// Unknown, for this reason.
    Undecided(Reason),
}

/// The result of one of the four algorithms, and its cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairReport {
    /// The algorithm.
    pub algorithm: PairAlgorithm,
    /// The memory model.
    pub model: Model,
    /// The result.
    pub answer: PairAnswer,
    /// The number of pairs that may be reordered and matter to a goal.
    pub candidates: usize,
    /// The number of queries to the model checker.
    pub queries: u64,
    /// The number of counterexamples found.
    pub counterexamples: u64,
    /// The last bound on reordered pairs, for the algorithms that have one.
    pub most: Option<usize>,
    /// The solver's cost.
    pub stats: Stats,
}

/// A smallest set of pairs to keep in order so that no goal of the program is reachable. `exists`
/// properties are ignored.
///
/// # Errors
///
/// If a computation found does not replay.
pub fn culprit_pairs(
    program: &Program,
    options: &PairOptions,
    budget: &Budget,
) -> Result<PairReport, Defect> {
    let mut report = PairReport {
        algorithm: options.algorithm,
        model: options.model,
        answer: PairAnswer::Undecided(Reason::Stopped),
        candidates: 0,
        queries: 0,
        counterexamples: 0,
        most: None,
        stats: Stats::default(),
    };
    if program.is_parametric() {
        let why = "statement pairs of threads with any number of copies (`[*]`) are not searched \
                   for: declare a number of copies, as in `[3]`";
        report.answer = PairAnswer::Undecided(Reason::Unsupported(why.to_owned()));
        return Ok(report);
    }
    let goals = super::goals(program);
    let mut weakest = Checker::open(program, goals, Vec::new(), options, budget);
    let reachable = unless_cancelled(weakest.reachable())?;
    report.account(&weakest);
    let Some((goals, unreached)) = reachable else {
        return Ok(report);
    };
    let sliced = slice(program, &Values::of(program), &goals);
    let pairs = statement_pairs(&sliced, options.model);
    report.candidates = pairs.len();
    let mut checker = Checker::open(program, goals, pairs.clone(), options, budget);
    let mut search = PairSearch::new(pairs, options, budget);
    let answer = search.run(&mut checker);
    report.account(&checker);
    report.counterexamples = search.counterexamples;
    report.most = search.most;
    report.answer = match unless_cancelled(answer)? {
        Some(search::PairOutcome::Found { pairs, safe }) => PairAnswer::Found {
            pairs,
            bounds: merge_bounds(weakest.bounds(&unreached), checker.bounds(&safe)),
            most: search.most.filter(|_| safe.by_most),
        },
        Some(search::PairOutcome::Unordered(goal)) => {
            under_sc(program, goal, checker.deepest(), options, budget)?
        }
        None => PairAnswer::Undecided(Reason::Stopped),
    };
    Ok(report)
}

/// Combines the bounds of two answers that each hold within their own bounds.
fn merge_bounds(a: Option<Bounds>, b: Option<Bounds>) -> Option<Bounds> {
    let (Some(mut all), Some(more)) = (a.clone(), b.clone()) else {
        return a.or(b);
    };
    for bound in more.loops {
        if !all.loops.contains(&bound) {
            all.loops.push(bound);
        }
    }
    Some(all)
}

/// The SC computation that reaches a goal that is reachable without reordering.
fn under_sc(
    program: &Program,
    goal: Goal,
    deepest: u32,
    options: &PairOptions,
    budget: &Budget,
) -> Result<PairAnswer, Defect> {
    let options = CheckOptions {
        engine: Engine::Bmc,
        unroll: Some(deepest),
        solver: options.solver,
        ..CheckOptions::new(Model::Sc)
    };
    let answers = BUFFERED.decide(program, &[goal], &options, budget)?.answers;
    match answers
        .into_iter()
        .map(|GoalAnswer { verdict, .. }| verdict)
        .next()
    {
        Some(Verdict::Violated(run)) => Ok(PairAnswer::Unrepairable(goal, Box::new(run))),
        Some(Verdict::Unknown(reason)) => Ok(PairAnswer::Undecided(reason)),
        Some(Verdict::Holds | Verdict::HoldsWithin(_)) | None => Err(Defect::new(
            "a counterexample reorders nothing, but its goal is not reachable under SC",
        )),
    }
}

impl PairReport {
    fn account(&mut self, checker: &Checker<'_>) {
        let effort = checker.effort();
        self.queries += effort.asked;
        self.stats = self.stats.plus(effort.into());
    }
}
