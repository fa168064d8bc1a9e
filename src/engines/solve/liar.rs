//! A solver that returns a wrong result, for tests of code that must not trust the solver.
//!
//! At one call it returns "unsat" with all assumptions as the core, whether or not that is true.
//! The session's guard does not check a core that contains every assumption, so the wrong result
//! reaches the callers, and they have to detect it.

use super::backend::{Backend, Logged, backend};
use super::clauses::Clauses;
use super::{Session, SolverKind};
use crate::verdict::Budget;
use rustsat::solvers::SolverResult;
use rustsat::types::Lit;

struct Liar {
    honest: Box<dyn Backend>,
    calls: usize,
    lie: usize,
    blamed: Option<Vec<Lit>>,
}

/// A session whose solver returns a wrong result at this call, counted from 0.
pub(crate) fn lying_at(call: usize) -> Session {
    let budget = Budget::default();
    let liar = Liar {
        honest: backend(SolverKind::default(), &budget),
        calls: 0,
        lie: call,
        blamed: None,
    };
    Session::with_backend(Box::new(liar), &budget)
}

impl Logged for Liar {
    fn log(&self) -> &Clauses {
        self.honest.log()
    }
}

impl Backend for Liar {
    fn push(&mut self, clause: &[Lit]) {
        self.honest.push(clause);
    }

    fn decide(&mut self, assumptions: &[Lit]) -> Result<SolverResult, String> {
        self.calls += 1;
        self.blamed = (self.calls == self.lie + 1).then(|| assumptions.to_vec());
        match self.blamed {
            Some(_) => Ok(SolverResult::Unsat),
            None => self.honest.decide(assumptions),
        }
    }

    fn holds(&self, lit: Lit) -> bool {
        self.honest.holds(lit)
    }

    fn raw_core(&mut self) -> Vec<Lit> {
        match self.blamed.take() {
            Some(blamed) => blamed,
            None => self.honest.raw_core(),
        }
    }
}
