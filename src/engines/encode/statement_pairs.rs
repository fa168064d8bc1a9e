//! The switches of statement pairs, and a bound on how many pairs are free.
//!
//! ```text
//! o(a,b)   switch: executions of a stay before those of b; its clauses are (pair) in program_order
//! (most)   at_most(k) → |{(a,b): ¬o(a,b)}| ≤ k
//! ```
//!
//! For a small k, (most) is a totalizer, built on first use and extended as bounds grow [JK15,
//! section 5; Martins et al., CP 2014]: it propagates, and its size grows with k times the number
//! of pairs. A large k constrains little, and is compared with the number of free pairs in binary,
//! which is linear in the number of pairs for every k. A pair that is kept in order is not counted,
//! whether the query keeps it or the solver chooses to.

use crate::cnf::Cnf;
use crate::program::Site;
use ahash::AHashMap;
use rustsat::encodings::card::{BoundUpper, BoundUpperIncremental, Totalizer};
use rustsat::instances::{BasicVarManager, Cnf as Clauses};
use rustsat::types::{Lit, Var};
use std::collections::VecDeque;

/// The greatest bound for which a totalizer is used.
const TOTALIZED: usize = 20;

/// The pairs of a plan.
#[derive(Debug, Default)]
pub(super) struct StatementPairs {
    switches: Vec<((Site, Site), Lit)>,
    by_pair: AHashMap<(Site, Site), Lit>,
    count: Option<Totalizer>,
    /// The number of free pairs, in binary, least significant bit first.
    number: Option<Vec<Lit>>,
    /// The literals of the bounds used so far.
    bounds: AHashMap<usize, Lit>,
}

impl StatementPairs {
    /// Creates a switch for each distinct pair.
    pub(super) fn new(pairs: &[(Site, Site)], cnf: &mut Cnf) -> Self {
        let mut all = Self::default();
        for &pair in pairs {
            if !all.by_pair.contains_key(&pair) {
                let switch = cnf.fresh();
                all.by_pair.insert(pair, switch);
                all.switches.push((pair, switch));
            }
        }
        all
    }

    /// The pairs with their switches, in the order of the plan.
    pub(super) fn switches(&self) -> &[((Site, Site), Lit)] {
        &self.switches
    }

    /// The switch of a pair.
    pub(super) fn switch(&self, pair: (Site, Site)) -> Option<Lit> {
        self.by_pair.get(&pair).copied()
    }

    /// The literal under which at most `most` pairs are free; `None` if that forbids nothing.
    pub(super) fn at_most(&mut self, most: usize, cnf: &mut Cnf) -> Option<Lit> {
        if most >= self.switches.len() {
            return None;
        }
        if let Some(&lit) = self.bounds.get(&most) {
            return Some(lit);
        }
        let bound = if most <= TOTALIZED {
            self.totalized(most, cnf)?
        } else {
            self.compared(most, cnf)
        };
        self.bounds.insert(most, bound);
        Some(bound)
    }

    fn totalized(&mut self, most: usize, cnf: &mut Cnf) -> Option<Lit> {
        let free = self.switches.iter().map(|&(_, switch)| !switch);
        let count = self.count.get_or_insert_with(|| free.collect());
        let next = Var::new(cnf.variables() as u32);
        let mut variables = BasicVarManager::from_next_free(next);
        let mut clauses = Clauses::new();
        count
            .encode_ub_change(most..=most, &mut clauses, &mut variables)
            .ok()?;
        let needed = count.enforce_ub(most).ok()?;
        cnf.import(&clauses, &variables);
        let bound = cnf.fresh();
        for lit in needed {
            cnf.implies(bound, lit);
        }
        Some(bound)
    }

    fn compared(&mut self, most: usize, cnf: &mut Cnf) -> Lit {
        let free = self.switches.iter().map(|&(_, switch)| !switch);
        let number = self.number.get_or_insert_with(|| sum(free.collect(), cnf));
        let mut at_most = Cnf::TRUE;
        for (place, &bit) in number.iter().enumerate() {
            at_most = if most >> place & 1 == 1 {
                cnf.or(!bit, at_most)
            } else {
                cnf.and(!bit, at_most)
            };
        }
        at_most
    }
}

/// The number of true literals, in binary, least significant bit first: at most one full adder per
/// literal.
fn sum(literals: Vec<Lit>, cnf: &mut Cnf) -> Vec<Lit> {
    let mut number = Vec::new();
    let mut column = VecDeque::from(literals);
    while !column.is_empty() {
        let mut carried = VecDeque::new();
        // Take the oldest first, which gives a tree instead of a chain.
        while column.len() > 1 {
            let mut next = || column.pop_front().unwrap_or(Cnf::FALSE);
            let (a, b, c) = (next(), next(), next());
            let differ = cnf.xor(a, b);
            carried.push_back(cnf.mux(differ, c, a));
            column.push_back(cnf.xor(differ, c));
        }
        number.extend(column);
        column = carried;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{InstrId, ThreadId};
    use crate::solve::{Session, SolverAnswer, SolverKind};
    use crate::verdict::Budget;

    /// Compares both encodings with the actual count.
    #[test]
    fn a_bound_allows_exactly_that_many_free_pairs() {
        const PAIRS: usize = 5;
        for most in 0..PAIRS {
            for encode in [
                StatementPairs::totalized,
                |pairs: &mut StatementPairs, most, cnf: &mut Cnf| Some(pairs.compared(most, cnf)),
            ] {
                let site = |instr: usize| Site {
                    thread: ThreadId(0),
                    instr: InstrId::from(instr),
                };
                let named: Vec<_> = (0..PAIRS).map(|i| (site(i), site(i + 1))).collect();
                let mut cnf = Cnf::new();
                let mut pairs = StatementPairs::new(&named, &mut cnf);
                let bound = encode(&mut pairs, most, &mut cnf).expect("there is memory");
                let mut session = Session::new(SolverKind::default(), &Budget::default());
                for clause in cnf.clauses_from(0) {
                    session.add_clause(clause);
                }
                for kept in 0..1_u32 << PAIRS {
                    let mut assumed = vec![bound];
                    for (i, &(_, switch)) in pairs.switches().iter().enumerate() {
                        assumed.push(if kept >> i & 1 == 1 { switch } else { !switch });
                    }
                    let free = PAIRS - kept.count_ones() as usize;
                    let allowed = session.solve(&assumed) == SolverAnswer::Sat;
                    assert_eq!(allowed, free <= most, "{free} of {most}");
                }
            }
        }
    }
}
