//! The four search algorithms, over a model checker.
//!
//! **Invariant.** The hitting sets range over sets that every answer must hit, so each of them is a
//! lower bound. The set returned was found safe.

use super::checker::{Checked, Checker, Safe};
use super::{Pair, PairAlgorithm, PairOptions, reordered};
use crate::program::Goal;
use crate::reference::Run;
use crate::solve::{Cheapest, Choice};
use crate::verdict::{Budget, Stop};
use ahash::AHashMap;
use std::collections::BTreeSet;

/// The state of a search.
pub(super) struct PairSearch {
    algorithm: PairAlgorithm,
    k1: usize,
    k2: usize,
    plan: BTreeSet<Pair>,
    hitting: HittingSets,
    /// The number of counterexamples found.
    pub(super) counterexamples: u64,
    /// The current bound on reordered pairs.
    pub(super) most: Option<usize>,
}

/// The result of a search.
pub(super) enum PairOutcome {
    /// No goal is reachable with these pairs kept in order.
    Found {
        /// The pairs, ascending.
        pairs: Vec<Pair>,
        /// The executions for which this holds.
        safe: Safe,
    },
    /// A counterexample to this goal reorders nothing.
    Unordered(Goal),
}

impl PairSearch {
    /// A search among these pairs.
    pub(super) fn new(pairs: Vec<Pair>, options: &PairOptions, budget: &Budget) -> Self {
        Self {
            algorithm: options.algorithm,
            k1: options.k1,
            k2: options.k2.unwrap_or(usize::MAX).min(pairs.len()),
            plan: pairs.into_iter().collect(),
            hitting: HittingSets::new(options, budget),
            counterexamples: 0,
            most: None,
        }
    }

    /// Runs the search to the end.
    pub(super) fn run(&mut self, checker: &mut Checker<'_>) -> Result<PairOutcome, Stop> {
        match self.algorithm {
            PairAlgorithm::Te => self.enumerate(checker),
            PairAlgorithm::Fi => self.hit(checker, Bounding::Never),
            PairAlgorithm::Robmc => self.hit(checker, Bounding::ToTheEnd),
            PairAlgorithm::RobmcEt => self.hit(checker, Bounding::WhileNeeded),
        }
    }

    /// Te: the solver chooses which pairs are kept in order.
    fn enumerate(&mut self, checker: &mut Checker<'_>) -> Result<PairOutcome, Stop> {
        loop {
            match checker.ask(&[], None)? {
                Checked::Counterexample(goal, run) => {
                    let culprits = self.culprits(&run);
                    if culprits.is_empty() {
                        return Ok(PairOutcome::Unordered(goal));
                    }
                    checker.keep_one(&culprits);
                    self.hitting.add(&culprits);
                }
                Checked::Safe(safe) => {
                    let pairs = self.hitting.smallest()?;
                    return Ok(PairOutcome::Found { pairs, safe });
                }
            }
        }
    }

    /// Fi and both ROBMC variants: a minimum hitting set is kept in order.
    fn hit(&mut self, checker: &mut Checker<'_>, bounding: Bounding) -> Result<PairOutcome, Stop> {
        let mut pairs = Vec::new();
        self.most = match bounding {
            Bounding::Never => None,
            Bounding::ToTheEnd | Bounding::WhileNeeded => Some(self.k1.min(self.k2)),
        };
        loop {
            match checker.ask(&pairs, self.most)? {
                Checked::Counterexample(goal, run) => {
                    let culprits = self.culprits(&run);
                    if culprits.is_empty() {
                        return Ok(PairOutcome::Unordered(goal));
                    }
                    self.hitting.add(&culprits);
                    pairs = self.hitting.smallest()?;
                }
                Checked::Safe(safe) => match self.most {
                    Some(most)
                        if most < self.k2 && (safe.by_most || bounding == Bounding::ToTheEnd) =>
                    {
                        self.most = Some((2 * most).clamp(1, self.k2));
                    }
                    Some(_) | None => return Ok(PairOutcome::Found { pairs, safe }),
                },
            }
        }
    }

    /// The pairs that a counterexample reorders and that matter.
    fn culprits(&mut self, run: &Run) -> Vec<Pair> {
        self.counterexamples += 1;
        let mut pairs = reordered(run);
        pairs.retain(|pair| self.plan.contains(pair));
        pairs
    }
}

/// How long the number of reordered pairs is bounded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bounding {
    Never,
    ToTheEnd,
    WhileNeeded,
}

/// Minimum hitting sets of sets of pairs.
struct HittingSets {
    cheapest: Cheapest,
    numbers: AHashMap<Pair, usize>,
    /// The pairs, by number.
    pairs: Vec<Pair>,
}

impl HittingSets {
    fn new(options: &PairOptions, budget: &Budget) -> Self {
        Self {
            cheapest: Cheapest::new(options.solver, budget),
            numbers: AHashMap::new(),
            pairs: Vec::new(),
        }
    }

    fn add(&mut self, set: &[Pair]) {
        let mut elements = Vec::with_capacity(set.len());
        for &pair in set {
            let number = self.numbers.entry(pair).or_insert_with(|| {
                self.pairs.push(pair);
                self.cheapest.element(1)
            });
            elements.push(*number);
        }
        self.cheapest.clause(&elements, &[]);
    }

    /// A smallest set that hits all sets.
    fn smallest(&mut self) -> Result<Vec<Pair>, Stop> {
        match self.cheapest.cheapest() {
            Choice::Found { chosen, .. } => {
                let mut pairs: Vec<Pair> = chosen.iter().map(|&e| self.pairs[e]).collect();
                pairs.sort_unstable();
                Ok(pairs)
            }
            // No set is empty, so the set of all pairs hits them all.
            Choice::Impossible | Choice::Stopped => Err(Stop::Cancelled),
        }
    }
}
