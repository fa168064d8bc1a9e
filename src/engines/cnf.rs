//! Clauses, and the gates, numbers and orders built from them.
//!
//! A [`Cnf`] hands out literals and collects clauses; the owner of the solver feeds it the new
//! ones. Gates fold constants and are hash-consed: the same gate always gets the same literal, so
//! an encoder need not avoid repeated terms.
//!
//! ```text
//! bits    two's complement numbers of up to 32 bits, over gates
//! order   a graph with conditional edges that must have no cycle
//! ```
//!
//! **Invariant.** Variable 0 is true. Every gate is defined in both directions, so its literal may
//! be used in either polarity and as an assumption.
//!
//! **Absent.** Programs, events and solvers: this module is pure logic.

mod bits;
mod order;

pub(crate) use bits::{Bits, term};
pub use order::Acyclicity;
pub(crate) use order::{NodeId, Order};

use ahash::AHashMap;
use rustsat::instances::{BasicVarManager, Cnf as Clauses, ManageVars};
use rustsat::types::Lit;

/// A growing set of clauses over a growing set of variables.
#[derive(Debug)]
pub(crate) struct Cnf {
    literals: Vec<Lit>,
    ends: Vec<usize>,
    variables: u32,
    gates: AHashMap<Gate, Lit>,
    conjunctions: AHashMap<Vec<Lit>, Lit>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Mux(Lit, Lit, Lit),
}

impl Cnf {
    /// Contains only the clause that makes variable 0 true.
    pub(crate) fn new() -> Self {
        Self {
            literals: vec![Cnf::TRUE],
            ends: vec![1],
            variables: 1,
            gates: AHashMap::new(),
            conjunctions: AHashMap::new(),
        }
    }

    /// The literal that is true.
    pub(crate) const TRUE: Lit = Lit::positive(0);
    /// The literal that is false.
    pub(crate) const FALSE: Lit = Lit::negative(0);

    /// The literal of a constant.
    pub(crate) fn constant(value: bool) -> Lit {
        if value { Cnf::TRUE } else { Cnf::FALSE }
    }

    /// A literal of a new variable.
    pub(crate) fn fresh(&mut self) -> Lit {
        let lit = Lit::positive(self.variables);
        self.variables += 1;
        lit
    }

    /// Adds clauses that were built elsewhere, over these variables and over further ones, which
    /// are then no longer free.
    pub(crate) fn import(&mut self, clauses: &Clauses, variables: &BasicVarManager) {
        self.variables = self.variables.max(variables.n_used());
        for clause in clauses {
            self.clause(clause.as_ref());
        }
    }

    /// The number of variables handed out.
    pub(crate) fn variables(&self) -> usize {
        self.variables as usize
    }

    /// The number of clauses.
    pub(crate) fn clauses(&self) -> usize {
        self.ends.len()
    }

    /// The clauses from index `first` on.
    pub(crate) fn clauses_from(&self, first: usize) -> impl Iterator<Item = &[Lit]> {
        (first..self.ends.len()).map(|index| {
            let start = if index == 0 { 0 } else { self.ends[index - 1] };
            &self.literals[start..self.ends[index]]
        })
    }

    /// Adds a clause. False literals are dropped; a clause with a true literal is not added.
    pub(crate) fn clause(&mut self, clause: &[Lit]) {
        if clause.contains(&Cnf::TRUE) {
            return;
        }
        let before = self.literals.len();
        for &lit in clause {
            if lit != Cnf::FALSE {
                self.literals.push(lit);
            }
        }
        debug_assert!(
            self.literals[before..]
                .iter()
                .all(|l| l.vidx32() < self.variables)
        );
        self.ends.push(self.literals.len());
    }

    /// `a → b`.
    pub(crate) fn implies(&mut self, a: Lit, b: Lit) {
        self.clause(&[!a, b]);
    }

    /// `a ∧ b`.
    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if a == Cnf::FALSE || b == Cnf::FALSE || a == !b {
            return Cnf::FALSE;
        }
        if a == Cnf::TRUE || a == b {
            return b;
        }
        if b == Cnf::TRUE {
            return a;
        }
        let key = Gate::And(a.min(b), a.max(b));
        if let Some(&lit) = self.gates.get(&key) {
            return lit;
        }
        let out = self.fresh();
        self.gates.insert(key, out);
        self.clause(&[!out, a]);
        self.clause(&[!out, b]);
        self.clause(&[out, !a, !b]);
        out
    }

    /// `a ∨ b`.
    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `a ⊕ b`.
    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (a, b) {
            (Cnf::FALSE, _) => return b,
            (_, Cnf::FALSE) => return a,
            (Cnf::TRUE, _) => return !b,
            (_, Cnf::TRUE) => return !a,
            _ if a == b => return Cnf::FALSE,
            _ if a == !b => return Cnf::TRUE,
            _ => {}
        }
        // Signs move to the output, so that all four sign variants over two variables share one
        // gate.
        let negated = a.is_neg() != b.is_neg();
        let (a, b) = (Lit::new(a.vidx32(), false), Lit::new(b.vidx32(), false));
        let key = Gate::Xor(a.min(b), a.max(b));
        let out = if let Some(&lit) = self.gates.get(&key) {
            lit
        } else {
            let out = self.fresh();
            self.gates.insert(key, out);
            self.clause(&[!out, a, b]);
            self.clause(&[!out, !a, !b]);
            self.clause(&[out, !a, b]);
            self.clause(&[out, a, !b]);
            out
        };
        if negated { !out } else { out }
    }

    /// `c ? a : b`.
    pub(crate) fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if c == Cnf::TRUE || a == b {
            return a;
        }
        if c == Cnf::FALSE {
            return b;
        }
        if a == Cnf::TRUE || a == c {
            return self.or(c, b);
        }
        if a == Cnf::FALSE || a == !c {
            return self.and(!c, b);
        }
        if b == Cnf::TRUE || b == !c {
            return self.or(!c, a);
        }
        if b == Cnf::FALSE || b == c {
            return self.and(c, a);
        }
        if a == !b {
            return self.xor(c, b);
        }
        if c.is_neg() {
            return self.mux(!c, b, a);
        }
        let key = Gate::Mux(c, a, b);
        if let Some(&lit) = self.gates.get(&key) {
            return lit;
        }
        let out = self.fresh();
        self.gates.insert(key, out);
        self.clause(&[!c, !a, out]);
        self.clause(&[!c, a, !out]);
        self.clause(&[c, !b, out]);
        self.clause(&[c, b, !out]);
        // Redundant, but these propagate when the branches agree.
        self.clause(&[!a, !b, out]);
        self.clause(&[a, b, !out]);
        out
    }

    /// The conjunction of any number of literals.
    pub(crate) fn and_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut lits: Vec<Lit> = lits.into_iter().filter(|&lit| lit != Cnf::TRUE).collect();
        lits.sort_unstable();
        lits.dedup();
        // The two literals of a variable are adjacent in the order of literals.
        if lits.contains(&Cnf::FALSE) || lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Cnf::FALSE;
        }
        match *lits {
            [] => return Cnf::TRUE,
            [a] => return a,
            [a, b] => return self.and(a, b),
            _ => {}
        }
        if let Some(&lit) = self.conjunctions.get(&lits) {
            return lit;
        }
        let out = self.fresh();
        let mut long: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        long.push(out);
        self.clause(&long);
        for &lit in &lits {
            self.clause(&[!out, lit]);
        }
        self.conjunctions.insert(lits, out);
        out
    }

    /// The disjunction of any number of literals.
    pub(crate) fn or_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and_all(lits.into_iter().map(|lit| !lit))
    }

    /// At most one of the literals is true: pairwise for few literals, else a ladder.
    pub(crate) fn at_most_one(&mut self, lits: &[Lit]) {
        if lits.len() <= 5 {
            for (i, &a) in lits.iter().enumerate() {
                for &b in &lits[i + 1..] {
                    self.clause(&[!a, !b]);
                }
            }
            return;
        }
        // (ladder) lits[i] → before[i+1], before[i] → before[i+1], ¬(before[i] ∧ lits[i])
        let mut before = lits[0];
        for &lit in &lits[1..] {
            self.clause(&[!before, !lit]);
            let next = self.fresh();
            self.implies(before, next);
            self.implies(lit, next);
            before = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the clauses have a model with these literals true, by brute force.
    pub(super) fn satisfiable(cnf: &Cnf, assumed: &[Lit]) -> bool {
        let n = cnf.variables();
        assert!(n <= 22, "too many variables for brute force: {n}");
        (0u32..1 << n).any(|model| {
            let holds = |lit: Lit| (model >> lit.vidx() & 1 == 1) != lit.is_neg();
            assumed.iter().all(|&lit| holds(lit))
                && cnf
                    .clauses_from(0)
                    .all(|clause| clause.iter().any(|&lit| holds(lit)))
        })
    }

    #[test]
    fn each_gate_computes_the_function_in_its_name() {
        for mask in 0..8u32 {
            let mut cnf = Cnf::new();
            let v: Vec<Lit> = (0..3).map(|_| cnf.fresh()).collect();
            let assume: Vec<Lit> = (0..3)
                .map(|i| if mask >> i & 1 == 1 { v[i] } else { !v[i] })
                .collect();
            let bit = |i: usize| mask >> i & 1 == 1;
            let gates = [
                (cnf.and(v[0], v[1]), bit(0) && bit(1)),
                (cnf.or(v[0], !v[1]), bit(0) || !bit(1)),
                (cnf.xor(v[0], !v[1]), bit(0) == bit(1)),
                (
                    cnf.mux(v[2], v[0], v[1]),
                    if bit(2) { bit(0) } else { bit(1) },
                ),
                (
                    cnf.mux(!v[2], !v[0], v[1]),
                    if bit(2) { bit(1) } else { !bit(0) },
                ),
                (cnf.and_all([v[0], v[1], v[2]]), bit(0) && bit(1) && bit(2)),
                (cnf.or_all([v[0], !v[1], v[2]]), bit(0) || !bit(1) || bit(2)),
            ];
            for (index, (lit, value)) in gates.into_iter().enumerate() {
                let mut wrong = assume.clone();
                wrong.push(if value { !lit } else { lit });
                assert!(!satisfiable(&cnf, &wrong), "gate {index} under {mask:03b}");
            }
            assert!(satisfiable(&cnf, &assume));
        }
    }

    #[test]
    fn at_most_one_allows_one_and_forbids_two() {
        for n in 2..8 {
            let mut cnf = Cnf::new();
            let lits: Vec<Lit> = (0..n).map(|_| cnf.fresh()).collect();
            cnf.at_most_one(&lits);
            for &a in &lits {
                assert!(satisfiable(&cnf, &[a]));
                for &b in lits.iter().filter(|&&b| b != a) {
                    assert!(!satisfiable(&cnf, &[a, b]));
                }
            }
        }
    }
}
