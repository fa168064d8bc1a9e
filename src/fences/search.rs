//! The search for cheapest sets: one loop for every aim.
//!
//! ```text
//!   some set := the cheapest that contains a place of each cut so far      ─ a lower bound
//!   does it suffice?  no: a computation, and the places that exclude it    ─ one more cut
//!                     yes: nothing costs less, and this does it
//! ```
//!
//! Every sufficient set contains a place of every cut, so that no sufficient set costs less than
//! the cheapest that does: [BDM13, section 7] computes the same optimum from all ways to eliminate
//! each attack, and [JK15, Alg. 2] from statement pairs. A computation that some places of a set
//! bring about asks for a place of its cut, or for a set without one of those.
//!
//! A set that fails is completed with places from further cuts until it suffices. That finds cuts
//! faster, and leaves at any time a sufficient set with its distance from the lower bound.

use super::choices::Choices;
use super::place::Place;
use super::{Obstacle, Shortfall};
use crate::explicit::Run;
use crate::solve::{Cheapest, Choice, SolverKind};
use crate::verdict::{Bounds, Budget, Defect, Reason};
use std::collections::BTreeSet;

/// Some of the places, by their numbers.
pub(super) type Set = BTreeSet<usize>;

/// What is known of one set of places.
pub(super) enum Probe {
    /// It does not suffice: this computation is still possible. Each of these places would exclude
    /// it; there may be none.
    Fails {
        cut: Vec<usize>,
        /// The places of the set that bring it about: it is none without one of these. Mostly
        /// empty, since fences only forbid. But past a fence at a label a thread is not at the label
        /// any more, and a property may ask for that.
        brought_by: Vec<usize>,
        shortfall: Shortfall,
    },
    /// It suffices; inside these bounds, if there are any.
    Suffices(Option<Bounds>),
    /// That was not found out.
    Open(Reason),
}

/// Who knows whether a set suffices.
pub(super) trait Oracle {
    /// Whether fences at these places suffice.
    fn probe(&mut self, set: &Set) -> Result<Probe, Defect>;
}

/// How far the search came.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Progress {
    /// No sufficient set costs less.
    pub(super) lower_bound: u64,
    /// The sufficient sets of least cost that were found, with their cost.
    pub(super) best: Option<Best>,
    /// Whether nothing costs less than the best.
    pub(super) optimal: bool,
    /// Whether `best` has every cheapest set.
    pub(super) all: bool,
    /// How many sets were probed.
    pub(super) probes: u64,
    /// How many computations were excluded.
    pub(super) cuts: u64,
    /// Why the search ended before its time.
    pub(super) stopped: Option<Reason>,
}

impl Progress {
    /// With what it says about the best set found.
    fn judged(mut self) -> Self {
        let best = self.best.as_ref();
        self.optimal = best.is_some_and(|best| best.cost <= self.lower_bound);
        self
    }
}

/// Sufficient sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Best {
    pub(super) cost: u64,
    pub(super) sets: Vec<Set>,
    /// Within these bounds only.
    pub(super) bounds: Option<Bounds>,
}

/// How a search ended.
pub(super) enum Ended {
    /// With sets, or on the way to them.
    Searched(Progress),
    /// No set suffices.
    Impossible(Obstacle, Shortfall, Progress),
}

/// More cheapest sets than anybody reads are not listed.
const MOST: usize = 1_000;

/// Looks for a cheapest set, or for all of them.
pub(super) fn search(
    oracle: &mut impl Oracle,
    choices: &Choices,
    all: bool,
    solver: SolverKind,
    budget: &Budget,
) -> Result<Ended, Defect> {
    let mut cheapest = Cheapest::new(solver, budget);
    for (number, place) in choices.places.iter().enumerate() {
        cheapest.element(place.cost);
        if choices.instead[number].is_some() {
            cheapest.clause(&[], &[number]);
        }
    }
    let mut progress = Progress::default();
    // The first computation that no fence brought about.
    let mut left = None;
    loop {
        let set = match cheapest.cheapest() {
            Choice::Found { chosen, cost } => {
                progress.lower_bound = cost;
                Set::from_iter(chosen)
            }
            // Either a cut without places, which is reported where it is met, or no further set.
            Choice::Impossible => break,
            Choice::Stopped => {
                progress.stopped = Some(Reason::Stopped);
                return Ok(Ended::Searched(progress.judged()));
            }
        };
        let cost = progress.lower_bound;
        if let Some(best) = &progress.best
            && (best.cost < cost || best.cost == cost && (!all || best.sets.len() >= MOST))
        {
            break;
        }
        match complete(
            oracle,
            choices,
            set,
            &mut cheapest,
            &mut progress,
            &mut left,
        )? {
            Completed::Sufficient(set, bounds) => {
                note(&mut progress, &choices.places, set, bounds, &mut cheapest);
            }
            Completed::Impossible(shortfall) => {
                return Ok(Ended::Impossible(Obstacle::Remains, shortfall, progress));
            }
            Completed::Excluded => {}
            Completed::Open(reason) => {
                progress.stopped = Some(reason);
                return Ok(Ended::Searched(progress.judged()));
            }
        }
    }
    if progress.best.is_none()
        && let Some(shortfall) = left
    {
        return Ok(Ended::Impossible(Obstacle::Labels, shortfall, progress));
    }
    if !all && let Some(best) = &mut progress.best {
        prefer(oracle, choices, &mut best.sets[0])?;
    }
    if let Some(best) = &progress.best {
        // The sets that were found are not looked for again: what is left costs more.
        progress.lower_bound = best.cost.min(progress.lower_bound);
        progress.all = all && best.sets.len() < MOST;
    }
    Ok(Ended::Searched(progress.judged()))
}

/// Tries the places that a reader likes better instead of those of a sufficient set.
fn prefer(oracle: &mut impl Oracle, choices: &Choices, set: &mut Set) -> Result<(), Defect> {
    for (number, instead) in choices.instead.iter().enumerate() {
        let Some(other) = instead.filter(|other| set.contains(other)) else {
            continue;
        };
        let mut preferred = set.clone();
        preferred.remove(&other);
        preferred.insert(number);
        if let Probe::Suffices(None) = oracle.probe(&preferred)? {
            *set = preferred;
        }
    }
    Ok(())
}

enum Completed {
    Sufficient(Set, Option<Bounds>),
    /// Fences at all places leave this computation.
    Impossible(Shortfall),
    /// No set with the places that it was to have suffices.
    Excluded,
    Open(Reason),
}

/// Adds places to a set until it suffices, each time the cheapest of a cut.
fn complete(
    oracle: &mut impl Oracle,
    choices: &Choices,
    mut set: Set,
    cheapest: &mut Cheapest,
    progress: &mut Progress,
    left: &mut Option<Shortfall>,
) -> Result<Completed, Defect> {
    loop {
        progress.probes += 1;
        match oracle.probe(&set)? {
            Probe::Fails {
                mut cut,
                brought_by,
                shortfall,
            } => {
                // Loads whose values nobody needs are in no formula, and the computation that is
                // shown may execute them early, past a fence that stands. They can wait; so it
                // is the other places that exclude it.
                cut.retain(|n| !set.contains(n) && choices.instead[*n].is_none());
                let cost = |&n: &usize| choices.places[n].cost;
                let least = cut.iter().copied().min_by_key(cost);
                if least.is_none() && brought_by.is_empty() {
                    return Ok(Completed::Impossible(shortfall));
                }
                progress.cuts += 1;
                cheapest.clause(&cut, &brought_by);
                if brought_by.is_empty() {
                    left.get_or_insert(shortfall);
                }
                let Some(least) = least else {
                    return Ok(Completed::Excluded);
                };
                set.insert(least);
            }
            Probe::Suffices(bounds) => return Ok(Completed::Sufficient(set, bounds)),
            Probe::Open(reason) => return Ok(Completed::Open(reason)),
        }
    }
}

/// Keeps a sufficient set if none that is known costs less.
fn note(
    progress: &mut Progress,
    places: &[Place],
    set: Set,
    bounds: Option<Bounds>,
    cheapest: &mut Cheapest,
) {
    let cost: u64 = set.iter().map(|&n| u64::from(places[n].cost)).sum();
    // A set that costs as little as any need not be found again.
    if cost == progress.lower_bound {
        let members: Vec<usize> = set.iter().copied().collect();
        cheapest.clause(&[], &members);
    }
    match &mut progress.best {
        Some(best) if best.cost < cost => {}
        Some(best) if best.cost == cost => {
            if !best.sets.contains(&set) {
                best.sets.push(set);
            }
            best.bounds = best.bounds.take().or(bounds);
        }
        _ => {
            progress.best = Some(Best {
                cost,
                sets: vec![set],
                bounds,
            });
        }
    }
}

/// The computation of a shortfall.
impl Shortfall {
    /// What is still possible.
    pub fn run(&self) -> &Run {
        match self {
            Shortfall::Attack { run, .. } | Shortfall::Cycle(run) | Shortfall::Goal { run, .. } => {
                run
            }
        }
    }
}
