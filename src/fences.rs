//! Where fences go: cheapest sets of places, for robustness or for what the program asserts.
//!
//! ```text
//!   places ──▶ search ◀──▶ does this set suffice?   robust | property
//!                │              │ no: a computation ──cut──▶ the places that exclude it
//!                ▼
//!              sets ──▶ validated by another engine on the changed program ──▶ report
//! ```
//!
//! **Invariant.** No set leaves this room that has not been found sufficient by an engine, and none
//! is called cheapest without a proof that every cheaper one fails.
//!
//! The algorithms of \[JK15\] look for [statement pairs](pairs) instead, and turn them into places.
//!
//! **Absent.** Lightweight fences on some cells and `barrier all` are never proposed: the first
//! are as dear as store fences on the machines that have them, the second far dearer.

mod answer;
mod by_pairs;
mod choices;
mod cut;
mod eliminate;
mod ground;
mod negated;
pub mod pairs;
mod place;
mod property;
mod robust;
mod search;
mod validate;

use choices::Choices;
pub use place::{Costs, Kinds, Place, places};
pub use validate::{Needed, Proof};

use crate::analysis::{Values, slice};
use crate::engines::{Stats, is_observation};
use crate::explicit::Run;
use crate::model::Model;
use crate::program::{Aim, Change, Fence, Goal, Op, Program};
use crate::robustness::Attack;
use crate::solve::SolverKind;
use crate::verdict::{Bounds, Budget, Defect, Reason, unless_cancelled};
use ground::ground;
use negated::Negated;
use pairs::{PairAlgorithm, PairReport};
use search::{Ended, Oracle, Progress, Set, search};

/// How sets of fences are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// Whatever suits.
    #[default]
    Auto,
    /// Cheapest sets that contain a place of each cut, again and again.
    HittingSet,
    /// All irreducible sets for each attack, then the cheapest union [BDM13, section 7].
    Ilp,
    /// Fewest statement pairs that have to stay in order, then places for them \[JK15\].
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

/// What is looked for, and how.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FenceOptions {
    /// The memory model.
    pub model: Model,
    /// What the fences are for.
    pub aim: Aim,
    /// How they are looked for.
    #[doc(hidden)]
    pub algorithm: Algorithm,
    /// Which kinds may be put.
    #[doc(hidden)]
    pub kinds: Kinds,
    /// What they cost.
    pub costs: Costs,
    /// Whether every cheapest set is listed.
    pub all: bool,
    /// Whether the question is instead which of the program's own fences have to stay.
    pub minimise: bool,
    /// The first bound on reordered pairs, of the algorithms that have one.
    #[doc(hidden)]
    pub k1: usize,
    /// The last one; all pairs if absent.
    #[doc(hidden)]
    pub k2: Option<usize>,
    /// How often loops are followed at most where no complete engine answers.
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
            k1: 5,
            k2: None,
            unroll: None,
            solver: SolverKind::default(),
        }
    }
}

/// A computation that fences do not exclude.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shortfall {
    /// This attack is still feasible, and this is its witness.
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

/// Sufficient sets of places.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Sets {
    /// The sets, each ascending; never empty. All of one cost.
    pub sets: Vec<Vec<Place>>,
    /// What each costs.
    pub cost: u64,
    /// Whether nothing costs less.
    pub optimal: bool,
    /// Whether these are all that cost so much, over the positions that may have a fence.
    pub all: bool,
    /// Inside which bounds they suffice, if not for all executions.
    pub bounds: Option<Bounds>,
    /// Who else says that the first set suffices.
    #[doc(hidden)]
    pub proof: Option<Proof>,
    /// For each place of the first set what happens without it.
    #[doc(hidden)]
    pub needed: Vec<Needed>,
}

/// Why no set of fences suffices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The computation is one under SC, so that no fences anywhere exclude it.
    Sequential,
    /// Fences at all places leave the computation.
    Remains,
    /// Fences exclude the computation. But each set that does has one at a label that a property
    /// asks a thread not to be at, and past that fence the thread is not at it.
    Labels,
}

/// What was found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// These sets suffice.
    Found(Sets),
    /// No set of the places that there are suffices.
    Impossible {
        /// What stays possible.
        shortfall: Shortfall,
        /// Why.
        obstacle: Obstacle,
    },
    /// Not known.
    Undecided(Reason),
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenceReport {
    /// The memory model.
    pub(crate) model: Model,
    /// What the fences are for.
    pub(crate) aim: Aim,
    /// Who answered; never [`Algorithm::Auto`].
    pub(crate) algorithm: Algorithm,
    /// Whether the places are those of the program's own fences.
    pub(crate) minimise: bool,
    /// What came out.
    pub(crate) outcome: Outcome,
    /// No sufficient set costs less.
    pub(crate) lower_bound: u64,
    /// How many places were considered.
    pub(crate) places: usize,
    /// How many sets were probed.
    pub(crate) probes: u64,
    /// How many computations were excluded.
    pub(crate) cuts: u64,
    /// The pairs that have to stay in order, where an algorithm of \[JK15\] was asked.
    pub(crate) pairs: Option<PairReport>,
    /// What it cost.
    pub(crate) stats: Stats,
}

impl FenceReport {
    /// The report in which nothing is decided, for this reason.
    pub(crate) fn undecided(options: &FenceOptions, reason: Reason) -> Self {
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
            stats: Stats::default(),
        }
    }

    /// What the first of the sets found changes in the program: fences put, or with `minimise`
    /// those removed that it does without.
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

/// Looks for the cheapest fences that make a program robust, or its assertions hold. The
/// algorithms over statement pairs are for assertions only, that of attack by attack for
/// robustness; asked otherwise, the loop over cuts answers.
///
/// # Errors
///
/// If a computation is refused by the reference, or a second engine disagrees about the result.
pub fn cheapest_fences(
    program: &Program,
    options: &FenceOptions,
    budget: &Budget,
) -> Result<FenceReport, Defect> {
    if program.is_parametric() {
        let why = "threads of any number of copies (`[*]`) are not decided yet: declare a number \
                   of copies, as in `[3]`";
        let reason = Reason::Unsupported(why.to_owned());
        return Ok(FenceReport::undecided(options, reason));
    }
    let bare = if options.minimise {
        without_fences(program).0
    } else {
        program.clone()
    };
    let mut goals = goals(&bare);
    let labels = match options.aim {
        Aim::Robustness => Negated::default(),
        Aim::Assertions => Negated::of(&bare, &goals),
    };
    if options.aim == Aim::Assertions {
        match unless_cancelled(property::breakable(&bare, &goals, options, budget))? {
            Some(left) => goals = left,
            None => return Ok(FenceReport::undecided(options, Reason::Stopped)),
        }
    }
    let seen = match options.aim {
        Aim::Robustness => bare.clone(),
        Aim::Assertions => slice(&bare, &Values::of(&bare), &goals),
    };
    let choices = if options.minimise {
        Choices::all(place::standing(program, &options.costs))
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
    if let (Aim::Assertions, Algorithm::Pairs(algorithm)) = (options.aim, options.algorithm) {
        // Pairs that stay in order say nothing about where control is.
        places.retain(|place| !labels.displaced_by(place));
        return by_pairs::search(&bare, algorithm, &places, options, budget);
    }
    // Attacks mean nothing where there is `barrier all`.
    let attack_by_attack = options.algorithm == Algorithm::Ilp && !bare.has_barrier();
    let searched = Searched {
        program: &bare,
        options,
        budget,
    };
    let (outcome, progress, stats) = match options.aim {
        Aim::Robustness => {
            let mut oracle = robust::Robust::new(&bare, &places, options, budget);
            let ended = if attack_by_attack {
                eliminate::search(&mut oracle, &places, options, budget)?
            } else {
                search(&mut oracle, &choices, options.all, options.solver, budget)?
            };
            let (outcome, progress) = searched.outcome(ended, &places, &mut oracle)?;
            (outcome, progress, oracle.stats())
        }
        Aim::Assertions => {
            let mut oracle = property::Property::new(&bare, &seen, goals, &places, options, budget);
            let ended = search(&mut oracle, &choices, options.all, options.solver, budget)?;
            let (outcome, progress) = searched.outcome(ended, &places, &mut oracle)?;
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

/// What was searched, for the questions that come afterwards.
struct Searched<'a> {
    program: &'a Program,
    options: &'a FenceOptions,
    budget: &'a Budget,
}

impl Searched<'_> {
    /// What the search came to, validated.
    fn outcome(
        &self,
        ended: Ended,
        places: &[Place],
        oracle: &mut dyn Oracle,
    ) -> Result<(Outcome, Progress), Defect> {
        let &Searched {
            program,
            options,
            budget,
        } = self;
        let progress = match ended {
            Ended::Impossible(obstacle, shortfall, progress) => {
                let wrong = validate::wrong_under_sc(program, options, budget)?;
                let (obstacle, shortfall) = match wrong {
                    Some(wrong) => (Obstacle::Sequential, wrong),
                    None => (obstacle, shortfall),
                };
                let shortfall = ground(program, shortfall)?;
                let outcome = Outcome::Impossible {
                    shortfall,
                    obstacle,
                };
                return Ok((outcome, progress));
            }
            Ended::Searched(progress) => progress,
        };
        let Some(best) = &progress.best else {
            let reason = progress.stopped.clone().unwrap_or(Reason::Stopped);
            return Ok((Outcome::Undecided(reason), progress));
        };
        // Places are numbered by their locations: sets come in the order of the program.
        let mut sets: Vec<&Set> = best.sets.iter().collect();
        sets.sort();
        let mut needed = validate::needed(oracle, sets[0])?;
        for needed in &mut needed {
            needed.without = ground(program, needed.without.clone())?;
        }
        let places = |set: &&Set| set.iter().map(|&n| places[n].clone()).collect();
        let sets: Vec<Vec<Place>> = sets.iter().map(places).collect();
        let proof = validate::validate(program, &sets[0], options, budget)?;
        let found = Sets {
            cost: best.cost,
            optimal: progress.optimal,
            all: progress.all,
            bounds: best.bounds.clone(),
            proof,
            needed,
            sets,
        };
        let outcome = validate::beyond(program, found, options, budget)?;
        Ok((outcome, progress))
    }
}

/// The goals that fences are to make unreachable: not what is only observed.
pub(crate) fn goals(program: &Program) -> Vec<Goal> {
    let goals = program.goals().into_iter();
    goals
        .filter(|&goal| !is_observation(program, goal))
        .collect()
}

/// Whether the program says anything that fences could be for besides robustness.
pub fn has_goals(program: &Program) -> bool {
    !goals(program).is_empty()
}

/// The program without its full and store fences, and the changes that took them out.
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
