//! Waiting for all of any number of threads, which `main` passes at once: see `any`.

use super::any::is_visible;
use super::only::OnlyJoins;
use crate::lower::Lowering;
use crate::lower::code::Single;
use crate::lower::scan::Seen;
use crate::lower::typed::{Expr, Stmt};
use crate::program::Op;
use crate::text::{Diagnostic, Place};

impl Lowering<'_> {
    /// Whether a loop waits for threads of which there is any number.
    pub(in crate::lower) fn joins_any(&self, seen: &Seen) -> bool {
        self.any.exist && self.facts.is_fixed(seen) && !self.facts.creates(seen)
    }

    /// A loop of joins: they are passed.
    pub(in crate::lower) fn join_all(
        &mut self,
        (exprs, body): (&[&Expr], &Stmt),
        seen: &Seen,
        place: Place,
    ) {
        let Some(function) = self.function() else {
            return;
        };
        let mut only = OnlyJoins::new(self.unit, function);
        only.stmt(body);
        for e in exprs {
            only.expr(e);
        }
        if let Some(other) = only.other() {
            self.report(
                Diagnostic::error(
                    "a loop that waits for any number of threads does more than that",
                    self.positions.span(other),
                )
                .note("do it in the threads")
                .note(self.bounded()),
            );
        }
        self.solo = false;
        self.lose(seen, place);
        for local in only.results() {
            let seen = Seen {
                assigned: [local].into(),
                ..Seen::default()
            };
            self.lose(&seen, place);
        }
        self.all_joined(place);
    }

    /// All of any number of threads have ended.
    pub(super) fn all_joined(&mut self, place: Place) {
        if self.current > 0 {
            self.refuse_any("any number of threads are waited for, not by `main`", place);
        }
        self.once_only(Single::Creation, place);
        if self.any.joined.is_none() {
            self.any.joined = self.state.as_ref().map(|state| state.at);
        }
    }

    /// Whether any number of threads have ended where the walk is, so that no other thread can see what
    /// is done.
    pub(in crate::lower) fn is_after_all(&mut self) -> bool {
        let (Some(joined), 0, Some(state)) = (self.any.joined, self.current, &self.state) else {
            return false;
        };
        let at = state.at;
        self.code.dominates(joined, at)
    }

    /// An instruction was added: if `main` has waited for any number of threads, it must not be one that
    /// could be seen.
    pub(in crate::lower) fn check_after_all(&mut self, op: &Op, place: Place) {
        if self.current > 0 || self.any.joined.is_none() || !is_visible(op) {
            return;
        }
        self.report(
            Diagnostic::error(
                "what `main` does after any number of threads have ended is not decided",
                self.positions.span(place),
            )
            .note("state it in the threads")
            .note(self.bounded()),
        );
    }
}
