//! A solver that lies, for tests of what rests on its word.
//!
//! At one call it says "unsat" and blames every assumption, whatever the truth is. The guard of
//! sessions takes that core for the question itself, so the lie leaves this room; whoever claims
//! something on the strength of it has to find out.

use super::clauses::Clauses;
use super::engine::{Engine, Logged, engine};
use super::{Session, SolverKind};
use crate::verdict::Budget;
use rustsat::solvers::SolverResult;
use rustsat::types::Lit;

struct Liar {
    honest: Box<dyn Engine>,
    calls: usize,
    lie: usize,
    blamed: Option<Vec<Lit>>,
}

/// A session whose solver lies at its call of this number, counted from 0.
pub(crate) fn lying_at(call: usize) -> Session {
    let budget = Budget::default();
    let liar = Liar {
        honest: engine(SolverKind::default(), &budget),
        calls: 0,
        lie: call,
        blamed: None,
    };
    Session::with_engine(Box::new(liar), &budget)
}

impl Logged for Liar {
    fn log(&self) -> &Clauses {
        self.honest.log()
    }
}

impl Engine for Liar {
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
