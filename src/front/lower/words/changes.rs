//! Variables that keep their values while a statement is executed: their halves are read where they are needed, without
//! a copy.

use super::rewrite::Rewriter;
use crate::lower::scan::look;
use crate::lower::typed::{Expr, ExprKind, Local, LocalId, LvalueKind, Stmt, StmtKind};
use std::collections::BTreeSet;

impl Rewriter<'_> {
    /// Whether a variable keeps its value until the statement at hand ends: no pointer leads to it, and nothing assigns
    /// it before.
    pub(super) fn lasts(&self, local: LocalId) -> bool {
        self.is_own(local) && !self.changed.contains(&local)
    }

    /// Whether it is a variable of the text to which no pointer leads.
    pub(super) fn is_own(&self, local: LocalId) -> bool {
        let locals = &self.unit.functions[self.classes.function].locals;
        let is_there = |local: &Local| !local.addressed && !local.ty.atomic && !local.ty.volatile;
        local.0 < self.first && locals.get(local.0).is_some_and(is_there)
    }
}

/// The variables that the expressions of a statement change, before the last of its effects.
pub(super) fn changed_by(stmt: &Stmt) -> BTreeSet<LocalId> {
    let exprs: Vec<&Expr> = match &stmt.kind {
        StmtKind::Expr(e) => match &e.kind {
            // The value is computed before.
            ExprKind::Assign(into, value) => match &into.kind {
                LvalueKind::Local(_) => vec![value],
                _ => vec![e],
            },
            _ => vec![e],
        },
        StmtKind::Declare(_, init, _) => init.iter().map(|(_, e)| e).collect(),
        StmtKind::If(e, ..)
        | StmtKind::While(e, _)
        | StmtKind::DoWhile(_, e)
        | StmtKind::Switch(e, _)
        | StmtKind::Return(Some(e)) => vec![e],
        StmtKind::For(c, step, _) => c.iter().chain(step).collect(),
        StmtKind::Block(_)
        | StmtKind::Case(..)
        | StmtKind::Default(_)
        | StmtKind::Label(..)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(None)
        | StmtKind::Asm(_)
        | StmtKind::Word(_)
        | StmtKind::Empty
        | StmtKind::InMacro => Vec::new(),
    };
    look(&[], &exprs).assigned
}
