//! Searches apart, for threads whose fences have no place in common.
//!
//! **Theorem.** Fences of one thread do not affect the delays of another: each attack has one
//! attacker, and the helpers of its witness execute under SC. So a set S of places makes a program
//! robust if and only if, for each attacker, the places of S in that thread do. Join the attackers
//! that share a place into *clusters*. No place belongs to two clusters. Hence the sufficient sets are
//! the unions of one sufficient set per cluster, with any other places: their costs add up, the least
//! cost is the sum of the least costs, the lower bound is the sum of the lower bounds, the cheapest
//! sets are all unions of cheapest sets, and if no set suffices for one cluster, none suffices.
//!
//! Atomic blocks make no difference: no place is inside one, and the theorem of \[BDM13\] covers them as
//! single actions. Programs with `barrier all`, for which attacks are not defined, form one cluster.
//!
//! Without this, one hitting set over all threads needs as many rounds as there are combinations of
//! cuts, and counts to the sum of all costs.
//!
//! **Absent.** Searches for assertions: an assertion may depend on the fences of several threads.

use super::choices::Choices;
use super::place::Place;
use super::robust::Robust;
use super::search::{Best, MOST, Oracle, Probe, Progress, SearchEnd, Set, search};
use super::{FenceOptions, Shortfall};
use crate::techniques::PassName;
use crate::verdict::{Budget, Defect};

/// Searches in each cluster, and combines the results.
pub(super) fn search_apart(
    oracle: &mut Robust<'_>,
    choices: &Choices,
    options: &FenceOptions,
    budget: &Budget,
) -> Result<SearchEnd, Defect> {
    let clusters = oracle.clusters();
    if clusters.len() < 2 || !options.techniques.uses(PassName::Cone) {
        return search(oracle, choices, options.all, options.solver, budget);
    }
    let mut whole = Progress {
        best: Some(Best {
            cost: 0,
            sets: vec![Set::new()],
            bounds: None,
        }),
        all: options.all,
        ..Progress::default()
    };
    for (attackers, places) in clusters {
        let own = choices.only(&places);
        let mut part = Cluster {
            oracle,
            attackers,
            places,
        };
        match search(&mut part, &own, options.all, options.solver, budget)? {
            SearchEnd::Searched(progress) => whole = whole.and(progress, &part.places),
            SearchEnd::Impossible(obstacle, shortfall, mut progress) => {
                progress.probes += whole.probes;
                progress.cuts += whole.cuts;
                progress.lower_bound += whole.lower_bound;
                return Ok(SearchEnd::Impossible(obstacle, shortfall, progress));
            }
        }
        // After a search that stopped, the others go on: without a set for each cluster there is none.
    }
    Ok(SearchEnd::Searched(whole.with_optimality()))
}

impl Progress {
    /// Adds the progress in another cluster, whose places have these numbers.
    fn and(self, other: Progress, numbers: &[usize]) -> Self {
        let best = self.best.zip(other.best);
        let count = best.as_ref().map(|(a, b)| a.sets.len() * b.sets.len());
        Self {
            lower_bound: self.lower_bound + other.lower_bound,
            best: best.map(|(mine, more)| {
                let renumbered = |set: &Set| set.iter().map(|&n| numbers[n]).collect::<Set>();
                let more_sets: Vec<Set> = more.sets.iter().map(renumbered).collect();
                let unions = mine
                    .sets
                    .iter()
                    .flat_map(|a| more_sets.iter().map(move |b| a.union(b).copied().collect()));
                Best {
                    cost: mine.cost + more.cost,
                    sets: unions.take(MOST).collect(),
                    bounds: mine.bounds.or(more.bounds),
                }
            }),
            optimal: false,
            all: self.all && other.all && count.is_some_and(|count| count < MOST),
            probes: self.probes + other.probes,
            cuts: self.cuts + other.cuts,
            stopped: self.stopped.or(other.stopped),
        }
    }
}

/// The oracle for one cluster. Places are numbered within it.
struct Cluster<'o, 'p> {
    oracle: &'o mut Robust<'p>,
    attackers: Vec<usize>,
    /// The numbers of its places among all places, ascending.
    places: Vec<usize>,
}

impl Oracle for Cluster<'_, '_> {
    fn probe(&mut self, set: &Set) -> Result<Probe, Defect> {
        let set = set.iter().map(|&n| self.places[n]).collect();
        Ok(match self.oracle.probe_among(&self.attackers, &set)? {
            Probe::Fails {
                cut,
                caused_by,
                shortfall,
            } => Probe::Fails {
                cut: self.within(&cut),
                caused_by: self.within(&caused_by),
                shortfall,
            },
            known @ (Probe::Suffices(_) | Probe::Open(_)) => known,
        })
    }

    fn left_possible(&self, set: &Set) -> Option<&Shortfall> {
        let set = set.iter().map(|&n| self.places[n]).collect();
        self.oracle.left_possible(&set)
    }
}

impl Cluster<'_, '_> {
    /// The numbers of these places within the cluster. Only the attacker delays anything in a witness,
    /// so each place of a cut is in its thread, and hence in its cluster.
    fn within(&self, places: &[usize]) -> Vec<usize> {
        let own = places.iter().map(|n| self.places.binary_search(n));
        own.map(|found| found.expect("a cut has places of the attacker only"))
            .collect()
    }
}

impl Choices {
    /// Only the places with these numbers.
    fn only(&self, numbers: &[usize]) -> Choices {
        let places: Vec<Place> = numbers.iter().map(|&n| self.places[n].clone()).collect();
        let instead = numbers.iter().map(|&n| {
            let replaced = self.instead[n]?;
            numbers.binary_search(&replaced).ok()
        });
        let preferred = self.preferred.iter().filter_map(|(place, other)| {
            let own = |n: &usize| numbers.binary_search(n).ok();
            own(place).zip(own(other))
        });
        let shared = self.shared.iter();
        let shared = shared.filter_map(|place| numbers.binary_search(place).ok());
        Choices {
            instead: instead.collect(),
            preferred: preferred.collect(),
            shared: shared.collect(),
            places,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Reason;

    fn found(cost: u64) -> Progress {
        Progress {
            lower_bound: cost,
            best: Some(Best {
                cost,
                sets: vec![Set::from([0])],
                bounds: None,
            }),
            all: true,
            ..Progress::default()
        }
    }

    #[test]
    fn the_union_of_sets_of_both_clusters_suffices() {
        let whole = found(2).and(found(3), &[7]).with_optimality();
        let best = whole.best.expect("both clusters have a set");
        assert_eq!((best.cost, best.sets), (5, vec![Set::from([0, 7])]));
        assert!(whole.optimal && whole.all && whole.stopped.is_none());
    }

    #[test]
    fn without_a_set_for_each_cluster_there_is_none() {
        let stopped = Progress {
            stopped: Some(Reason::Stopped),
            ..found(2)
        };
        let none = Progress {
            lower_bound: 1,
            stopped: Some(Reason::Stopped),
            ..Progress::default()
        };
        let whole = stopped.and(none, &[7]).with_optimality();
        assert_eq!((whole.best, whole.lower_bound), (None, 3));
        assert!(!whole.optimal && whole.stopped.is_some());
    }
}
