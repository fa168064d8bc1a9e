//! What a session needs from a solver, as an object-safe trait.
//!
//! rustsat's solver traits have generic methods and so cannot be trait objects. [`Backend`] has only
//! the methods that sessions use. Every solver that implements rustsat's traits and keeps a log of
//! its clauses implements it.
//!
//! It guarantees two things that rustsat does not. Clauses may be added while a model is being
//! read: they reach the solver at the next query, and until then values are those of the last
//! model. And after `Interrupted` or an error the solver can be used again: it is rebuilt from its
//! log.

use super::clauses::Clauses;
use super::outside::Outside;
use super::{SolverKind, varisat};
use crate::verdict::Budget;
use rustsat::solvers::{SolveIncremental, SolverResult, SolverStats};
use rustsat::types::{Cl, Lit, TernaryVal, Var};
use std::sync::Arc;
use std::time::Duration;

/// A solver that keeps every clause added to it.
pub(super) trait Logged {
    /// The clauses.
    fn log(&self) -> &Clauses;
}

/// The interface of a solver that sessions use.
pub(super) trait Backend: Logged {
    /// Adds a clause.
    fn push(&mut self, clause: &[Lit]);

    /// Whether there is a model under these assumptions, which are of distinct variables.
    ///
    /// # Errors
    /// The solver broke down; the text says how.
    fn decide(&mut self, assumptions: &[Lit]) -> Result<SolverResult, String>;

    /// The value of a literal in the last model. Requires that the last result was `Sat`. A
    /// variable that the solver has never seen is false.
    fn holds(&self, lit: Lit) -> bool;

    /// The solver's core: unconfirmed, in no particular order. Requires that the last result was
    /// `Unsat`.
    fn raw_core(&mut self) -> Vec<Lit>;
}

impl<S: SolveIncremental + Logged> Backend for S {
    fn push(&mut self, clause: &[Lit]) {
        let added = self.add_clause_ref(Cl::new(clause));
        added.expect("the adapters append to their log, which cannot fail");
    }

    fn decide(&mut self, assumptions: &[Lit]) -> Result<SolverResult, String> {
        self.solve_assumps(assumptions)
            .map_err(|error| error.to_string())
    }

    fn holds(&self, lit: Lit) -> bool {
        // Some adapters of rustsat ignore the sign of the literal: pass only positive ones.
        let value = self.lit_val(lit.var().pos_lit());
        let value = value.expect("values are read only after `Sat`");
        (value == TernaryVal::True) == lit.is_pos()
    }

    fn raw_core(&mut self) -> Vec<Lit> {
        let clause = self.core().expect("cores are read only after `Unsat`");
        clause.into_iter().map(|lit| !lit).collect()
    }
}

/// A solver of this kind without clauses, which polls the stop flag of the budget; beside the program
/// that the budget names, if it does.
pub(super) fn backend(kind: SolverKind, budget: &Budget) -> Box<dyn Backend> {
    let own: Box<dyn Backend> = match kind {
        SolverKind::Varisat => Box::new(varisat::Varisat::new(budget)),
        #[cfg(feature = "cadical")]
        SolverKind::Cadical => Box::new(super::cadical::Cadical::new(budget)),
    };
    match budget.outside() {
        Some(program) => Box::new(Outside::new(own, Arc::clone(program), budget)),
        None => own,
    }
}

/// rustsat's statistics of a solver with this log. `answers` counts the results sat, unsat and
/// interrupted. Time is not measured.
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
