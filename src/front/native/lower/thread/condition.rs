//! Expressions as control flow: the right side of `&&`, `||` and `?:` is evaluated only if it is
//! needed, which is observable if it loads.
//!
//! If no operand has effects, these are operators like any other, and a condition is two
//! assumptions about one value.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "checks of the shape of an expression; the total matches have no such arm"
)]

use super::ThreadDraft;
use super::expr::unary;
use super::private::Binding;
use crate::native::ast::{Expr, ExprKind};
use crate::native::lower::InsertionPoint;
use crate::native::lower::graph::{Node, Value};
use crate::program::{BinaryOp, Op, UnaryOp};

impl<'a> ThreadDraft<'_, 'a> {
    /// Whether evaluating the expression loads, updates, chooses or waits.
    pub(super) fn has_effects(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Path(_) | ExprKind::At(..) => false,
            ExprKind::Name(name) => {
                self.private.get(name).is_none()
                    && !self.scope.constants.contains_key(name.as_str())
                    && self.scope.regions.contains_key(name)
            }
            ExprKind::Index(..)
            | ExprKind::Deref(_)
            | ExprKind::Call(..)
            | ExprKind::Fenced(..) => true,
            ExprKind::AddressOf(place) => match &place.strip().kind {
                ExprKind::Index(_, index) => self.has_effects(index),
                ExprKind::Deref(inner) => self.has_effects(inner),
                _ => false,
            },
            ExprKind::Unary(_, a) | ExprKind::Paren(a) => self.has_effects(a),
            ExprKind::Binary(_, a, b) => self.has_effects(a) || self.has_effects(b),
            ExprKind::Conditional(parts) => parts.iter().any(|e| self.has_effects(e)),
        }
    }

    /// Whether evaluating it needs control flow, so that it should be lowered as a condition.
    pub(super) fn branches(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Paren(a) | ExprKind::Fenced(_, a) | ExprKind::Unary(UnaryOp::Not, a) => {
                self.branches(a)
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.has_effects(b) || self.branches(a)
            }
            ExprKind::Conditional(parts) => {
                self.has_effects(&parts[1])
                    || self.has_effects(&parts[2])
                    || parts.iter().any(|e| self.branches(e))
            }
            _ => false,
        }
    }

    /// The value of a condition without effects, if it is always the same. Reports nothing: if
    /// there is none, the caller lowers the condition.
    pub(super) fn known(&self, e: &Expr) -> Option<i32> {
        match &e.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Paren(inner) => self.known(inner),
            ExprKind::Unary(op, a) => Some(op.apply(self.known(a)?)),
            ExprKind::Name(name) => match self.private.get(name) {
                Some(Binding::Value(value)) => Some(value),
                Some(Binding::Register(_)) => None,
                None => self.scope.constants.get(name.as_str()).copied(),
            },
            ExprKind::AddressOf(place) => match &place.strip().kind {
                ExprKind::Name(name) if self.private.get(name).is_none() => {
                    self.scope.regions.get(name).map(|region| region.base.0)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Continues at `yes` if the expression is not 0, and at `no` if it is.
    pub(super) fn condition(&mut self, e: &'a Expr, from: Node, yes: Node, no: Node) {
        let branches = self.branches(e);
        self.mark(InsertionPoint::around(&e.span), from);
        match &e.kind {
            ExprKind::Paren(inner) => {
                self.mark(InsertionPoint::Within(inner.span.start), from);
                self.condition(inner, from, yes, no);
            }
            ExprKind::Fenced(fences, inner) => {
                let mut at = from;
                self.fences(fences, &inner.span, &mut at);
                self.condition(inner, at, yes, no);
            }
            ExprKind::Unary(UnaryOp::Not, inner) if branches => {
                self.condition(inner, from, no, yes);
            }
            ExprKind::Binary(BinaryOp::And, a, b) if branches => {
                let middle = self.graph.fresh();
                self.condition(a, from, middle, no);
                self.condition(b, middle, yes, no);
            }
            ExprKind::Binary(BinaryOp::Or, a, b) if branches => {
                let middle = self.graph.fresh();
                self.condition(a, from, yes, middle);
                self.condition(b, middle, yes, no);
            }
            ExprKind::Conditional(parts) if branches => {
                let (then, other) = (self.graph.fresh(), self.graph.fresh());
                self.condition(&parts[0], from, then, other);
                self.condition(&parts[1], then, yes, no);
                self.condition(&parts[2], other, yes, no);
            }
            _ => {
                let mut at = from;
                let value = self.value(e, &mut at);
                let origin = self.scope.lines.origin(&e.span);
                match value.as_const() {
                    Some(0) => self.graph.silent(at, no, origin),
                    Some(_) => self.graph.silent(at, yes, origin),
                    None => {
                        self.graph.divides(&value, &mut at, origin);
                        let not = unary(UnaryOp::Not, value.clone());
                        self.graph.edge(at, Op::Assume(value), yes, origin);
                        self.graph.edge(at, Op::Assume(not), no, origin);
                    }
                }
            }
        }
    }

    /// Like [`Self::condition`], for the parenthesised condition after a keyword.
    pub(super) fn head(&mut self, e: &'a Expr, from: Node, yes: Node, no: Node) {
        self.mark(InsertionPoint::Within(e.span.start), from);
        self.condition(e, from, yes, no);
    }

    /// 1 or 0, by control flow.
    pub(super) fn truth(&mut self, e: &'a Expr, at: &mut Node, name: &str) -> Value {
        let into = self.registers.temporary(name.trim_start_matches('$'));
        let (yes, no) = (self.graph.fresh(), self.graph.fresh());
        self.condition(e, *at, yes, no);
        *at = self.graph.fresh();
        let origin = self.scope.lines.origin(&e.span);
        for (node, value) in [(yes, 1), (no, 0)] {
            let value = Value::Const(value);
            self.graph
                .edge(node, Op::Assign { into, value }, *at, origin);
        }
        Value::Var(into)
    }
}
