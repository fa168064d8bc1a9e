//! What a session needs of a solver, in a form that fits into a box.
//!
//! rustsat's traits say what a solver can do, but their generic methods keep them out of trait
//! objects. [`Engine`] is the part that sessions use; every solver behind rustsat's traits that
//! also keeps a log of its clauses is one.
//!
//! Two promises go beyond rustsat's. Clauses may be added while a model is being read: they reach
//! the solver at the next question, and until then values are those of the last model. And after
//! `Interrupted` or an error the engine may be asked again: it is rebuilt from its log.

use super::clauses::Clauses;
use super::{SolverKind, varisat};
use crate::verdict::Budget;
use rustsat::solvers::{SolveIncremental, SolverResult, SolverStats};
use rustsat::types::{Cl, Lit, TernaryVal, Var};
use std::time::Duration;

/// A solver that keeps every clause it was given.
pub(super) trait Logged {
    /// The clauses.
    fn log(&self) -> &Clauses;
}

/// A solver as sessions use it.
pub(super) trait Engine: Logged {
    /// Adds a clause.
    fn push(&mut self, clause: &[Lit]);

    /// Whether there is a model under these assumptions, which are of distinct variables.
    ///
    /// # Errors
    /// The solver broke down; says how.
    fn decide(&mut self, assumptions: &[Lit]) -> Result<SolverResult, String>;

    /// The value in the last model. Requires that the last answer was `Sat`. A variable that the
    /// solver never saw is false.
    fn holds(&self, lit: Lit) -> bool;

    /// The assumptions that the solver holds responsible: unconfirmed, in no particular order.
    /// Requires that the last answer was `Unsat`.
    fn raw_core(&mut self) -> Vec<Lit>;
}

impl<S: SolveIncremental + Logged> Engine for S {
    fn push(&mut self, clause: &[Lit]) {
        let added = self.add_clause_ref(Cl::new(clause));
        added.expect("the adapters append to their log, which cannot fail");
    }

    fn decide(&mut self, assumptions: &[Lit]) -> Result<SolverResult, String> {
        self.solve_assumps(assumptions)
            .map_err(|error| error.to_string())
    }

    fn holds(&self, lit: Lit) -> bool {
        // Some adapters of rustsat ignore the sign of the literal: ask about positive ones only.
        let value = self.lit_val(lit.var().pos_lit());
        let value = value.expect("values are read after `Sat` only");
        (value == TernaryVal::True) == lit.is_pos()
    }

    fn raw_core(&mut self) -> Vec<Lit> {
        let clause = self.core().expect("cores are read after `Unsat` only");
        clause.into_iter().map(|lit| !lit).collect()
    }
}

/// A solver of this kind without clauses, which polls the stop flag of the budget.
pub(super) fn engine(kind: SolverKind, budget: &Budget) -> Box<dyn Engine> {
    match kind {
        SolverKind::Varisat => Box::new(varisat::Varisat::new(budget)),
        #[cfg(feature = "cadical")]
        SolverKind::Cadical => Box::new(super::cadical::Cadical::new(budget)),
    }
}

/// rustsat's statistics of a solver with this log that gave so many answers of each kind: sat,
/// unsat, interrupted. Time is not measured here.
#[allow(clippy::cast_precision_loss, reason = "an average to look at")]
pub(super) fn stats(log: &Clauses, answers: [usize; 3]) -> SolverStats {
    let highest = log.variables().checked_sub(1);
    SolverStats {
        n_sat: answers[0],
        n_unsat: answers[1],
        n_terminated: answers[2],
        n_clauses: log.len(),
        max_var: highest.map(|index| Var::new(index as u32)),
        avg_clause_len: log.literals() as f32 / log.len().max(1) as f32,
        cpu_solve_time: Duration::ZERO,
    }
}
