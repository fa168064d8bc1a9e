//! The switches of statement pairs, and a bound on how many pairs are free.
//!
//! ```text
//! o(a,b)   switch: executions of a stay before those of b; its clauses are (pair) in program_order
//! (most)   at_most(k) → |{(a,b): ¬o(a,b)}| ≤ k
//! ```
//!
//! (most) is a totalizer, built when it is first asked for and extended as bounds grow
//! [JK15, section 5; Martins et al., CP 2014]. A pair that is kept in order is not counted, whether
//! a question keeps it or the solver chooses to.

use crate::cnf::Cnf;
use crate::program::Site;
use ahash::AHashMap;
use rustsat::encodings::card::{BoundUpper, BoundUpperIncremental, Totalizer};
use rustsat::instances::{BasicVarManager, Cnf as Clauses};
use rustsat::types::{Lit, Var};

/// The pairs of a plan.
#[derive(Debug, Default)]
pub(super) struct StatementPairs {
    switches: Vec<((Site, Site), Lit)>,
    by_pair: AHashMap<(Site, Site), Lit>,
    count: Option<Totalizer>,
    /// The literals of the bounds asked for so far.
    bounds: AHashMap<usize, Lit>,
}

impl StatementPairs {
    /// A switch for each pair; one that is named twice counts once.
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

    /// The literal under which at most so many pairs are free; absent where that forbids nothing.
    pub(super) fn at_most(&mut self, most: usize, cnf: &mut Cnf) -> Option<Lit> {
        if most >= self.switches.len() {
            return None;
        }
        if let Some(&lit) = self.bounds.get(&most) {
            return Some(lit);
        }
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
        self.bounds.insert(most, bound);
        Some(bound)
    }
}
