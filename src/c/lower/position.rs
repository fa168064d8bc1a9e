//! The positions of the text where a statement can be inserted, for fences.
//!
//! Each is a step that does nothing, with the place of what follows. No other location of the program
//! can have a fence that the text can express.

use super::Lowering;
use crate::c::hir::{Stmt, StmtKind};
use crate::c::token::Place;
use crate::program::Op;

impl Lowering<'_> {
    /// The position before a statement.
    pub(super) fn position(&mut self, stmt: &Stmt) {
        let is_statement = match &stmt.kind {
            StmtKind::Expr(_)
            | StmtKind::Declare(..)
            | StmtKind::If(..)
            | StmtKind::While(..)
            | StmtKind::DoWhile(..)
            | StmtKind::For(..)
            | StmtKind::Switch(..)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Asm(_)
            | StmtKind::Empty => true,
            StmtKind::Block(_)
            | StmtKind::Case(..)
            | StmtKind::Default(_)
            | StmtKind::Label(..) => false,
        };
        if is_statement && self.positions.is_written(stmt.place) && self.begins(stmt.place) {
            self.mark(stmt.place, head(stmt));
        }
    }

    /// Whether a statement can begin here: not in the head of a loop.
    fn begins(&self, place: Place) -> bool {
        let before = self.positions.before(place).trim_end();
        let last = before.chars().next_back();
        matches!(last, Some(';' | '{' | '}' | ':' | ')' | '/'))
            || before.ends_with("else")
            || before.ends_with("do")
    }

    /// The position at the end of a block.
    pub(super) fn end_of_block(&mut self, block: Place) {
        let brace = Place {
            start: block.end.saturating_sub(1),
            ..block
        };
        if self.positions.is_written(brace) && self.positions.text(brace) == "}" {
            self.mark(brace, brace);
        }
    }

    /// `shown` is what the position is called by, and differs from the places of instructions.
    fn mark(&mut self, whole: Place, shown: Place) {
        if !self.apart || self.solo {
            return;
        }
        let span = self.positions.span(whole);
        self.ends.insert(span.start, span.end);
        let origin = self.origin(shown);
        if let Some(state) = &mut self.state {
            state.at = self.code.step(state.at, Op::Skip, origin);
            if let Some(last) = self.code.instructions.last_mut() {
                last.position = true;
            }
        }
    }
}

/// The part of a statement that names it: without its body, and without its semicolon.
fn head(stmt: &Stmt) -> Place {
    let whole = stmt.place;
    let end = match &stmt.kind {
        StmtKind::If(e, ..) | StmtKind::While(e, _) | StmtKind::Switch(e, _) => e.place.end + 1,
        StmtKind::DoWhile(..) => whole.start + 2,
        StmtKind::For(..) => whole.start + 3,
        StmtKind::Expr(_)
        | StmtKind::Declare(..)
        | StmtKind::Block(_)
        | StmtKind::Case(..)
        | StmtKind::Default(_)
        | StmtKind::Label(..)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Asm(_)
        | StmtKind::Empty => whole.end - 1,
    };
    Place {
        end: end.clamp(whole.start, whole.end),
        ..whole
    }
}
