//! Fence insertion: cheapest sets of fence places, for robustness or for the program's assertions.
//!
//! ```text
//!   places ──▶ search ◀──▶ does this set suffice?   robust | property
//!                │              │ no: a computation ──cut──▶ the places that exclude it
//!                ▼
//!              sets ──▶ verified by another engine on the changed program ──▶ report
//! ```
//!
//! **Invariant.** No set leaves this module unless an engine has found it sufficient, and none is
//! reported as cheapest without a proof that every cheaper one fails.
//!
//! The algorithms of \[JK15\] look for [statement pairs](pairs) instead, and convert them to
//! places.
//!
//! **Absent.** Lightweight fences on some cells and `barrier all` are never proposed: where there are
//! such, the first are as expensive as store fences, and the second far more expensive.

mod answer;
mod apart;
mod attacker;
mod by_pairs;
mod choices;
mod conclude;
mod copies;
mod cut;
mod eliminate;
mod formula;
mod interval;
mod negated;
pub mod pairs;
mod place;
mod project;
mod property;
mod robust;
mod search;
mod validate;
mod whole;

pub use answer::for_other_aim;
use by_pairs::Searched;
use choices::Choices;
use conclude::SearchContext;
pub use interval::{Interval, Until, interval};
pub use place::{Costs, Cycles, Kinds, Place, places};
pub use validate::{Needed, Proof};
pub use whole::inseparable;

use crate::engines::{Stats, is_observation};
use crate::facts::{Stated, Values, slice};
use crate::model::Model;
use crate::program::{Aim, Change, Fence, Goal, Op, Program};
use crate::reference::Run;
use crate::robustness::{Attack, has_attacks};
use crate::solve::SolverKind;
use crate::techniques::Techniques;
use crate::verdict::{Bounds, Budget, Defect, Reason, unless_cancelled};
use crate::work::MOMENT;
use negated::NegatedLabels;
use pairs::{PairAlgorithm, PairReport};
use search::search;

/// The search algorithm for sets of fences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// Chosen to suit the aim.
    #[default]
    Auto,
    /// Repeatedly computes a cheapest set that contains a place of each cut.
    HittingSet,
    /// Computes all irreducible sets for each attack, then the cheapest union [BDM13, section 7].
    Ilp,
    /// Computes fewest statement pairs that must stay in order, then places for them \[JK15\].
    Pairs(PairAlgorithm),
}

impl Algorithm {
    /// All algorithms, as listed on the command line.
    pub const ALL: [Algorithm; 7] = [
        Algorithm::Auto,
        Algorithm::HittingSet,
        Algorithm::Ilp,
        Algorithm::Pairs(PairAlgorithm::Te),
        Algorithm::Pairs(PairAlgorithm::Fi),
        Algorithm::Pairs(PairAlgorithm::Robmc),
        Algorithm::Pairs(PairAlgorithm::RobmcEt),
    ];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Auto => "auto",
            Algorithm::HittingSet => "hitting-set",
            Algorithm::Ilp => "ilp",
            Algorithm::Pairs(algorithm) => algorithm.name(),
        }
    }
}

/// Options of a search for fences.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FenceOptions {
    /// The memory model.
    pub model: Model,
    /// What the fences must achieve.
    pub aim: Aim,
    /// The search algorithm.
    #[doc(hidden)]
    pub algorithm: Algorithm,
    /// The kinds of fences that may be inserted.
    #[doc(hidden)]
    pub kinds: Kinds,
    /// The cost of a fence.
    pub costs: Costs,
    /// Whether to list every cheapest set.
    pub all: bool,
    /// Whether to minimise the program's own fences, instead of inserting new ones.
    pub minimise: bool,
    /// What makes it easier: threads are searched apart (`cone`), and those that are alike together (`alike`).
    #[doc(hidden)]
    pub techniques: Techniques,
    /// The one formula for all sets of fences in a thread goes before the searches for each set when these
    /// have cost so much, in configurations. The costs of fences do not depend on it.
    #[doc(hidden)]
    pub formula_after: usize,
    /// The first bound on reordered pairs, for the algorithms that have one.
    #[doc(hidden)]
    pub k1: usize,
    /// The last bound on reordered pairs; `None` for no bound.
    #[doc(hidden)]
    pub k2: Option<usize>,
    /// The maximum unroll bound, used if no complete engine decides.
    pub unroll: Option<u32>,
    /// The solver.
    pub solver: SolverKind,
}

impl FenceOptions {
    /// The defaults under this model for this aim.
    pub fn new(model: Model, aim: Aim) -> Self {
        Self {
            model,
            aim,
            algorithm: Algorithm::default(),
            kinds: Kinds::default(),
            costs: Costs::default(),
            all: false,
            minimise: false,
            techniques: Techniques::default(),
            formula_after: MOMENT.states(),
            k1: 5,
            k2: None,
            unroll: None,
            solver: SolverKind::default(),
        }
    }
}

/// A computation that the fences do not exclude.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shortfall {
    /// This attack is still feasible.
    Attack {
        /// The attack.
        attack: Attack,
        /// Its witness.
        run: Run,
    },
    /// Happens-before is still cyclic.
    Cycle(Run),
    /// A goal is still reached.
    Goal {
        /// The goal.
        goal: Goal,
        /// A computation that reaches it.
        run: Run,
    },
}

/// Sufficient sets of places, all of one cost.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Sets {
    /// The sets, each ascending. There is at least one.
    pub sets: Vec<Vec<Place>>,
    /// The cost of each set.
    pub cost: u64,
    /// Whether no cheaper set suffices.
    pub optimal: bool,
    /// Whether `sets` has every set of this cost, over the locations where a fence is allowed.
    pub all: bool,
    /// The bounds within which they suffice, if not for all executions.
    pub bounds: Option<Bounds>,
    /// How the first set was verified independently.
    #[doc(hidden)]
    pub proof: Option<Proof>,
    /// For each place of the first set, what is possible without it.
    #[doc(hidden)]
    pub needed: Vec<Needed>,
}

/// Why no set of fences suffices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The computation is possible under SC, so no fences exclude it.
    Sequential,
    /// The computation is possible with fences at all places.
    Remains,
    /// Fences exclude the computation. But each set that does has a fence at a label that a
    /// property requires a thread not to be at, and after passing that fence the thread is no
    /// longer there.
    Labels,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// These sets suffice.
    Found(Sets),
    /// No set of the available places suffices.
    Impossible {
        /// What remains possible.
        shortfall: Shortfall,
        /// Why no set suffices.
        obstacle: Obstacle,
    },
    /// Unknown, for this reason.
    Undecided(Reason),
}

/// The report of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenceReport {
    /// The memory model.
    #[doc(hidden)]
    pub model: Model,
    /// What the fences must achieve.
    #[doc(hidden)]
    pub aim: Aim,
    /// The algorithm used; never [`Algorithm::Auto`].
    #[doc(hidden)]
    pub algorithm: Algorithm,
    /// Whether the program's own fences were minimised.
    #[doc(hidden)]
    pub minimise: bool,
    /// The result.
    #[doc(hidden)]
    pub outcome: Outcome,
    /// No sufficient set costs less than this.
    #[doc(hidden)]
    pub lower_bound: u64,
    /// The number of places considered.
    #[doc(hidden)]
    pub places: usize,
    /// The number of sets probed.
    #[doc(hidden)]
    pub probes: u64,
    /// The number of computations excluded.
    #[doc(hidden)]
    pub cuts: u64,
    /// The pairs that must stay in order, if an algorithm of \[JK15\] was used.
    #[doc(hidden)]
    pub pairs: Option<PairReport>,
    /// The instance that computations are of, if threads are in any number of copies.
    #[doc(hidden)]
    pub instance: Option<Program>,
    /// The cost of the search.
    #[doc(hidden)]
    pub stats: Stats,
}

impl FenceReport {
    /// A report that decides nothing, for this reason.
    pub fn undecided(options: &FenceOptions, reason: Reason) -> Self {
        Self::new(options, Outcome::Undecided(reason))
    }

    /// The report with this outcome, without figures.
    fn new(options: &FenceOptions, outcome: Outcome) -> Self {
        Self {
            model: options.model,
            aim: options.aim,
            algorithm: named(options.algorithm),
            minimise: options.minimise,
            outcome,
            lower_bound: 0,
            places: 0,
            probes: 0,
            cuts: 0,
            pairs: None,
            instance: None,
            stats: Stats::default(),
        }
    }

    /// The changes to the program for the first set found: fences inserted, or with `minimise` the
    /// unnecessary fences removed.
    pub fn changes(&self, program: &Program) -> Option<Vec<Change>> {
        let Outcome::Found(found) = &self.outcome else {
            return None;
        };
        let set = found.sets.first()?;
        if !self.minimise {
            return Some(set.iter().flat_map(|p| p.changes(program)).collect());
        }
        let stays = |thread, loc| {
            set.iter()
                .any(|place| place.points.contains(&(thread, loc)))
        };
        let (_, removed) = without_fences(program);
        let gone = removed.into_iter().filter(|change| match change {
            Change::Remove(site) => !stays(site.thread, program.instruction(*site).from),
            Change::Fence { .. } | Change::Exchange(_) => true,
        });
        Some(gone.collect())
    }
}

/// Looks for the cheapest fences that make a program robust, or make its assertions hold. The
/// algorithms over statement pairs support assertions only, and [`Algorithm::Ilp`] supports
/// robustness only; for the other aim, the hitting-set algorithm is used.
///
/// # Errors
///
/// If the reference rejects a computation, or a second engine refutes the result.
pub fn cheapest_fences(
    program: &Program,
    options: &FenceOptions,
    budget: &Budget,
) -> Result<FenceReport, Defect> {
    if program.is_parametric() {
        return copies::cheapest(program, options, budget);
    }
    if program.has_waiting_loads() {
        let why = "fences for loads that wait for stores which overlap them are not searched for: those for loads that \
                   combine both are enough";
        let reason = Reason::Unsupported(why.to_owned());
        return Ok(FenceReport::undecided(options, reason));
    }
    let bare = |program: &Program| {
        if options.minimise {
            without_fences(program).0
        } else {
            program.clone()
        }
    };
    // The search is about predicates; the result is verified on the program as given.
    let given = bare(program);
    let (bare, is_exact) = match options.aim {
        Aim::Robustness => (given.clone(), true),
        Aim::Assertions => {
            let stated = Stated::of(program);
            (bare(&stated.program), stated.open.is_empty())
        }
    };
    let mut goals = goals(&bare);
    let labels = match options.aim {
        Aim::Robustness => NegatedLabels::default(),
        Aim::Assertions => NegatedLabels::of(&bare, &goals),
    };
    if options.aim == Aim::Assertions {
        match unless_cancelled(property::breakable(&bare, &goals, options, budget))? {
            Some(left) => goals = left,
            None => return Ok(FenceReport::undecided(options, Reason::Stopped)),
        }
    }
    let seen = match options.aim {
        Aim::Robustness => bare.clone(),
        // What matters to a property that is no predicate is not known.
        Aim::Assertions if !is_exact => bare.clone(),
        Aim::Assertions => slice(&bare, &Values::of(&bare), &goals),
    };
    let choices = if options.minimise {
        Choices::all(place::existing(program, &options.costs))
    } else {
        let (kinds, costs) = (&options.kinds, &options.costs);
        let all = places(&bare, &seen, options.model, kinds, costs);
        if options.all {
            Choices::all(all)
        } else {
            Choices::best(&seen, options.model, &labels, all)
        }
    };
    let mut places = choices.places.clone();
    let context = SearchContext {
        program: &given,
        is_exact,
        options,
        budget,
    };
    if let (Aim::Assertions, Algorithm::Pairs(algorithm)) = (options.aim, options.algorithm) {
        // Statement pairs do not take into account where control is.
        places.retain(|place| !labels.displaced_by(place));
        let searched = Searched {
            program: &bare,
            seen: &seen,
            goals,
            places: &places,
        };
        return by_pairs::search(searched, algorithm, &context);
    }
    let attack_by_attack = options.algorithm == Algorithm::Ilp && has_attacks(&bare, options.model);
    let (outcome, progress, stats) = match options.aim {
        Aim::Robustness => {
            let parts = robust::parts(&bare);
            let mut oracle = robust::Robust::new(&parts, &places, options, budget);
            let ended = if attack_by_attack {
                eliminate::search(&mut oracle, &places, options, budget)?
            } else {
                apart::search_apart(&mut oracle, &choices, options, budget)?
            };
            let (outcome, progress) = context.outcome(ended, &places, &mut oracle)?;
            (outcome, progress, oracle.stats())
        }
        Aim::Assertions => {
            let mut oracle = property::Property::new(&bare, &seen, goals, &places, options, budget);
            if !is_exact {
                oracle = oracle.defined_by(&given);
            }
            let ended = search(&mut oracle, &choices, options.all, options.solver, budget)?;
            let (outcome, progress) = context.outcome(ended, &places, &mut oracle)?;
            (outcome, progress, oracle.stats())
        }
    };
    Ok(FenceReport {
        lower_bound: progress.lower_bound,
        places: places.len(),
        probes: progress.probes,
        cuts: progress.cuts,
        stats,
        ..FenceReport::new(options, outcome)
    })
}

/// The goals that fences must make unreachable. Observations are not among them.
pub fn goals(program: &Program) -> Vec<Goal> {
    let goals = program.goals().into_iter();
    goals
        .filter(|&goal| !is_observation(program, goal))
        .collect()
}

/// Whether the program has goals that fences could make unreachable.
pub fn has_goals(program: &Program) -> bool {
    !goals(program).is_empty()
}

/// The program without its full and store fences, and the changes that removed them.
fn without_fences(program: &Program) -> (Program, Vec<Change>) {
    let sites = program
        .sites()
        .filter(|(_, instruction)| matches!(instruction.op, Op::Fence(Fence::Full | Fence::Store)));
    let removed: Vec<Change> = sites.map(|(site, _)| Change::Remove(site)).collect();
    (program.changed(&removed), removed)
}

fn named(algorithm: Algorithm) -> Algorithm {
    match algorithm {
        Algorithm::Auto => Algorithm::HittingSet,
        Algorithm::HittingSet | Algorithm::Ilp | Algorithm::Pairs(_) => algorithm,
    }
}
