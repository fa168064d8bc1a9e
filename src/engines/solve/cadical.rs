//! CaDiCaL as an implementation of rustsat's traits, through the crate `cadical`, which needs only
//! a C++ compiler.
//!
//! Variables are DIMACS numbers, one more than the index. Clauses wait in the log until the next
//! query, so that values can still be read after clauses were added, which CaDiCaL itself forbids.
//!
//! **Invariant.** CaDiCaL holds the first `loaded` clauses of the log and no others. An interrupt
//! does not invalidate it, so it is never rebuilt.
//!
//! **Absent.** CaDiCaL's own options: it runs with its defaults.

use super::backend::Logged;
use super::clauses::Clauses;
use crate::verdict::Budget;
use ::cadical::{Callbacks, Solver};
use rustsat::solvers::{
    Solve, SolveIncremental, SolveStats, SolverResult, SolverState, SolverStats, StateError,
};
use rustsat::types::{Cl, Clause, Lit, TernaryVal};

/// The work that counts as done between two polls, in bytes of proof: a few clauses.
const POLL: u64 = 100;

/// Makes CaDiCaL give up once the stop flag is raised.
struct StopFlag(Budget);

impl Callbacks for StopFlag {
    fn terminate(&mut self) -> bool {
        self.0.spend(POLL);
        self.0.is_stopped()
    }
}

/// CaDiCaL, with its clauses.
pub(super) struct Cadical {
    solver: Solver<StopFlag>,
    budget: Budget,
    log: Clauses,
    loaded: usize,
    /// The largest variable that CaDiCaL has seen, or 0: reading the value of a larger one would
    /// create it.
    known: i32,
    assumptions: Vec<i32>,
    sat: usize,
    unsat: usize,
    terminated: usize,
}

impl Cadical {
    /// A solver without clauses.
    pub(super) fn new(budget: &Budget) -> Self {
        let mut solver = Solver::new();
        solver.set_callbacks(Some(StopFlag(budget.clone())));
        Self {
            solver,
            budget: budget.clone(),
            log: Clauses::default(),
            loaded: 0,
            known: 0,
            assumptions: Vec::new(),
            sat: 0,
            unsat: 0,
            terminated: 0,
        }
    }

    /// Fails unless the last result was the required one.
    fn require(&self, answer: bool) -> Result<(), StateError> {
        let name = |status| match status {
            Some(true) => SolverState::Sat,
            Some(false) => SolverState::Unsat,
            None => SolverState::Input,
        };
        let status = self.solver.status();
        if status == Some(answer) {
            return Ok(());
        }
        Err(StateError {
            required_state: name(Some(answer)),
            actual_state: name(status),
        })
    }
}

impl Logged for Cadical {
    fn log(&self) -> &Clauses {
        &self.log
    }
}

impl Solve for Cadical {
    fn signature(&self) -> &'static str {
        "CaDiCaL 1.9.5"
    }

    fn solve(&mut self) -> anyhow::Result<SolverResult> {
        self.solve_assumps(&[])
    }

    fn lit_val(&self, lit: Lit) -> anyhow::Result<TernaryVal> {
        self.require(true)?;
        let variable = lit.var().to_ipasir();
        if variable > self.known {
            return Ok(TernaryVal::DontCare);
        }
        Ok(match self.solver.value(variable) {
            Some(value) => TernaryVal::from(value == lit.is_pos()),
            None => TernaryVal::DontCare,
        })
    }

    fn add_clause_ref<C: AsRef<Cl> + ?Sized>(&mut self, clause: &C) -> anyhow::Result<()> {
        self.log.push(clause.as_ref().as_ref());
        Ok(())
    }
}

impl SolveIncremental for Cadical {
    fn solve_assumps(&mut self, assumps: &[Lit]) -> anyhow::Result<SolverResult> {
        for clause in self.log.since(self.loaded) {
            self.solver
                .add_clause(clause.iter().map(|lit| lit.to_ipasir()));
        }
        self.loaded = self.log.len();
        self.assumptions = assumps.iter().map(|lit| lit.to_ipasir()).collect();
        let assumed = self.assumptions.iter().map(|lit| lit.abs()).max();
        self.known = (self.known)
            .max(self.log.variables() as i32)
            .max(assumed.unwrap_or(0));
        // CaDiCaL polls at intervals, and an easy query may end before the first poll.
        let answer = if self.budget.is_stopped() {
            None
        } else {
            self.solver.solve_with(self.assumptions.iter().copied())
        };
        Ok(match answer {
            Some(true) => {
                self.sat += 1;
                SolverResult::Sat
            }
            Some(false) => {
                self.unsat += 1;
                SolverResult::Unsat
            }
            None => {
                self.terminated += 1;
                SolverResult::Interrupted
            }
        })
    }

    fn core(&mut self) -> anyhow::Result<Vec<Lit>> {
        self.require(false)?;
        let failed = self
            .assumptions
            .iter()
            .filter(|&&lit| self.solver.failed(lit));
        let clause = failed.map(|&lit| Lit::from_ipasir(-lit));
        Ok(clause.collect::<Result<_, _>>()?)
    }
}

impl SolveStats for Cadical {
    fn stats(&self) -> SolverStats {
        super::backend::stats(&self.log, [self.sat, self.unsat, self.terminated])
    }
}

impl Extend<Clause> for Cadical {
    fn extend<T: IntoIterator<Item = Clause>>(&mut self, clauses: T) {
        for clause in clauses {
            self.log.push(clause.as_ref());
        }
    }
}

impl<'a> Extend<&'a Clause> for Cadical {
    fn extend<T: IntoIterator<Item = &'a Clause>>(&mut self, clauses: T) {
        for clause in clauses {
            self.log.push(clause.as_ref());
        }
    }
}
