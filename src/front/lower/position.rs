//! The positions of the text where a fence can be inserted.
//!
//! ```text
//!     statement;                        before a statement, at the end of a block
//!     while (c)  for (…; c; s)          before a condition that a loop evaluates again, and a step
//!     #define m(x) do { a; b; } while (0)   after the first token, a semicolon or a brace of a definition
//!     a && b  a || b  c ? a : b  a, b   before what is evaluated after another part of the expression
//! ```
//!
//! Each is a step that does nothing, with the place of what follows. No other location of the program
//! can have a fence that the text can express. An expression that accesses no memory needs no position:
//! those before and after it serve as well.
//!
//! **Invariant.** A position of the text is one location of each activation that reaches it. A statement in the
//! definition of a macro is reached wherever the macro is named, so a fence there serves, and costs, as one in a
//! function that is called there.
//!
//! **Absent.** Positions between operands whose order of evaluation is not defined, and in what a macro is given.

use super::Lowering;
use super::accesses::may_access;
use crate::lower::typed::{Expr, Stmt, StmtKind};
use crate::program::{Op, Role};
use crate::text::Place;
use std::collections::BTreeMap;

/// The positions of a text, by where they begin.
pub(crate) type Spots = BTreeMap<usize, Spot>;

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Spot {
    /// Where the text ends that follows the position.
    pub(crate) end: usize,
    pub(crate) form: Form,
}

/// What follows a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// A statement, or the end of a block.
    Statement,
    /// An expression where a comma may follow another one.
    List,
    /// An operand, which needs brackets if it becomes a list.
    Operand,
    /// A statement in the definition of a macro, whose lines end with `\`.
    InMacro,
}

/// The address of no part of a program.
const NO_STATEMENT: usize = 0;

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
            | StmtKind::Word(_)
            | StmtKind::Label(..) => false,
            StmtKind::InMacro => return self.in_macro(stmt.place),
        };
        if is_statement && self.positions.is_written(stmt.place) && self.begins(stmt) {
            let head = self.head(stmt);
            self.mark(stmt.place, head, Form::Statement);
        }
    }

    /// The part of a statement that names it: without its body, and without its semicolon.
    fn head(&self, stmt: &Stmt) -> Place {
        let whole = stmt.place;
        let end = match &stmt.kind {
            StmtKind::If(e, ..) | StmtKind::While(e, _) | StmtKind::Switch(e, _) => {
                let brace = Place {
                    start: e.place.end,
                    end: e.place.end + 1,
                    ..whole
                };
                let is_closed = e.place.end < whole.end && self.positions.text(brace) == ")";
                e.place.end + u32::from(is_closed)
            }
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
            | StmtKind::Word(_)
            | StmtKind::Empty
            | StmtKind::InMacro => whole.end - u32::from(self.positions.text(whole).ends_with(';')),
        };
        Place {
            end: end.clamp(whole.start, whole.end),
            ..whole
        }
    }

    /// The position before the last statement of `({ … })`.
    pub(super) fn last_position(&mut self, stmt: &Stmt) {
        // In a macro there is none.
        if self.positions.text(stmt.place).ends_with(';') {
            self.position(stmt);
        }
    }

    /// The first statement of `({ … })` begins there only if the text has the brace before it. Else all of it
    /// is a macro, which may come after a bracket: `(void)MACRO`, `(MACRO)`.
    pub(super) fn encloses(&mut self, stmts: &[Stmt]) {
        let mut stmts = stmts.iter();
        if let Some(first) = stmts.find(|stmt| !matches!(stmt.kind, StmtKind::InMacro)) {
            let before = self.positions.before(first.place).trim_end();
            if !before.ends_with(['{', '/']) {
                self.is_first_at(first.place, NO_STATEMENT);
            }
        }
    }

    /// Whether this part of the function, by its address in the typed program, is the first that begins
    /// where it does in the text. A function in a header may be in several units, each with statements of its
    /// own.
    fn is_first_at(&mut self, place: Place, this: usize) -> bool {
        let Some(frame) = self.env().and_then(|env| env.frames.last()) else {
            return false;
        };
        let start = (frame.function, place.file, place.start);
        *self.begun.entry(start).or_insert(this) == this
    }

    /// Whether the text says where this statement begins, and a statement can begin there: not in the
    /// head of a loop. All statements of a macro are where the macro is named, and so is a function of
    /// its own. Only the first of them begins there.
    fn begins(&mut self, stmt: &Stmt) -> bool {
        let place = stmt.place;
        if !self.is_first_at(place, std::ptr::from_ref(stmt).addr()) {
            return false;
        }
        let of = self.function().map(|function| function.place);
        if of.is_some_and(|of| of.file == place.file && of.start == place.start) {
            return false;
        }
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
            self.mark(brace, brace, Form::Statement);
        }
    }

    /// The position before a statement in the definition of a macro.
    fn in_macro(&mut self, place: Place) {
        if !self.positions.is_written(place) {
            return;
        }
        let statement = self.positions.text(place).trim_end_matches(';');
        let mut begun = statement;
        loop {
            begun = begun.trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
            let comment = begun
                .strip_prefix("/*")
                .and_then(|text| text.split_once("*/"));
            match comment {
                Some((_, after)) => begun = after,
                None => break,
            }
        }
        let start = place.start + (statement.len() - begun.len()) as u32;
        let place = Place {
            start,
            end: start + begun.len() as u32,
            ..place
        };
        self.mark(place, place, Form::InMacro);
    }

    /// The position before an expression in the head of a loop, which has this place.
    pub(super) fn in_head(&mut self, e: &Expr, of: Place) {
        let inside = e.place.start > of.start && e.place.end <= of.end;
        if e.place.file == of.file && inside {
            self.mark_expression(e, Form::List);
        }
    }

    /// The position before an operand that is evaluated after another one, which has this place.
    pub(super) fn after(&mut self, other: Place, e: &Expr, form: Form) {
        // Both may come from one macro.
        if e.place.file == other.file && e.place.start >= other.end {
            self.mark_expression(e, form);
        }
    }

    fn mark_expression(&mut self, e: &Expr, form: Form) {
        let Some(function) = self.function() else {
            return;
        };
        if self.positions.is_written(e.place) && may_access(e, &function.locals) {
            self.mark(e.place, e.place, form);
        }
    }

    /// `shown` is what the position is called by.
    fn mark(&mut self, whole: Place, shown: Place, form: Form) {
        if !self.apart || self.solo {
            return;
        }
        let span = self.positions.span(whole);
        let end = span.end;
        self.spots.insert(span.start, Spot { end, form });
        let origin = self.origin(shown);
        if let Some(state) = &mut self.state {
            state.at = self.code.step(state.at, Op::Skip, origin);
            if let Some(last) = self.code.instructions.last_mut() {
                last.position = true;
                if form != Form::Statement {
                    last.role = Role::Inside;
                }
            }
        }
    }
}

/// A `for` and the statements in its head before it, which are in a block of their own.
pub(super) fn with_start(stmt: &Stmt) -> Option<(&[Stmt], &Stmt)> {
    let StmtKind::Block(stmts) = &stmt.kind else {
        return None;
    };
    let (last, before) = stmts.split_last()?;
    let is_head = matches!(last.kind, StmtKind::For(..)) && last.place == stmt.place;
    is_head.then_some((before, last))
}
