//! A session: one growing formula, many questions, and only confirmed cores.
//!
//! The guard. The solver says "unsat" and blames the assumptions `c` out of `a`. Unless `c` is all
//! of `a`, the session asks again under exactly `c`. If that is not unsat, the core was wrong, and
//! it is repaired: the model found satisfies `c` but not all of `a`, so every true core contains
//! an assumption that this model falsifies. The first such one joins `c`, until `c` is unsat.
//!
//! ```text
//!   c := raw core, in the order of a
//!   while some model satisfies c:  c := c ∪ {first l in a that the model falsifies}
//! ```
//!
//! Each round adds an assumption, so there are at most |a| rounds; it is the least repair, mostly
//! one round, where deletion from the whole of `a` takes |a| calls. If a model falsifies *none* of
//! `a`, then the verdict itself was wrong, and the answer is that model: a model is evidence.
//!
//! Assumptions are tidied before the solver sees them. Duplicates are dropped, and a pair `l`, `¬l`
//! is a core by itself, without a call.
//!
//! **Absent.** Minimality of cores: a caller that wants small ones drops assumptions and asks again.

use super::certify::{CertifyError, certify};
use super::engine::{Engine, engine};
use super::{Answer, Clauses, SolverKind, Stats};
use crate::verdict::Budget;
use rustsat::OutOfMemory;
use rustsat::encodings::CollectClauses;
use rustsat::solvers::SolverResult;
use rustsat::types::{Clause, Lit};

/// One formula and the solver that knows it.
pub struct Session {
    engine: Box<dyn Engine>,
    budget: Budget,
    queries: u64,
    checks: u64,
    repaired_cores: u64,
    breakdowns: u64,
    /// A stamp per literal index: in the set that carries the present stamp, or not.
    marks: Vec<u64>,
    stamp: u64,
}

/// Assumptions, tidied.
enum Tidy {
    /// Each literal once, in the order of its first mention.
    Consistent(Vec<Lit>),
    /// A literal and its negation, in the order of their first mention.
    Contradictory([Lit; 2]),
}

impl Session {
    /// A session with a solver of this kind and no clauses. Of the budget only the stop flag counts.
    pub fn new(kind: SolverKind, budget: &Budget) -> Self {
        Self::with_engine(engine(kind, budget), budget)
    }

    pub(super) fn with_engine(engine: Box<dyn Engine>, budget: &Budget) -> Self {
        Self {
            engine,
            budget: budget.clone(),
            queries: 0,
            checks: 0,
            repaired_cores: 0,
            breakdowns: 0,
            marks: Vec::new(),
            stamp: 0,
        }
    }

    /// Adds a clause. It reaches the solver at the next question, and leaves the model that
    /// [`Session::value`] reads as it is until then.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.engine.push(clause);
    }

    /// Every clause added, in order.
    pub fn clauses(&self) -> &Clauses {
        self.engine.log()
    }

    /// Whether the formula has a model under these assumptions, which hold for this question only.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.queries += 1;
        let given = match self.tidy(assumptions) {
            Tidy::Consistent(given) => given,
            Tidy::Contradictory(pair) => return Answer::Unsat(pair.to_vec()),
        };
        match self.call(&given) {
            SolverResult::Sat => Answer::Sat,
            SolverResult::Unsat => self.confirm(&given),
            SolverResult::Interrupted => Answer::Stopped,
        }
    }

    /// The value of a literal in the model found last. A variable that no clause and no assumption
    /// of that question named is false.
    ///
    /// # Panics
    /// The last answer was not [`Answer::Sat`].
    pub fn value(&self, lit: Lit) -> bool {
        self.engine.holds(lit)
    }

    /// Certifies that the formula has no model under these assumptions: a fresh solver proves it
    /// again, and a checker that is no solver follows the proof. Confirming a core rests on the
    /// solver's word, twice; this does not.
    ///
    /// # Errors
    /// There is a model, the stop flag was raised, or the proof was refused.
    pub fn certify(&self, assumptions: &[Lit]) -> Result<(), CertifyError> {
        certify(self.clauses(), assumptions, &self.budget)
    }

    /// What the session has done so far.
    pub fn stats(&self) -> Stats {
        Stats {
            queries: self.queries,
            checks: self.checks,
            repaired_cores: self.repaired_cores,
            breakdowns: self.breakdowns,
            variables: self.clauses().variables(),
            clauses: self.clauses().len(),
        }
    }

    /// Asks the solver. One that broke down is rebuilt and asked once more: without what it had
    /// learned, it takes another road.
    fn call(&mut self, assumptions: &[Lit]) -> SolverResult {
        if self.budget.is_stopped() {
            return SolverResult::Interrupted;
        }
        for _ in 0..2 {
            match self.engine.decide(assumptions) {
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
    fn confirm(&mut self, given: &[Lit]) -> Answer {
        let blamed = self.engine.raw_core();
        let mut inside = self.select(given, &blamed);
        let mut repaired = 0;
        loop {
            let core: Vec<Lit> = subset(given, &inside).collect();
            if core.len() == given.len() {
                // This is the question itself, and it has its answer.
                self.repaired_cores += u64::from(repaired > 0);
                return Answer::Unsat(core);
            }
            match self.check(&core) {
                SolverResult::Unsat => {
                    self.repaired_cores += u64::from(repaired > 0);
                    return Answer::Unsat(core);
                }
                SolverResult::Interrupted => return Answer::Stopped,
                SolverResult::Sat => {
                    let falsified = given.iter().position(|&lit| !self.engine.holds(lit));
                    let Some(falsified) = falsified else {
                        return Answer::Sat;
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

    fn tidy(&mut self, assumptions: &[Lit]) -> Tidy {
        self.stamp += 1;
        let stamp = self.stamp;
        let mut given = Vec::with_capacity(assumptions.len());
        for &lit in assumptions {
            if *self.mark(!lit) == stamp {
                return Tidy::Contradictory([!lit, lit]);
            }
            if *self.mark(lit) != stamp {
                *self.mark(lit) = stamp;
                given.push(lit);
            }
        }
        Tidy::Consistent(given)
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

/// rustsat's encodings, its totalizer for one, write into a session directly.
impl CollectClauses for Session {
    fn n_clauses(&self) -> usize {
        self.clauses().len()
    }

    fn extend_clauses<T: IntoIterator<Item = Clause>>(
        &mut self,
        clauses: T,
    ) -> Result<(), OutOfMemory> {
        for clause in clauses {
            self.engine.push(clause.as_ref());
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
            // Two of three, twice: four in all.
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
                    Answer::Sat => assert!(bound >= 4),
                    Answer::Unsat(core) => assert!(bound < 4 && !core.is_empty()),
                    Answer::Stopped => panic!("nobody stops it"),
                }
            }
            assert_eq!(session.stats().queries, 6);
        }
    }
}
