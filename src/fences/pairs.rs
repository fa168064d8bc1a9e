//! The four algorithms of \[JK15\]: a smallest set of statement pairs to keep in order, so that the
//! program's own goals hold.
//!
//! ```text
//! Te        one of each counterexample's pairs stays in order, the solver says which;
//!           at the end a minimum hitting set of them all                               Alg. 1
//! Fi        a minimum hitting set of the counterexamples so far stays in order         Alg. 2
//! ROBMC     Fi, with at most k pairs free to be reordered; k doubles up to K2          Alg. 3
//! ROBMC-ET  the same, until a "safe" did not need the bound on reorderings             Alg. 4
//! ```
//!
//! A counterexample's set is the pairs that it reorders. Whatever keeps none of them in order
//! still has that counterexample, so that no smaller set than the minimum hitting set can do: all
//! four answers have the least size.
//!
//! **Differs from \[JK15\]** in that pairs of statements that no goal can notice are left out, and
//! goals that nothing reaches however much is reordered are dropped at first; that `k` ends at `K2`
//! exactly; and that where a counterexample reorders nothing, an SC computation is shown.

mod checker;
mod placing;
mod reorderable;
mod search;

pub use placing::{Placing, places_of};
pub use reorderable::{Pair, reordered, statement_pairs};

use crate::analysis::{Values, slice};
use crate::engines::{BUFFERED, CheckOptions, Engine, GoalAnswer, Stats};
use crate::explicit::Run;
use crate::model::Model;
use crate::program::{Goal, Program};
use crate::solve::SolverKind;
use crate::verdict::{Bounds, Budget, Defect, Reason, Verdict, unless_cancelled};
use checker::Checker;
use search::Search;
use std::fmt;
use strum::VariantArray;

/// One of the four.
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

/// How pairs are looked for.
#[derive(Clone, Debug)]
pub struct PairOptions {
    /// Which algorithm.
    pub algorithm: PairAlgorithm,
    /// The memory model.
    pub model: Model,
    /// The first bound on reordered pairs, of the algorithms that have one.
    pub k1: usize,
    /// The last one; that on all pairs, which is none, if absent.
    pub k2: Option<usize>,
    /// How often each loop is followed at most; it is chosen if this is absent.
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

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PairAnswer {
    /// With these pairs kept in order no goal is reached, and no smaller set does that.
    Found {
        /// The pairs, ascending.
        pairs: Vec<Pair>,
        /// The loops' bounds within which that holds; absent if it holds without.
        bounds: Option<Bounds>,
        /// If present, it holds for computations that reorder at most so many pairs.
        most: Option<usize>,
    },
    /// No set of pairs does: this goal is reached under SC.
    Unrepairable(Goal, Box<Run>),
    /// Neither is known.
    Undecided(Reason),
}

/// The answer of one of the four, and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairReport {
    /// The algorithm.
    pub algorithm: PairAlgorithm,
    /// The memory model.
    pub model: Model,
    /// The answer.
    pub answer: PairAnswer,
    /// How many pairs may be reordered and matter to a goal.
    pub candidates: usize,
    /// How often the model checker was asked.
    pub queries: u64,
    /// How many counterexamples it found.
    pub counterexamples: u64,
    /// The last bound on reordered pairs, of the algorithms that have one.
    pub most: Option<usize>,
    /// What the solver had to do.
    pub stats: Stats,
}

/// A smallest set of pairs to keep in order so that no goal of the program is reached, `exists`
/// properties aside.
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
        let why = "no fences are found yet for threads of any number of copies (`[*]`)";
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
    let mut search = Search::new(pairs, options, budget);
    let answer = search.run(&mut checker);
    report.account(&checker);
    report.counterexamples = search.counterexamples;
    report.most = search.most;
    report.answer = match unless_cancelled(answer)? {
        Some(search::Outcome::Found { pairs, safe }) => PairAnswer::Found {
            pairs,
            bounds: together(weakest.bounds(&unreached), checker.bounds(&safe)),
            most: search.most.filter(|_| safe.by_most),
        },
        Some(search::Outcome::Unordered(goal)) => {
            under_sc(program, goal, checker.deepest(), options, budget)?
        }
        None => PairAnswer::Undecided(Reason::Stopped),
    };
    Ok(report)
}

/// The bounds of two answers that both hold within theirs.
fn together(a: Option<Bounds>, b: Option<Bounds>) -> Option<Bounds> {
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

/// The SC computation that reaches a goal which a computation without reordered pairs reaches.
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
            "nothing is reordered, and yet it is not reached under SC",
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
