//! Control flow: branches, loops, jumps, and atomic blocks.
//!
//! **Invariant.** No jump leaves an atomic block, which would then never end.

use super::ThreadDraft;
use crate::native::ast::{Block, Expr, ExprKind, ForHead, Grouping, Stmt, StmtKind};
use crate::native::lower::InsertionPoint;
use crate::native::lower::graph::Node;
use crate::program::{Op, Origin, UnaryOp};
use crate::text::{Diagnostic, Span};

/// Where `break` and `continue` lead.
pub(super) struct Loop {
    after: Node,
    again: Node,
    atomic: bool,
}

/// Jumps without a label.
#[derive(Clone, Copy)]
pub(super) enum Jump {
    Break,
    Continue,
    Return,
}

impl<'a> ThreadDraft<'_, 'a> {
    /// Branches whose conditions are tried in order, then the last `else`.
    pub(super) fn conditional(
        &mut self,
        branches: &'a [(Expr, Block)],
        last: Option<&'a Block>,
        from: Node,
        to: Node,
        head: &Span,
    ) {
        let mut at = from;
        for (i, (condition, block)) in branches.iter().enumerate() {
            let origin = self.scope.lines.origin(&condition.span);
            let is_last = i + 1 == branches.len() && last.is_none();
            match self.known(condition) {
                // Unreachable code is still lowered, for its errors.
                Some(0) => {
                    let never = self.graph.fresh();
                    self.block(block, never, to);
                    if is_last {
                        self.graph.silent(at, to, origin);
                        return;
                    }
                }
                Some(_) => {
                    self.block(block, at, to);
                    at = self.graph.fresh();
                    if is_last {
                        return;
                    }
                }
                None => {
                    let then = self.graph.fresh();
                    let other = if is_last && !self.are_apart() {
                        to
                    } else {
                        self.graph.fresh()
                    };
                    self.head(condition, at, then, other);
                    self.registers.end_statement();
                    self.block(block, then, to);
                    at = other;
                    if is_last && self.are_apart() {
                        self.unwritten_else(block, at, to, head);
                    }
                }
            }
        }
        if let Some(block) = last {
            self.block(block, at, to);
        }
    }

    /// The unwritten branch that is taken if no condition holds. Its step has the span of the
    /// statement's head: the end of the last block is a different position.
    fn unwritten_else(&mut self, last: &Block, from: Node, to: Node, head: &Span) {
        self.mark(InsertionPoint::Else(last.end.end, last.start), from);
        let origin = self.scope.lines.origin(head);
        self.graph.between(from, to, origin);
    }

    pub(super) fn while_loop(
        &mut self,
        condition: &'a Expr,
        body: &'a Block,
        from: Node,
        to: Node,
        origin: Origin,
    ) {
        match self.known(condition) {
            Some(0) => self.graph.silent(from, to, origin),
            Some(_) => self.endless_loop(body, from, to),
            None => {
                self.warn_of_failure(condition);
                let inside = self.graph.fresh();
                self.head(condition, from, inside, to);
                self.registers.end_statement();
                self.looped(body, (inside, from), (to, from));
            }
        }
    }

    /// `for (init; condition; step)`: the first clause, and a loop whose iterations end with the step.
    pub(super) fn for_loop(
        &mut self,
        head: &'a ForHead,
        body: &'a Block,
        from: Node,
        to: Node,
        origin: Origin,
    ) {
        self.private.enter_block();
        let mut test = from;
        if let Some(init) = &head.init {
            self.clause(init, &mut test);
        }
        let known = head.condition.as_ref().map(|e| self.known(e));
        if known == Some(Some(0)) {
            self.graph.silent(test, to, origin);
            self.private.leave_block();
            return;
        }
        let mut inside = test;
        if let (Some(condition), Some(None)) = (&head.condition, known) {
            self.warn_of_failure(condition);
            inside = self.graph.fresh();
            self.head(condition, test, inside, to);
            self.registers.end_statement();
        }
        let Some((fences, step)) = &head.step else {
            self.looped(body, (inside, test), (to, test));
            self.private.leave_block();
            return;
        };
        let again = self.graph.fresh();
        self.looped(body, (inside, again), (to, again));
        let first = fences.first().map_or(&step.span, |(_, first)| first);
        self.mark(InsertionPoint::Within(first.start), again);
        let mut at = again;
        self.fences(fences, &step.span, &mut at);
        // What the step calls runs more than once.
        let repeats = std::mem::replace(&mut self.repeats, true);
        self.statement(step, at, test);
        self.repeats = repeats;
        self.registers.end_statement();
        self.private.leave_block();
    }

    /// The first clause of a `for`, which may be a declaration.
    fn clause(&mut self, clause: &'a Stmt, at: &mut Node) {
        if let StmtKind::Local(list) = &clause.kind {
            let origin = self.scope.lines.origin(&clause.span);
            for (name, value) in list {
                self.local(name, value.as_ref(), false, at, origin);
            }
        } else {
            let next = self.graph.fresh();
            self.statement(clause, *at, next);
            *at = next;
        }
        self.registers.end_statement();
    }

    /// Warns of `while (!cas(l, 0, 1))`: it goes on while the exchange *succeeds*.
    fn warn_of_failure(&mut self, condition: &Expr) {
        let ExprKind::Unary(UnaryOp::Not, tested) = &condition.strip().kind else {
            return;
        };
        let ExprKind::Call(name, arguments) = &tested.strip().kind else {
            return;
        };
        let expects_zero = arguments
            .get(1)
            .is_some_and(|old| self.known(old) == Some(0));
        let key = format!("cas at {}", condition.span.start);
        if name.text != "cas" || !expects_zero || !self.scope.reported.insert(key) {
            return;
        }
        self.scope.error(
            Diagnostic::warning(
                "`cas` gives the value before, so this loop goes on while it succeeds",
                condition.span.clone(),
            )
            .label("0 means that the cell was 0 and has been set")
            .note("write `while (cas(l, 0, 1) != 0) { }` to wait until it succeeds"),
        );
    }

    /// `await(e)`: tests the condition until it holds.
    pub(super) fn wait(&mut self, condition: &'a Expr, from: Node, to: Node) {
        self.head(condition, from, to, from);
        self.registers.end_statement();
    }

    pub(super) fn do_while_loop(
        &mut self,
        body: &'a Block,
        condition: &'a Expr,
        from: Node,
        to: Node,
    ) {
        self.warn_of_failure(condition);
        let test = self.graph.fresh();
        self.looped(body, (from, test), (to, test));
        self.head(condition, test, from, to);
    }

    /// A loop that only a jump can leave.
    pub(super) fn endless_loop(&mut self, body: &'a Block, from: Node, to: Node) {
        self.looped(body, (from, from), (to, from));
    }

    /// A loop's body between two locations; `after` and `again` are the targets of `break` and
    /// `continue`.
    fn looped(&mut self, body: &'a Block, between: (Node, Node), (after, again): (Node, Node)) {
        self.loops.push(Loop {
            after,
            again,
            atomic: self.atomic,
        });
        self.block(body, between.0, between.1);
        self.loops.pop();
    }

    pub(super) fn choose(&mut self, blocks: &'a [Block], from: Node, to: Node, origin: Origin) {
        for block in blocks {
            let start = self.graph.fresh();
            if self.are_apart() && !self.graph.is_unsplit(from) {
                // The position before the choice is not the beginning of a branch.
                self.graph.edge(from, Op::Skip, start, origin);
            } else {
                self.graph.branch(from, start, origin);
            }
            self.block(block, start, to);
        }
    }

    pub(super) fn atomic_block(
        &mut self,
        grouping: Grouping,
        body: &'a Block,
        span: &Span,
        from: Node,
        to: Node,
    ) {
        if self.atomic {
            self.scope.error(
                Diagnostic::error("nested atomic block", span.clone())
                    .label("already inside an atomic block"),
            );
            self.block(body, from, to);
            return;
        }
        let (begin, end) = (self.graph.fresh(), self.graph.fresh());
        let opening = self.scope.lines.origin(span);
        let enter = match grouping {
            Grouping::Locked => Op::AtomicBegin,
            Grouping::Word(overlap) => Op::WordBegin(overlap),
        };
        self.graph.edge(from, enter, begin, opening);
        self.atomic = true;
        self.block(body, begin, end);
        self.atomic = false;
        let closing = self.scope.lines.origin(&body.end);
        self.graph.edge(end, Op::AtomicEnd, to, closing);
    }

    pub(super) fn jump(&mut self, jump: Jump, span: &Span, from: Node) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let inner = self.loops[frame.loops..].last();
        let (word, target) = match jump {
            Jump::Return => ("return", Some((frame.exit, frame.atomic))),
            Jump::Break => ("break", inner.map(|l| (l.after, l.atomic))),
            Jump::Continue => ("continue", inner.map(|l| (l.again, l.atomic))),
        };
        let Some((target, atomic)) = target else {
            self.scope.error(
                Diagnostic::error(format!("`{word}` outside of a loop"), span.clone())
                    .label("not inside a loop"),
            );
            return;
        };
        if atomic != self.atomic {
            self.scope.error(
                Diagnostic::error(
                    format!("`{word}` cannot leave an atomic block"),
                    span.clone(),
                )
                .label("the block would never be unlocked"),
            );
            return;
        }
        self.graph
            .silent(from, target, self.scope.lines.origin(span));
    }

    /// `return;` or `return e;`
    pub(super) fn leave(&mut self, value: Option<&'a Expr>, span: &Span, from: Node) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let (procedure, into) = (frame.procedure, frame.result);
        let mut at = from;
        match (value, into) {
            (None, None) => {}
            (Some(e), Some(into)) => {
                at = self.graph.fresh();
                let first = self.graph.len();
                self.assign(into, e, from, at);
                if self.graph.len() == first + 1 {
                    let origin = self.scope.lines.origin(span);
                    self.graph.set_origin(first, origin);
                }
            }
            (None, Some(_)) => {
                let name = procedure.map(|at| self.scope.procedures[at].name.text.as_str());
                let message = format!(
                    "`return` without a value in `{}`, which returns one elsewhere",
                    name.unwrap_or_default()
                );
                self.scope
                    .error(Diagnostic::error(message, span.clone()).label("expected `return e;`"));
            }
            (Some(e), None) => {
                self.scope.error(
                    Diagnostic::error("a thread does not return a value", e.span.clone())
                        .label("expected `return;`"),
                );
            }
        }
        self.jump(Jump::Return, span, at);
    }
}
