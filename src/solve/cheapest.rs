//! The cheapest choice of elements that satisfies clauses: hitting sets and their like.
//!
//! Elements have costs; a clause asks that one of some elements is chosen, or one of others is not.
//! Clauses are only added, so that the least cost only grows, and the search for it starts where
//! the last one ended:
//!
//! ```text
//!   bound := least cost so far
//!   while no choice costs at most bound:  bound := the next sum of costs
//! ```
//!
//! Each "no" is a proof that nothing costs so little. The sum of the costs is a generalised
//! totalizer [Joshi, Martins, Manquinho, CP 2015], extended as elements come into use. Of choices
//! of one cost that with fewest elements of cost 0 counts as cheaper.

use super::{Answer, Session, SolverKind};
use crate::verdict::Budget;
use rustsat::encodings::pb::{BoundUpper, BoundUpperIncremental, Encode, GeneralizedTotalizer};
use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
use rustsat::types::Lit;

/// A choice of elements under construction.
pub struct Cheapest {
    session: Session,
    variables: BasicVarManager,
    elements: Vec<Element>,
    totalizer: GeneralizedTotalizer,
    /// No choice weighs less.
    bound: usize,
}

struct Element {
    lit: Lit,
    cost: u32,
    /// Whether the totalizer knows it. One that no clause asks for is never chosen.
    counted: bool,
}

/// The answer to a question for the cheapest choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// These elements, ascending. Nothing costs less.
    Found {
        /// What is chosen.
        chosen: Vec<usize>,
        /// The sum of the costs.
        cost: u64,
    },
    /// The clauses contradict each other.
    Impossible,
    /// The stop flag was raised first.
    Stopped,
}

/// A cost of 0 weighs this much, one of 1 so much more that costs come first, then how many.
const LIGHT: usize = 1;
const HEAVY: usize = 1 << 12;

impl Cheapest {
    /// Nothing to choose from.
    pub fn new(kind: SolverKind, budget: &Budget) -> Self {
        Self {
            session: Session::new(kind, budget),
            variables: BasicVarManager::default(),
            elements: Vec::new(),
            totalizer: GeneralizedTotalizer::default(),
            bound: 0,
        }
    }

    /// A further element; they are numbered from 0.
    pub fn element(&mut self, cost: u32) -> usize {
        let lit = self.variables.new_lit();
        self.elements.push(Element {
            lit,
            cost,
            counted: false,
        });
        self.elements.len() - 1
    }

    /// Asks that one of `some` is chosen or one of `others` is not.
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

    /// No choice that satisfies the clauses costs less, as far as is known.
    pub fn lower_bound(&self) -> u64 {
        (self.bound / HEAVY) as u64
    }

    /// The cheapest choice.
    pub fn cheapest(&mut self) -> Choice {
        match self.session.solve(&[]) {
            Answer::Sat => {}
            Answer::Unsat(_) => return Choice::Impossible,
            Answer::Stopped => return Choice::Stopped,
        }
        loop {
            let most = self.totalizer.weight_sum();
            let assumptions = if self.bound < most {
                let mut clauses = Cnf::new();
                let encoded = self.totalizer.encode_ub_change(
                    self.bound..=self.bound,
                    &mut clauses,
                    &mut self.variables,
                );
                if encoded.is_err() {
                    return Choice::Stopped;
                }
                for clause in &clauses {
                    let clause: Vec<Lit> = clause.iter().copied().collect();
                    self.session.add_clause(&clause);
                }
                match self.totalizer.enforce_ub(self.bound) {
                    Ok(assumptions) => assumptions,
                    Err(_) => return Choice::Stopped,
                }
            } else {
                Vec::new()
            };
            match self.session.solve(&assumptions) {
                Answer::Sat => return self.chosen(),
                Answer::Unsat(_) if self.bound >= most => return Choice::Impossible,
                Answer::Unsat(_) => self.bound = self.next_sum(),
                Answer::Stopped => return Choice::Stopped,
            }
        }
    }

    /// The next sum of costs. The totalizer leaves out elements that alone weigh more than the
    /// bound, and sums with them.
    fn next_sum(&self) -> usize {
        let counted = self.elements.iter().filter(|element| element.counted);
        let alone = counted.map(|element| weight(element.cost));
        let alone = alone.filter(|&weight| weight > self.bound).min();
        let sum = self.totalizer.next_higher(self.bound);
        alone.map_or(sum, |alone| alone.min(sum))
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
        // Asked for in between, the bound must not run ahead.
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
    fn one_dear_element_may_be_cheaper_than_two() {
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
    fn what_costs_nothing_is_chosen_only_where_it_helps() {
        let clauses = [(vec![0, 1], vec![]), (vec![1, 2], vec![])];
        assert_eq!(
            choice(&[0, 0, 0], &clauses),
            Choice::Found {
                chosen: vec![1],
                cost: 0
            }
        );
    }

    /// Of many sets that cost as much, always the same one.
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
    fn contradictions_are_seen() {
        assert_eq!(
            choice(&[1], &[(vec![0], vec![]), (vec![], vec![0])]),
            Choice::Impossible
        );
        assert_eq!(choice(&[1], &[(vec![], vec![])]), Choice::Impossible);
    }

    proptest! {
        #[test]
        fn the_cost_is_that_of_the_best_of_all_subsets(
            costs in prop::collection::vec(prop_oneof![Just(0), Just(1), Just(10), 1..6_u32], 1..9),
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
