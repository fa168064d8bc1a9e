//! Fences that cost as little as possible: every cheaper set leaves some computation possible.
//!
//! Each computation of the certificate is replayed, and shows something that the fences have to exclude.
//! A set of places that contains none of its [cut](super::run) does not. So a sufficient set hits every
//! cut, and it is enough that no set of places below the cost does: a search that branches over the
//! places of one cut that is not hit yet.

use super::machine::{Machine, Step};
use super::run::Replayed;
use std::collections::BTreeSet;

/// A search that looks at cuts more often than this is given up.
const MOST_LOOKS: usize = 50_000_000;

/// A set of places with a cost below `cost` that hits every cut, if there is one. Places are numbers.
///
/// # Errors
///
/// If the search takes too long.
pub fn cheaper(
    cuts: &[BTreeSet<usize>],
    costs: &[u64],
    cost: u64,
) -> Result<Option<Vec<usize>>, String> {
    let mut search = Search {
        cuts,
        costs,
        looks: 0,
    };
    let Some(budget) = cost.checked_sub(1) else {
        return Ok(None);
    };
    let mut chosen = Vec::new();
    let found = search.below(budget, &mut chosen, &mut vec![false; costs.len()])?;
    Ok(found.then_some(chosen))
}

struct Search<'c> {
    cuts: &'c [BTreeSet<usize>],
    costs: &'c [u64],
    looks: usize,
}

impl Search<'_> {
    /// Whether the chosen places can be completed at this cost, without the excluded ones.
    fn below(
        &mut self,
        budget: u64,
        chosen: &mut Vec<usize>,
        out: &mut Vec<bool>,
    ) -> Result<bool, String> {
        self.looks += 1 + self.cuts.len();
        if self.looks > MOST_LOOKS {
            return Err("the search for a cheaper set of fences takes too long".to_owned());
        }
        let open = |cut: &&BTreeSet<usize>| !chosen.iter().any(|place| cut.contains(place));
        // Cuts without a common place are paid for one by one.
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        let (mut least, mut first): (u64, Option<Vec<usize>>) = (0, None);
        for cut in self.cuts.iter().filter(open) {
            let left: Vec<usize> = cut.iter().copied().filter(|&place| !out[place]).collect();
            let Some(cheapest) = left.iter().map(|&place| self.costs[place]).min() else {
                return Ok(false);
            };
            if left.iter().all(|place| !seen.contains(place)) {
                seen.extend(&left);
                least = least.saturating_add(cheapest);
            }
            if first.as_ref().is_none_or(|other| left.len() < other.len()) {
                first = Some(left);
            }
        }
        if least > budget {
            return Ok(false);
        }
        let Some(branches) = first else {
            return Ok(true);
        };
        let mut tried = Vec::new();
        for place in branches {
            if self.costs[place] <= budget {
                chosen.push(place);
                if self.below(budget - self.costs[place], chosen, out)? {
                    return Ok(true);
                }
                chosen.pop();
            }
            out[place] = true;
            tried.push(place);
        }
        for place in tried {
            out[place] = false;
        }
        Ok(false)
    }
}

/// The places that exclude a computation which shows that the program needs fences: one that reaches a
/// goal, or has a cycle. `None` if it does not show it.
pub fn cut_of(
    machine: &Machine<'_>,
    steps: &[Step],
    robustness: bool,
    places: &[Vec<(usize, usize)>],
) -> Option<BTreeSet<usize>> {
    let replayed = Replayed::of(machine, steps)?;
    let shows = if robustness {
        replayed.is_cyclic
    } else {
        replayed.is_drained && replayed.reached.is_some()
    };
    let numbered = places.iter().enumerate();
    let cuts =
        numbered.filter(|(_, points)| points.iter().any(|point| replayed.cut.contains(point)));
    shows.then(|| cuts.map(|(number, _)| number).collect())
}
