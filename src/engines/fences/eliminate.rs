//! The approach of [BDM13, section 7]: compute all sets that eliminate each attack, then the
//! cheapest union.
//!
//! ```text
//!   for each attack a:  E(a) = all irreducible sets of places that make it infeasible
//!   least Σ cost(p)·y(p)  with  ∨ x(a,E) over E ∈ E(a)  and  x(a,E) → y(p) for p ∈ E
//! ```
//!
//! The number of irreducible sets may be exponential. This algorithm cross-checks `search` on small
//! programs. It shares with `search` only the decision whether a set suffices.

use super::place::Place;
use super::robust::{Robust, SingleAttack};
use super::search::{Best, Oracle, Probe, Progress, SearchEnd, Set};
use super::{FenceOptions, Obstacle};
use crate::solve::{Cheapest, Choice};
use crate::verdict::{Bounds, Budget, Defect, Reason};

/// Solves the 0/1 program over all attacks.
pub(super) fn search(
    oracle: &mut Robust<'_>,
    places: &[Place],
    options: &FenceOptions,
    budget: &Budget,
) -> Result<SearchEnd, Defect> {
    let mut progress = Progress::default();
    let mut program = Cheapest::new(options.solver, budget);
    for place in places {
        program.element(place.cost);
    }
    let mut within = None;
    for attack in oracle.attacks() {
        let mut one = SingleAttack { oracle, attack };
        let eliminating = match irreducible(&mut one, places, options, budget, &mut progress)? {
            Eliminating::Sets(sets, bounds) => {
                within = within.or(bounds);
                sets
            }
            Eliminating::Ended(ended) => return Ok(*ended),
        };
        if eliminating.iter().any(Set::is_empty) {
            continue;
        }
        let mut chosen = Vec::new();
        for set in &eliminating {
            let takes = program.element(0);
            for &place in set {
                program.clause(&[place], &[takes]);
            }
            chosen.push(takes);
        }
        program.clause(&chosen, &[]);
    }
    match program.cheapest() {
        Choice::Found { chosen, cost } => {
            let sets = vec![chosen.into_iter().filter(|&e| e < places.len()).collect()];
            progress.lower_bound = cost;
            progress.optimal = true;
            progress.best = Some(Best {
                cost,
                sets,
                bounds: within,
            });
        }
        Choice::Impossible | Choice::Stopped => progress.stopped = Some(Reason::Stopped),
    }
    Ok(SearchEnd::Searched(progress))
}

enum Eliminating {
    Sets(Vec<Set>, Option<Bounds>),
    Ended(Box<SearchEnd>),
}

/// All irreducible sufficient sets, smallest first. Among the sets that contain a place of each cut
/// and contain none of the sets found before, a smallest sufficient one is irreducible.
fn irreducible(
    oracle: &mut impl Oracle,
    places: &[Place],
    options: &FenceOptions,
    budget: &Budget,
    progress: &mut Progress,
) -> Result<Eliminating, Defect> {
    let mut smallest = Cheapest::new(options.solver, budget);
    for _ in places {
        smallest.element(1);
    }
    let (mut sets, mut within) = (Vec::new(), None);
    loop {
        let set: Set = match smallest.cheapest() {
            Choice::Found { chosen, .. } => chosen.into_iter().collect(),
            Choice::Impossible => return Ok(Eliminating::Sets(sets, within)),
            Choice::Stopped => {
                progress.stopped = Some(Reason::Stopped);
                let ended = SearchEnd::Searched(progress.clone());
                return Ok(Eliminating::Ended(Box::new(ended)));
            }
        };
        progress.probes += 1;
        match oracle.probe(&set)? {
            Probe::Fails { cut, shortfall, .. } if cut.is_empty() => {
                let ended = SearchEnd::Impossible(Obstacle::Remains, shortfall, progress.clone());
                return Ok(Eliminating::Ended(Box::new(ended)));
            }
            Probe::Fails { mut cut, .. } => {
                cut.retain(|n| !set.contains(n));
                progress.cuts += 1;
                smallest.clause(&cut, &[]);
            }
            Probe::Suffices(bounds) => {
                let members: Vec<usize> = set.iter().copied().collect();
                smallest.clause(&[], &members);
                sets.push(set);
                within = within.or(bounds);
            }
            Probe::Open(reason) => {
                progress.stopped = Some(reason);
                let ended = SearchEnd::Searched(progress.clone());
                return Ok(Eliminating::Ended(Box::new(ended)));
            }
        }
    }
}
