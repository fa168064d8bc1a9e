//! A formula that is put aside, for later work on the same queries.
//!
//! What has been encoded is kept: the bounds of loops, the clauses, and the cycles that were excluded. The solver is
//! not kept. One that was interrupted is unusable, and its learned clauses are lost anyway; and it cannot be moved to
//! another thread.
//!
//! **Invariant.** A formula whose encoding was stopped early is never put aside: its missing parts would look
//! unreachable.

use super::Reach;
use crate::encode::Encoding;
use crate::model::Model;
use crate::program::Program;
use crate::solve::{Session, SolverKind};
use crate::verdict::Budget;

/// A formula without a solver.
pub(crate) struct Aside {
    encoding: Encoding,
    asked: u64,
    refinements: u64,
    consistent: Vec<Model>,
}

impl Reach<'_> {
    /// The formula, for later; `None` if its encoding was stopped early.
    pub(crate) fn aside(self) -> Option<Aside> {
        let is_whole = !self.encoding.is_cut_short();
        is_whole.then_some(Aside {
            encoding: self.encoding,
            asked: self.asked,
            refinements: self.refinements,
            consistent: self.consistent,
        })
    }
}

impl Aside {
    /// The formula with a new solver and another budget. The program must be that of the formula.
    pub(crate) fn go_on<'p>(
        self,
        program: &'p Program,
        solver: SolverKind,
        budget: &Budget,
    ) -> Reach<'p> {
        Reach {
            program,
            encoding: self.encoding.with_budget(budget),
            session: Session::new(solver, budget),
            fed: 0,
            asked: self.asked,
            refinements: self.refinements,
            consistent: self.consistent,
        }
    }
}
