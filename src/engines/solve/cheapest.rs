//! The cheapest choice of elements that satisfies clauses: minimum-cost hitting sets and similar
//! problems.
//!
//! Elements have costs. A clause requires that one of some elements is chosen, or one of some
//! others is not. Clauses are only added, so the least cost only grows, and each search for it
//! starts where the last one ended:
//!
//! ```text
//!   bound := least cost so far;  most := the cost of some choice
//!   until they meet:  no choice costs at most bound?   bound := the next sum of costs
//!                     or, if they are far apart, one costs less than most?  most := its cost
//! ```
//!
//! Each "no" proves that no choice is that cheap. The sum of the costs is a generalised totalizer
//! [Joshi, Martins, Manquinho, CP 2015], extended when elements are first used. Among choices of
//! equal cost, one with fewer elements of cost 0 counts as cheaper.

use super::{Session, SolverAnswer, SolverKind};
use crate::verdict::Budget;
use rustsat::encodings::pb::{BoundUpper, BoundUpperIncremental, GeneralizedTotalizer};
use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
use rustsat::types::Lit;

/// A choice of elements under construction.
pub struct Cheapest {
    session: Session,
    variables: BasicVarManager,
    elements: Vec<Element>,
    totalizer: GeneralizedTotalizer,
    /// A lower bound on the weight of every choice.
    bound: usize,
}

struct Element {
    lit: Lit,
    cost: u32,
    /// Whether the totalizer counts it. An element that no clause requires is never chosen.
    counted: bool,
}

/// The result of a search for the cheapest choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// These elements, in ascending order. No choice costs less.
    Found {
        /// The chosen elements.
        chosen: Vec<usize>,
        /// The sum of the costs.
        cost: u64,
    },
    /// The clauses contradict each other.
    Impossible,
    /// The stop flag was raised first.
    Stopped,
}

/// The weight of an element of cost 0. An element of cost 1 weighs `HEAVY`, so that weights compare
/// costs first and then the number of elements of cost 0.
const LIGHT: usize = 1;
const HEAVY: usize = 1 << 12;

impl Cheapest {
    /// Without elements or clauses.
    pub fn new(kind: SolverKind, budget: &Budget) -> Self {
        Self {
            session: Session::new(kind, budget),
            variables: BasicVarManager::default(),
            elements: Vec::new(),
            totalizer: GeneralizedTotalizer::default(),
            bound: 0,
        }
    }

    /// Adds an element and returns its index, counted from 0.
    pub fn element(&mut self, cost: u32) -> usize {
        let lit = self.variables.new_lit();
        self.elements.push(Element {
            lit,
            cost,
            counted: false,
        });
        self.elements.len() - 1
    }

    /// Requires that one of `some` is chosen or one of `others` is not.
    pub fn clause(&mut self, some: &[usize], others: &[usize]) {
        let mut clause: Vec<Lit> = some.iter().map(|&e| self.elements[e].lit).collect();
        clause.extend(others.iter().map(|&e| !self.elements[e].lit));
        self.session.add_clause(&clause);
        for &element in some {
            let element = &mut self.elements[element];
            if !std::mem::replace(&mut element.counted, true) {
                let weight = weight(element.cost);
                self.totalizer.extend([(element.lit, weight)]);
            }
        }
    }

    /// A lower bound on the cost of every choice that satisfies the clauses.
    pub fn lower_bound(&self) -> u64 {
        (self.bound / HEAVY) as u64
    }

    /// The cheapest choice.
    pub fn cheapest(&mut self) -> Choice {
        let mut upper = match self.session.solve(&[]) {
            SolverAnswer::Sat => self.chosen(),
            SolverAnswer::Unsat(_) => return Choice::Impossible,
            SolverAnswer::Stopped => return Choice::Stopped,
        };
        let weights = self.elements.iter().filter(|element| element.counted);
        let step = weights.map(|e| weight(e.cost)).fold(0, gcd).max(1);
        loop {
            let most = self.weight_of(&upper);
            if most <= self.bound {
                return upper;
            }
            // The least cost usually grows little, so search from below; if the gap is large,
            // search from above.
            let below = (most - self.bound) / step <= STEPS;
            let tried = if below { self.bound } else { most - 1 };
            match self.at_most(tried) {
                SolverAnswer::Sat => upper = self.chosen(),
                SolverAnswer::Unsat(_) if below => self.bound = (self.bound / step + 1) * step,
                SolverAnswer::Unsat(_) => self.bound = most,
                SolverAnswer::Stopped => return Choice::Stopped,
            }
        }
    }

    /// Whether some choice weighs at most `most`.
    fn at_most(&mut self, most: usize) -> SolverAnswer {
        let mut clauses = Cnf::new();
        let encoded =
            self.totalizer
                .encode_ub_change(most..=most, &mut clauses, &mut self.variables);
        if encoded.is_err() {
            return SolverAnswer::Stopped;
        }
        for clause in &clauses {
            let clause: Vec<Lit> = clause.iter().copied().collect();
            self.session.add_clause(&clause);
        }
        match self.totalizer.enforce_ub(most) {
            Ok(assumptions) => self.session.solve(&assumptions),
            Err(_) => SolverAnswer::Stopped,
        }
    }

    fn weight_of(&self, choice: &Choice) -> usize {
        match choice {
            Choice::Found { chosen, .. } => {
                chosen.iter().map(|&e| weight(self.elements[e].cost)).sum()
            }
            Choice::Impossible | Choice::Stopped => 0,
        }
    }

    fn chosen(&self) -> Choice {
        let chosen: Vec<usize> = (0..self.elements.len())
            .filter(|&e| self.elements[e].counted && self.session.value(self.elements[e].lit))
            .collect();
        let costs = chosen.iter().map(|&e| u64::from(self.elements[e].cost));
        Choice::Found {
            cost: costs.sum(),
            chosen,
        }
    }
}

/// The largest gap, in steps, that is searched from below.
const STEPS: usize = 16;

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn weight(cost: u32) -> usize {
    if cost == 0 {
        LIGHT
    } else {
        cost as usize * HEAVY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn choice(costs: &[u32], clauses: &[(Vec<usize>, Vec<usize>)]) -> Choice {
        let mut cheapest = Cheapest::new(SolverKind::default(), &Budget::default());
        for &cost in costs {
            cheapest.element(cost);
        }
        // Solving after each clause checks that the bound never exceeds the least cost.
        let mut last = None;
        for (some, others) in clauses {
            cheapest.clause(some, others);
            last = Some(cheapest.cheapest());
        }
        last.unwrap_or_else(|| cheapest.cheapest())
    }

    /// The least cost over all subsets.
    fn brute_force(costs: &[u32], clauses: &[(Vec<usize>, Vec<usize>)]) -> Option<u64> {
        (0..1_u32 << costs.len())
            .filter(|&set| {
                let has = |e: &usize| set >> e & 1 == 1;
                clauses
                    .iter()
                    .all(|(some, others)| some.iter().any(has) || !others.iter().all(has))
            })
            .map(|set| {
                let costs = costs.iter().enumerate();
                let chosen = costs.filter(|(e, _)| set >> e & 1 == 1);
                chosen.map(|(_, &cost)| u64::from(cost)).sum()
            })
            .min()
    }

    #[test]
    fn the_empty_choice_is_the_cheapest_of_all() {
        assert_eq!(
            choice(&[1, 2], &[]),
            Choice::Found {
                chosen: vec![],
                cost: 0
            }
        );
    }

    #[test]
    fn one_expensive_element_may_be_cheaper_than_two() {
        let clauses = [(vec![0, 2], vec![]), (vec![1, 2], vec![])];
        assert_eq!(
            choice(&[5, 5, 7], &clauses),
            Choice::Found {
                chosen: vec![2],
                cost: 7
            }
        );
        assert_eq!(
            choice(&[3, 3, 7], &clauses),
            Choice::Found {
                chosen: vec![0, 1],
                cost: 6
            }
        );
    }

    #[test]
    fn an_element_of_cost_0_is_chosen_only_if_it_helps() {
        let clauses = [(vec![0, 1], vec![]), (vec![1, 2], vec![])];
        assert_eq!(
            choice(&[0, 0, 0], &clauses),
            Choice::Found {
                chosen: vec![1],
                cost: 0
            }
        );
    }

    /// Among many sets of equal cost, the result is always the same one.
    #[test]
    fn the_same_clauses_give_the_same_choice() {
        let clauses: Vec<(Vec<usize>, Vec<usize>)> = (0..12_usize)
            .map(|i| ((0..4).map(|j| (5 * i + 7 * j) % 24).collect(), vec![]))
            .collect();
        let first = choice(&[1; 24], &clauses);
        for _ in 0..10 {
            assert_eq!(choice(&[1; 24], &clauses), first);
        }
    }

    #[test]
    fn contradictory_clauses_are_reported() {
        assert_eq!(
            choice(&[1], &[(vec![0], vec![]), (vec![], vec![0])]),
            Choice::Impossible
        );
        assert_eq!(choice(&[1], &[(vec![], vec![])]), Choice::Impossible);
    }

    proptest! {
        #[test]
        fn the_cost_is_that_of_the_best_of_all_subsets(
            costs in prop::collection::vec(
                prop_oneof![Just(0), Just(1), Just(10), 1..6_u32, Just(1_000_000), Just(999)], 1..9,
            ),
            clauses in prop::collection::vec(
                (prop::collection::vec(0..9_usize, 0..5), prop::collection::vec(0..9_usize, 0..3)),
                0..8,
            ),
        ) {
            let count = costs.len();
            let fit = |set: &Vec<usize>| -> Vec<usize> { set.iter().map(|e| e % count).collect() };
            let clauses: Vec<_> = clauses.iter().map(|(a, b)| (fit(a), fit(b))).collect();
            match (choice(&costs, &clauses), brute_force(&costs, &clauses)) {
                (Choice::Found { chosen, cost }, Some(least)) => {
                    prop_assert_eq!(cost, least);
                    let holds = clauses.iter().all(|(some, others)| {
                        some.iter().any(|e| chosen.contains(e))
                            || !others.iter().all(|e| chosen.contains(e))
                    });
                    prop_assert!(holds);
                }
                (found, least) => {
                    prop_assert_eq!(found, Choice::Impossible);
                    prop_assert_eq!(least, None);
                }
            }
        }
    }
}
