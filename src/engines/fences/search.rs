//! The search for cheapest sets, with one loop for both aims.
//!
//! ```text
//!   set := the cheapest that contains a place of each cut found so far     ─ a lower bound
//!   does it suffice?  no: a computation, and the places that exclude it    ─ one more cut
//!                     yes: it suffices, and nothing cheaper does
//! ```
//!
//! Every sufficient set contains a place of every cut, so no sufficient set costs less than the
//! cheapest set that contains a place of every cut. [BDM13, section 7] computes the same optimum
//! from all sets that eliminate each attack, and [JK15, Alg. 2] from statement pairs. If a
//! computation is possible only because of some places of a set, its clause demands a place of its
//! cut or the absence of one of those.
//!
//! A set that fails is completed with places from further cuts until it suffices. This finds cuts
//! faster, and a sufficient set with its distance from the lower bound is available at any time.

use super::choices::Choices;
use super::place::Place;
use super::{Obstacle, Shortfall};
use crate::program::ThreadId;
use crate::reference::Run;
use crate::solve::{Cheapest, Choice, SolverKind};
use crate::verdict::{Bounds, Budget, Defect, Reason};
use std::collections::BTreeSet;

/// A set of places, by number.
pub(super) type Set = BTreeSet<usize>;

/// The result of checking one set of places.
pub(super) enum Probe {
    /// The set does not suffice: this computation is still possible. Each place in the cut would
    /// exclude it. The cut may be empty.
    Fails {
        cut: Vec<usize>,
        /// The places of the set that cause the computation: without one of them it is impossible.
        /// Usually empty, since fences only forbid. But a thread that has passed a fence at a label
        /// is no longer at the label, and a property may depend on that.
        caused_by: Vec<usize>,
        shortfall: Shortfall,
    },
    /// The set suffices, within these bounds if there are any.
    Suffices(Option<Bounds>),
    /// Unknown, for this reason.
    Open(Reason),
}

/// Decides whether a set suffices.
pub(super) trait Oracle {
    /// Whether fences at these places suffice.
    fn probe(&mut self, set: &Set) -> Result<Probe, Defect>;

    /// A computation found by an earlier probe that fences at these places leave possible, if there
    /// is one.
    fn left_possible(&self, set: &Set) -> Option<&Shortfall>;
}

/// The computations that probes have found, each with the places that exclude it.
#[derive(Default)]
pub(super) struct Failures(Vec<(Set, Shortfall)>);

impl Failures {
    /// Records the result of probing a set. The places of the set itself are not among those that
    /// exclude the computation, though the cut may list them.
    pub(super) fn record(&mut self, set: &Set, probe: &Probe) {
        if let Probe::Fails {
            cut,
            caused_by,
            shortfall,
        } = probe
            && caused_by.is_empty()
        {
            let cut: Set = cut.iter().copied().filter(|n| !set.contains(n)).collect();
            if self.0.iter().all(|(known, _)| *known != cut) {
                self.0.push((cut, shortfall.clone()));
            }
        }
    }

    /// A computation that fences at these places leave possible: none of them excludes it.
    pub(super) fn left_possible(&self, set: &Set) -> Option<&Shortfall> {
        let left = self.0.iter().find(|(cut, _)| cut.is_disjoint(set));
        left.map(|(_, shortfall)| shortfall)
    }
}

/// The progress of the search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Progress {
    /// No sufficient set costs less than this.
    pub(super) lower_bound: u64,
    /// The cheapest sufficient sets found, with their cost.
    pub(super) best: Option<Best>,
    /// Whether no sufficient set costs less than the best.
    pub(super) optimal: bool,
    /// Whether `best` contains every cheapest set.
    pub(super) all: bool,
    /// The number of sets probed.
    pub(super) probes: u64,
    /// The number of computations excluded.
    pub(super) cuts: u64,
    /// Why the search stopped early, if it did.
    pub(super) stopped: Option<Reason>,
}

impl Progress {
    /// Computes whether the best set found is optimal.
    pub(super) fn with_optimality(mut self) -> Self {
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
    /// They suffice only within these bounds.
    pub(super) bounds: Option<Bounds>,
}

/// The result of a search.
pub(super) enum SearchEnd {
    /// The search ended, or was cancelled, with this progress.
    Searched(Progress),
    /// No set suffices.
    Impossible(Obstacle, Shortfall, Progress),
}

/// The maximum number of cheapest sets listed. Users do not read more.
pub(super) const MOST: usize = 1_000;

/// Looks for a cheapest set, or for all of them.
pub(super) fn search(
    oracle: &mut impl Oracle,
    choices: &Choices,
    all: bool,
    solver: SolverKind,
    budget: &Budget,
) -> Result<SearchEnd, Defect> {
    let mut cheapest = Cheapest::new(solver, budget);
    for (number, place) in choices.places.iter().enumerate() {
        cheapest.element(place.cost);
        if choices.instead[number].is_some() {
            cheapest.clause(&[], &[number]);
        }
    }
    let mut progress = Progress::default();
    // The first computation that no fence of the set caused.
    let mut left = None;
    loop {
        let set = match cheapest.cheapest() {
            Choice::Found { chosen, cost } => {
                progress.lower_bound = cost;
                Set::from_iter(chosen)
            }
            // Either some cut has no places, which is reported where it is found, or there is no
            // further set.
            Choice::Impossible => break,
            Choice::Stopped => {
                progress.stopped = Some(Reason::Stopped);
                return Ok(SearchEnd::Searched(progress.with_optimality()));
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
                record(&mut progress, &choices.places, set, bounds, &mut cheapest);
            }
            Completed::Impossible(shortfall) => {
                return Ok(SearchEnd::Impossible(
                    Obstacle::Remains,
                    shortfall,
                    progress,
                ));
            }
            Completed::Excluded => {}
            Completed::Open(reason) => {
                progress.stopped = Some(reason);
                return Ok(SearchEnd::Searched(progress.with_optimality()));
            }
        }
    }
    if progress.best.is_none()
        && let Some(shortfall) = left
    {
        return Ok(SearchEnd::Impossible(Obstacle::Labels, shortfall, progress));
    }
    if !all && let Some(best) = &mut progress.best {
        prefer(oracle, choices, &mut best.sets[0])?;
    }
    if let Some(best) = &progress.best {
        // Sets that were found are not found again, so what remains costs more.
        progress.lower_bound = best.cost.min(progress.lower_bound);
        progress.all = all && best.sets.len() < MOST;
    }
    Ok(SearchEnd::Searched(progress.with_optimality()))
}

/// Replaces places of a sufficient set by alternatives that are easier to read.
fn prefer(oracle: &mut impl Oracle, choices: &Choices, set: &mut Set) -> Result<(), Defect> {
    for &(number, other) in &choices.preferred {
        if !set.contains(&other) {
            continue;
        }
        let mut preferred = set.clone();
        preferred.remove(&other);
        preferred.insert(number);
        if let Probe::Suffices(None) = oracle.probe(&preferred)? {
            *set = preferred;
        }
    }
    for &one in &choices.shared {
        if let Some(replaced) = shared_instead(choices, set, one)
            && let Probe::Suffices(None) = oracle.probe(&replaced)?
        {
            *set = replaced;
        }
    }
    Ok(())
}

/// The set with this place, which several threads share, in place of those in one of these threads each, if it costs
/// the same: one place of the text in a function that threads have in common, rather than one where each calls it.
fn shared_instead(choices: &Choices, set: &Set, one: usize) -> Option<Set> {
    let threads = |n: usize| -> BTreeSet<ThreadId> {
        let points = choices.places[n].points.iter();
        points.map(|&(thread, _)| thread).collect()
    };
    let shared = threads(one);
    let is_part = |&n: &usize| {
        choices.places[n].kind == choices.places[one].kind
            && threads(n).len() < shared.len()
            && threads(n).is_subset(&shared)
    };
    let parts: Set = set.iter().copied().filter(is_part).collect();
    let covered: BTreeSet<ThreadId> = parts.iter().flat_map(|&n| threads(n)).collect();
    let cost: u32 = parts.iter().map(|&n| choices.places[n].cost).sum();
    if set.contains(&one) || covered != shared || cost != choices.places[one].cost {
        return None;
    }
    let mut replaced: Set = set.difference(&parts).copied().collect();
    replaced.insert(one);
    Some(replaced)
}

enum Completed {
    Sufficient(Set, Option<Bounds>),
    /// Fences at all places do not exclude this computation.
    Impossible(Shortfall),
    /// No set that contains the given places suffices.
    Excluded,
    Open(Reason),
}

/// Adds the cheapest place of each new cut to a set until the set suffices.
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
                caused_by,
                shortfall,
            } => {
                // Loads whose values do not matter are not in the formula, and the computation
                // shown may execute them early, past a fence of the set. Such loads can wait. So
                // the places outside the set are the ones that exclude the computation.
                cut.retain(|n| !set.contains(n) && choices.instead[*n].is_none());
                let cost = |&n: &usize| choices.places[n].cost;
                let least = cut.iter().copied().min_by_key(cost);
                if least.is_none() && caused_by.is_empty() {
                    return Ok(Completed::Impossible(shortfall));
                }
                progress.cuts += 1;
                cheapest.clause(&cut, &caused_by);
                if caused_by.is_empty() {
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

/// Records a sufficient set unless a cheaper one is known.
fn record(
    progress: &mut Progress,
    places: &[Place],
    set: Set,
    bounds: Option<Bounds>,
    cheapest: &mut Cheapest,
) {
    let cost: u64 = set.iter().map(|&n| u64::from(places[n].cost)).sum();
    // A set that costs no more than the lower bound need not be found again.
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
    /// The computation that is still possible.
    pub fn run(&self) -> &Run {
        match self {
            Shortfall::Attack { run, .. } | Shortfall::Cycle(run) | Shortfall::Goal { run, .. } => {
                run
            }
        }
    }
}
