//! Expressions of the structured form: each use of a shared variable becomes one load, from left to
//! right, into a temporary register; the remaining expression has no effects.
//!
//! `&&`, `||` and `?:` are control flow if their right side loads, and operators otherwise.

use super::ThreadDraft;
use super::private::Binding;
use crate::native::ast::{Expr, ExprKind};
use crate::native::lower::errors::array_without_index;
use crate::native::lower::graph::{Node, Value};
use crate::native::lower::{InsertionPoint, Scope};
use crate::program::{BinaryOp, Op, RegId, UnaryOp};
use crate::text::{Diagnostic, Span};

/// The value of an invalid expression. An error has been reported.
const LOST: Value = Value::Const(1);

impl Scope<'_> {
    /// `a op b`, folded if both are constants. Reports a divisor that is always 0.
    pub(super) fn binary(&mut self, op: BinaryOp, a: Value, b: Value, divisor: &Span) -> Value {
        if b.as_const() == Some(0) && !self.divides(op, Some(0), divisor) {
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
    /// Evaluates an expression, starting at `at`, and moves `at` to where its value is available.
    pub(super) fn value(&mut self, e: &'a Expr, at: &mut Node) -> Value {
        self.mark(InsertionPoint::around(&e.span), *at);
        match &e.kind {
            ExprKind::Int(value) => Value::Const(*value),
            ExprKind::Paren(inner) => {
                self.mark(InsertionPoint::Within(inner.span.start), *at);
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
                    // Also the address of a whole array, which is that of its first cell.
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
                self.fences(fences, &inner.span, at);
                self.value(inner, at)
            }
            ExprKind::Path(_) | ExprKind::At(..) => {
                self.scope.error(
                    Diagnostic::error(
                        "a thread cannot access registers or labels of another thread",
                        e.span.clone(),
                    )
                    .label("only properties can refer to this"),
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
                        .note(format!("`&{name}` is the address of its first element")),
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
                        Diagnostic::error(
                            "`tid` in a thread without numbered copies",
                            e.span.clone(),
                        )
                        .label("this thread has no number")
                        .note(
                            "`thread worker[3]` declares copies numbered 0, 1 and 2; the copies \
                             of `worker[*]` have no numbers",
                        ),
                    );
                }
                None => {}
            }
            return LOST;
        }
        self.unknown_name("name", name, &e.span);
        LOST
    }

    /// `into = e`, from one location to another. If `e` is a load or a locked instruction, its
    /// result goes straight into the register.
    pub(super) fn assign(&mut self, into: RegId, e: &'a Expr, from: Node, to: Node) {
        let mut at = from;
        self.mark(InsertionPoint::around(&e.span), from);
        let whole = e.strip();
        let origin = self.scope.lines.origin(&e.span);
        if let ExprKind::Fenced(fences, inner) = &whole.kind {
            self.fences(fences, &inner.span, &mut at);
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
                self.graph.checked(at, Op::Load { into, addr }, to, origin);
            }
            return;
        }
        let value = self.value(e, &mut at);
        self.graph
            .checked(at, Op::Assign { into, value }, to, origin);
    }
}
