//! Expressions of the structured form: each mention of a shared name becomes one load, left to
//! right, into a temporary register; what remains has no effects.
//!
//! `&&`, `||` and `?:` are control flow where their right side loads, and operators elsewhere.

use super::ThreadDraft;
use super::private::Binding;
use crate::native::ast::{Expr, ExprKind};
use crate::native::lower::complaint::array_without_index;
use crate::native::lower::graph::{Node, Value};
use crate::native::lower::{Scope, Spot};
use crate::program::{BinaryOp, Op, RegId, UnaryOp};
use crate::text::{Diagnostic, Span};

/// An expression that stands for a value that could not be made out. An error was reported.
const LOST: Value = Value::Const(1);

impl Scope<'_> {
    /// `a op b`, folded if both are constants. Reports a divisor that is none.
    pub(super) fn binary(&mut self, op: BinaryOp, a: Value, b: Value, divisor: &Span) -> Value {
        if !self.divides(op, b.as_const(), divisor) {
            return LOST;
        }
        match (&a, &b) {
            (Value::Const(x), Value::Const(y)) => Value::Const(op.apply(*x, *y)),
            _ => Value::binary(op, a, b),
        }
    }
}

/// `op a`, folded if it is a constant.
pub(super) fn unary(op: UnaryOp, a: Value) -> Value {
    if let Value::Const(x) = a {
        Value::Const(op.apply(x))
    } else {
        Value::unary(op, a)
    }
}

impl<'a> ThreadDraft<'_, 'a> {
    /// Evaluates, starting at `at`, and moves `at` behind what that takes.
    pub(super) fn value(&mut self, e: &'a Expr, at: &mut Node) -> Value {
        self.mark(Spot::around(&e.span), *at);
        match &e.kind {
            ExprKind::Int(value) => Value::Const(*value),
            ExprKind::Paren(inner) => {
                self.mark(Spot::Within(inner.span.start), *at);
                self.value(inner, at)
            }
            ExprKind::Name(name) => self.name(name, e, at),
            ExprKind::Index(..) | ExprKind::Deref(_) => match self.place(e, at) {
                Some((addr, name)) => {
                    let into = self.registers.temporary(&name);
                    self.step(at, Op::Load { into, addr }, &e.span);
                    Value::Var(into)
                }
                None => LOST,
            },
            ExprKind::AddressOf(place) => {
                let place = place.strip();
                if let ExprKind::Name(name) = &place.kind
                    && self.private.get(name).is_none()
                    && let Some(region) = self.scope.regions.get(name)
                {
                    // Also the address of a whole array: that of its first cell.
                    return Value::Const(region.base.0);
                }
                self.place(place, at).map_or(LOST, |(addr, _)| addr)
            }
            ExprKind::Unary(UnaryOp::Not, _) if self.branches(e) => self.truth(e, at, "$not"),
            ExprKind::Unary(op, a) => {
                let a = self.value(a, at);
                unary(*op, a)
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), _, _) if self.branches(e) => {
                let name = if *op == BinaryOp::And { "$and" } else { "$or" };
                self.truth(e, at, name)
            }
            ExprKind::Binary(op, a, b) => {
                let left = self.value(a, at);
                let right = self.value(b, at);
                self.scope.binary(*op, left, right, &b.span)
            }
            ExprKind::Conditional(parts) => {
                if self.branches(e) {
                    let into = self.registers.temporary("if");
                    let (then, other) = (self.graph.fresh(), self.graph.fresh());
                    self.condition(&parts[0], *at, then, other);
                    *at = self.graph.fresh();
                    self.assign(into, &parts[1], then, *at);
                    self.assign(into, &parts[2], other, *at);
                    return Value::Var(into);
                }
                let [c, a, b] = &**parts;
                let (c, a, b) = (self.value(c, at), self.value(a, at), self.value(b, at));
                match c.as_const() {
                    Some(0) => b,
                    Some(_) => a,
                    None => Value::conditional(c, a, b),
                }
            }
            ExprKind::Call(name, arguments) => {
                let temporary = self.registers.temporary(&name.text);
                if self.locked(name, arguments, temporary, at, None, &e.span) {
                    Value::Var(temporary)
                } else {
                    LOST
                }
            }
            ExprKind::Fenced(fences, inner) => {
                self.fences(fences, inner, at);
                self.value(inner, at)
            }
            ExprKind::Path(_) | ExprKind::At(..) => {
                self.scope.error(
                    Diagnostic::error("a thread sees nothing of another one", e.span.clone())
                        .label("only properties can name this"),
                );
                LOST
            }
        }
    }

    fn name(&mut self, name: &'a str, e: &Expr, at: &mut Node) -> Value {
        if let Some(binding) = self.private.get(name) {
            return match binding {
                Binding::Register(reg) => Value::Var(reg),
                Binding::Value(value) => Value::Const(value),
            };
        }
        if let Some(value) = self.scope.constants.get(name) {
            return Value::Const(*value);
        }
        if let Some(region) = self.scope.regions.get(name).copied() {
            if region.array {
                self.scope.error(
                    array_without_index(name, &e.span)
                        .note(format!("`&{name}` is the address of its first cell")),
                );
                return LOST;
            }
            let into = self.registers.temporary(name);
            let addr = Value::Const(region.base.0);
            self.step(at, Op::Load { into, addr }, &e.span);
            return Value::Var(into);
        }
        if name == "tid" {
            match self.tid {
                Some(tid) => return Value::Const(tid),
                None if !self.uncalled => {
                    self.scope.error(
                        Diagnostic::error("`tid` outside of numbered copies", e.span.clone())
                            .label("this thread has no number")
                            .note("`thread worker[3]` makes copies with the numbers 0, 1 and 2"),
                    );
                }
                None => {}
            }
            return LOST;
        }
        self.unknown_name("name", name, &e.span);
        LOST
    }

    /// `into = e`, from one location to another, with the load or locked instruction that `e` may
    /// be going straight into the register.
    pub(super) fn assign(&mut self, into: RegId, e: &'a Expr, from: Node, to: Node) {
        let mut at = from;
        self.mark(Spot::around(&e.span), from);
        let whole = e.strip();
        let origin = self.scope.lines.origin(&e.span);
        if let ExprKind::Fenced(fences, inner) = &whole.kind {
            self.fences(fences, inner, &mut at);
            self.assign(into, inner, at, to);
            return;
        }
        if let ExprKind::Call(name, arguments) = &whole.kind {
            self.locked(name, arguments, into, &mut at, Some(to), &whole.span);
            return;
        }
        let is_place = matches!(
            &whole.kind,
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Deref(_)
        );
        if is_place && self.has_effects(whole) && !self.is_whole_array(whole) {
            if let Some((addr, _)) = self.place(whole, &mut at) {
                self.graph.edge(at, Op::Load { into, addr }, to, origin);
            }
            return;
        }
        let value = self.value(e, &mut at);
        self.graph.edge(at, Op::Assign { into, value }, to, origin);
    }
}
