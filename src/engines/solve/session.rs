//! A session: one growing formula, many queries, and only confirmed cores.
//!
//! The guard works as follows. The solver returns "unsat" under the assumptions `a`, with the core
//! `c`. Unless `c` is all of `a`, the session solves again under exactly `c`. If that is
//! satisfiable, the core was wrong and is repaired: the model found satisfies `c` but not all of
//! `a`, so every correct core contains an assumption that this model falsifies. The first such
//! assumption is added to `c`, until `c` is unsatisfiable.
//!
//! ```text
//!   c := raw core, in the order of a
//!   while some model satisfies c:  c := c ∪ {first l in a that the model falsifies}
//! ```
//!
//! Each round adds an assumption, so there are at most |a| rounds, and usually one, whereas
//! deletion from the whole of `a` takes |a| calls. If a model falsifies *none* of `a`, the verdict
//! itself was wrong, and the result is that model: a model is evidence.
//!
//! Assumptions are normalized before they reach the solver. Duplicates are dropped, and a pair `l`,
//! `¬l` is a core by itself, without a solver call.
//!
//! **Absent.** Minimality of cores: a caller that wants small cores drops assumptions and solves
//! again.

use super::backend::{Backend, backend};
use super::certify::{CertifyError, certify};
use super::{Clauses, SessionStats, SolverAnswer, SolverKind};
use crate::verdict::Budget;
use rustsat::OutOfMemory;
use rustsat::encodings::CollectClauses;
use rustsat::solvers::SolverResult;
use rustsat::types::{Clause, Lit};

/// One formula and a solver for it.
pub struct Session {
    backend: Box<dyn Backend>,
    budget: Budget,
    queries: u64,
    checks: u64,
    repaired_cores: u64,
    breakdowns: u64,
    /// A stamp per literal index: the literal is in the current set if its stamp is the current
    /// one.
    marks: Vec<u64>,
    stamp: u64,
}

/// Normalized assumptions.
enum Normalized {
    /// Each literal once, in the order of its first mention.
    Consistent(Vec<Lit>),
    /// A literal and its negation, in the order of their first mention.
    Contradictory([Lit; 2]),
}

impl Session {
    /// A session with a solver of this kind and no clauses. Only the stop flag of the budget is
    /// used.
    pub fn new(kind: SolverKind, budget: &Budget) -> Self {
        Self::with_backend(backend(kind, budget), budget)
    }

    pub(super) fn with_backend(backend: Box<dyn Backend>, budget: &Budget) -> Self {
        Self {
            backend,
            budget: budget.clone(),
            queries: 0,
            checks: 0,
            repaired_cores: 0,
            breakdowns: 0,
            marks: Vec::new(),
            stamp: 0,
        }
    }

    /// Adds a clause. It reaches the solver at the next query; until then [`Session::value`] still
    /// reads the last model.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.backend.push(clause);
    }

    /// Every clause added, in order.
    pub fn clauses(&self) -> &Clauses {
        self.backend.log()
    }

    /// Whether the formula has a model under these assumptions, which hold for this query only.
    pub fn solve(&mut self, assumptions: &[Lit]) -> SolverAnswer {
        self.queries += 1;
        let given = match self.normalize(assumptions) {
            Normalized::Consistent(given) => given,
            Normalized::Contradictory(pair) => return SolverAnswer::Unsat(pair.to_vec()),
        };
        match self.call(&given) {
            SolverResult::Sat => SolverAnswer::Sat,
            SolverResult::Unsat => self.confirm(&given),
            SolverResult::Interrupted => SolverAnswer::Stopped,
        }
    }

    /// The value of a literal in the last model. A variable that occurs in no clause and in no
    /// assumption of that query is false.
    ///
    /// # Panics
    /// The last result was not [`SolverAnswer::Sat`].
    pub fn value(&self, lit: Lit) -> bool {
        self.backend.holds(lit)
    }

    /// Certifies that the formula has no model under these assumptions: a fresh solver proves it
    /// again, and an independent checker checks the proof. Confirming a core only trusts the same
    /// solver a second time; this does not.
    ///
    /// # Errors
    /// There is a model, the stop flag was raised, or the proof was rejected.
    pub fn certify(&self, assumptions: &[Lit]) -> Result<(), CertifyError> {
        certify(self.clauses(), assumptions, &self.budget)
    }

    /// The counters of the session.
    pub fn stats(&self) -> SessionStats {
        SessionStats {
            queries: self.queries,
            checks: self.checks,
            repaired_cores: self.repaired_cores,
            breakdowns: self.breakdowns,
            variables: self.clauses().variables(),
            clauses: self.clauses().len(),
        }
    }

    /// Calls the solver. After a breakdown it is rebuilt and called once more: without its learned
    /// clauses, its search takes another path.
    fn call(&mut self, assumptions: &[Lit]) -> SolverResult {
        if self.budget.is_stopped() {
            return SolverResult::Interrupted;
        }
        self.budget.progress().solving();
        for _ in 0..2 {
            match self.backend.decide(assumptions) {
                Ok(result) => return result,
                Err(_) => self.breakdowns += 1,
            }
        }
        SolverResult::Interrupted
    }

    fn check(&mut self, assumptions: &[Lit]) -> SolverResult {
        self.checks += 1;
        self.call(assumptions)
    }

    /// The guard: turns the solver's "unsat" under `given` into a confirmed core.
    fn confirm(&mut self, given: &[Lit]) -> SolverAnswer {
        let blamed = self.backend.raw_core();
        let mut inside = self.select(given, &blamed);
        let mut repaired = 0;
        loop {
            let core: Vec<Lit> = subset(given, &inside).collect();
            if core.len() == given.len() {
                // This is the query itself, which the solver has already decided.
                self.repaired_cores += u64::from(repaired > 0);
                return SolverAnswer::Unsat(core);
            }
            match self.check(&core) {
                SolverResult::Unsat => {
                    self.repaired_cores += u64::from(repaired > 0);
                    return SolverAnswer::Unsat(core);
                }
                SolverResult::Interrupted => return SolverAnswer::Stopped,
                SolverResult::Sat => {
                    let falsified = given.iter().position(|&lit| !self.backend.holds(lit));
                    let Some(falsified) = falsified else {
                        return SolverAnswer::Sat;
                    };
                    inside[falsified] = true;
                    repaired += 1;
                }
            }
        }
    }

    /// Which of the given literals are among the chosen ones.
    fn select(&mut self, given: &[Lit], chosen: &[Lit]) -> Vec<bool> {
        self.stamp += 1;
        for &lit in chosen {
            *self.mark(lit) = self.stamp;
        }
        let stamp = self.stamp;
        given.iter().map(|&lit| *self.mark(lit) == stamp).collect()
    }

    fn normalize(&mut self, assumptions: &[Lit]) -> Normalized {
        self.stamp += 1;
        let stamp = self.stamp;
        let mut given = Vec::with_capacity(assumptions.len());
        for &lit in assumptions {
            if *self.mark(!lit) == stamp {
                return Normalized::Contradictory([!lit, lit]);
            }
            if *self.mark(lit) != stamp {
                *self.mark(lit) = stamp;
                given.push(lit);
            }
        }
        Normalized::Consistent(given)
    }

    fn mark(&mut self, lit: Lit) -> &mut u64 {
        if self.marks.len() <= lit.lidx() {
            self.marks.resize(lit.lidx() + 1, 0);
        }
        &mut self.marks[lit.lidx()]
    }
}

fn subset<'a>(given: &'a [Lit], inside: &'a [bool]) -> impl Iterator<Item = Lit> + 'a {
    let chosen = given.iter().zip(inside).filter(|&(_, &inside)| inside);
    chosen.map(|(&lit, _)| lit)
}

/// rustsat's encodings, such as its totalizer, write into a session directly.
impl CollectClauses for Session {
    fn n_clauses(&self) -> usize {
        self.clauses().len()
    }

    fn extend_clauses<T: IntoIterator<Item = Clause>>(
        &mut self,
        clauses: T,
    ) -> Result<(), OutOfMemory> {
        for clause in clauses {
            self.backend.push(clause.as_ref());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustsat::encodings::card::{BoundUpper, BoundUpperIncremental, Totalizer};
    use rustsat::instances::BasicVarManager;
    use rustsat::types::Var;

    #[test]
    fn a_totalizer_of_rustsat_writes_into_a_session() {
        for &kind in SolverKind::ALL {
            let mut session = Session::new(kind, &Budget::default());
            let lits: Vec<Lit> = (0..6).map(Lit::positive).collect();
            // At least two of each triple must be true, so at least four of all six.
            for triple in lits.chunks(3) {
                for spared in 0..3 {
                    let mut clause = triple.to_vec();
                    clause.remove(spared);
                    session.add_clause(&clause);
                }
            }
            let mut variables = BasicVarManager::from_next_free(Var::new(6));
            let mut count: Totalizer = lits.iter().copied().collect();
            for bound in 0..6 {
                let encoded = count.encode_ub_change(bound..=bound, &mut session, &mut variables);
                encoded.expect("there is memory");
                let at_most = count.enforce_ub(bound).expect("encoded");
                match session.solve(&at_most) {
                    SolverAnswer::Sat => assert!(bound >= 4),
                    SolverAnswer::Unsat(core) => assert!(bound < 4 && !core.is_empty()),
                    SolverAnswer::Stopped => panic!("the stop flag is never raised"),
                }
            }
            assert_eq!(session.stats().queries, 6);
        }
    }
}
