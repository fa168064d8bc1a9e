//! Expressions of the structured form: each mention of a shared name becomes one load, left to
//! right, into a temporary register; what remains has no effects.
//!
//! `&&`, `||` and `?:` are control flow where their right side loads, and operators elsewhere.

use super::super::ast::{Expr, ExprKind, Name};
use super::super::diagnostic::{Diagnostic, Span};
use super::graph::{Node, Value};
use super::thread::{Binding, ThreadDraft};
use super::{Scope, is_builtin};
use crate::program::{BinaryOp, FetchOp, Op, RegId, UnaryOp, Update};

/// An expression that stands for a value that could not be made out. An error was reported.
const LOST: Value = Value::Const(1);

impl Scope<'_> {
    /// `a op b`, folded if both are constants. Reports a divisor that is none.
    pub(super) fn binary(&mut self, op: BinaryOp, a: Value, b: Value, divisor: &Span) -> Value {
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            match b.as_const() {
                Some(0) => {
                    self.divides_by_zero(divisor);
                    return LOST;
                }
                Some(_) => {}
                None => {
                    self.not_a_divisor(op, divisor);
                    return LOST;
                }
            }
        }
        match (&a, &b) {
            (Value::Const(x), Value::Const(y)) => Value::Const(op.apply(*x, *y)),
            _ => Value::binary(op, a, b),
        }
    }

    pub(super) fn not_a_divisor(&mut self, op: BinaryOp, span: &Span) {
        let sign = if op == BinaryOp::Div { '/' } else { '%' };
        self.error(
            Diagnostic::error(
                format!("`{sign}` by a value that is no constant"),
                span.clone(),
            )
            .label("expected a constant other than 0"),
        );
    }
}

/// `op a`, folded if it is a constant.
fn unary(op: UnaryOp, a: Value) -> Value {
    match a {
        Value::Const(x) => Value::Const(op.apply(x)),
        a => Value::unary(op, a),
    }
}

impl<'a> ThreadDraft<'_, 'a> {
    /// Whether evaluating it loads, updates or chooses.
    fn has_effects(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Path(_) | ExprKind::At(..) => false,
            ExprKind::Name(name) => {
                self.binding(name).is_none()
                    && !self.scope.constants.contains_key(name.as_str())
                    && self.scope.regions.contains_key(name)
            }
            ExprKind::Index(..) | ExprKind::Deref(_) | ExprKind::Call(..) => true,
            ExprKind::AddressOf(place) => match &strip(place).kind {
                ExprKind::Index(_, index) => self.has_effects(index),
                ExprKind::Deref(inner) => self.has_effects(inner),
                _ => false,
            },
            ExprKind::Unary(_, a) | ExprKind::Paren(a) => self.has_effects(a),
            ExprKind::Binary(_, a, b) => self.has_effects(a) || self.has_effects(b),
            ExprKind::Conditional(parts) => parts.iter().any(|e| self.has_effects(e)),
        }
    }

    /// Whether evaluating it needs control flow, so that it is better a condition than a value.
    pub(super) fn branches(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Paren(a) | ExprKind::Unary(UnaryOp::Not, a) => self.branches(a),
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

    /// Goes to `yes` where the expression is not 0 and to `no` where it is.
    pub(super) fn condition(&mut self, e: &'a Expr, from: Node, yes: Node, no: Node) {
        let branches = self.branches(e);
        match &e.kind {
            ExprKind::Paren(inner) => self.condition(inner, from, yes, no),
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
                        let not = unary(UnaryOp::Not, value.clone());
                        self.graph.edge(at, Op::Assume(value), yes, origin);
                        self.graph.edge(at, Op::Assume(not), no, origin);
                    }
                }
            }
        }
    }

    /// The value of a condition without effects, if it is the same always. Reports nothing:
    /// whoever asks goes on to lower the condition if there is none.
    pub(super) fn known(&self, e: &Expr) -> Option<i32> {
        match &e.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Paren(inner) => self.known(inner),
            ExprKind::Unary(op, a) => Some(op.apply(self.known(a)?)),
            ExprKind::Name(name) => match self.binding(name) {
                Some(Binding::Value(value)) => Some(value),
                Some(Binding::Register(_)) => None,
                None => self.scope.constants.get(name.as_str()).copied(),
            },
            ExprKind::AddressOf(place) => match &strip(place).kind {
                ExprKind::Name(name) if self.binding(name).is_none() => {
                    self.scope.regions.get(name).map(|region| region.base.0)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Evaluates, starting at `at`, and moves `at` behind what that takes.
    pub(super) fn value(&mut self, e: &'a Expr, at: &mut Node) -> Value {
        match &e.kind {
            ExprKind::Int(value) => Value::Const(*value),
            ExprKind::Paren(inner) => self.value(inner, at),
            ExprKind::Name(name) => self.name(name, e, at),
            ExprKind::Index(..) | ExprKind::Deref(_) => match self.place(e, at) {
                Some((addr, name)) => {
                    let into = self.temporary(&name);
                    self.step(at, Op::Load { into, addr }, &e.span);
                    Value::Var(into)
                }
                None => LOST,
            },
            ExprKind::AddressOf(place) => {
                let place = strip(place);
                if let ExprKind::Name(name) = &place.kind
                    && self.binding(name).is_none()
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
                    let into = self.temporary("if");
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
                let temporary = self.temporary(&name.text);
                if self.locked(name, arguments, temporary, at, None, &e.span) {
                    Value::Var(temporary)
                } else {
                    LOST
                }
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

    /// 1 or 0, by control flow.
    fn truth(&mut self, e: &'a Expr, at: &mut Node, name: &str) -> Value {
        let into = self.temporary(name.trim_start_matches('$'));
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

    fn name(&mut self, name: &'a str, e: &Expr, at: &mut Node) -> Value {
        if let Some(binding) = self.binding(name) {
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
                    Diagnostic::error(format!("array `{name}` without an index"), e.span.clone())
                        .label("which cell?")
                        .note(format!("`&{name}` is the address of its first cell")),
                );
                return LOST;
            }
            let into = self.temporary(name);
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

    /// The address of a place, and a name for what is loaded from it. Reports what is none.
    pub(super) fn place(&mut self, e: &'a Expr, at: &mut Node) -> Option<(Value, String)> {
        match &e.kind {
            ExprKind::Paren(inner) => self.place(inner, at),
            ExprKind::Name(name) => {
                if let Some(binding) = self.binding(name) {
                    let what = match binding {
                        Binding::Register(_) => "a register",
                        Binding::Value(_) => "a parameter",
                    };
                    self.scope.error(
                        Diagnostic::error(
                            format!("`{name}` is {what}, not a shared cell"),
                            e.span.clone(),
                        )
                        .label("expected a shared name")
                        .note(format!("`*{name}` is the cell whose address it holds")),
                    );
                    return None;
                }
                if let Some(region) = self.scope.regions.get(name).copied() {
                    if region.array {
                        self.scope.error(
                            Diagnostic::error(
                                format!("array `{name}` without an index"),
                                e.span.clone(),
                            )
                            .label("which cell?"),
                        );
                        return None;
                    }
                    return Some((Value::Const(region.base.0), name.clone()));
                }
                if self.scope.constants.contains_key(name.as_str()) {
                    self.not_a_place(e, "this is a constant");
                    return None;
                }
                self.unknown_name("name", name, &e.span);
                None
            }
            ExprKind::Index(name, index) => {
                let base = match self.binding(&name.text) {
                    // As in C, a register with an index is a cell behind its address.
                    Some(Binding::Register(reg)) => Value::Var(reg),
                    Some(Binding::Value(value)) => Value::Const(value),
                    None => {
                        let region = self.scope.array(name)?;
                        let value = self.value(index, at);
                        return Some((
                            match value.as_const() {
                                Some(value) => Value::Const(
                                    self.scope.element(name, region, value, &index.span)?.0,
                                ),
                                None => {
                                    Value::binary(BinaryOp::Add, Value::Const(region.base.0), value)
                                }
                            },
                            name.text.clone(),
                        ));
                    }
                };
                let value = self.value(index, at);
                let addr = self.scope.binary(BinaryOp::Add, base, value, &index.span);
                Some((addr, name.text.clone()))
            }
            ExprKind::Deref(inner) => {
                let name = match &strip(inner).kind {
                    ExprKind::Name(name) => name.clone(),
                    _ => "at".to_owned(),
                };
                if let ExprKind::AddressOf(place) = &strip(inner).kind {
                    return self.place(place, at);
                }
                Some((self.value(inner, at), name))
            }
            ExprKind::Int(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(_)
            | ExprKind::Call(..) => {
                self.not_a_place(e, "this is a value");
                None
            }
            ExprKind::Path(_) | ExprKind::At(..) => {
                self.value(e, at);
                None
            }
        }
    }

    pub(super) fn not_a_place(&mut self, e: &Expr, what: &str) {
        self.scope.error(
            Diagnostic::error(format!("{what}, not a place in memory"), e.span.clone())
                .label("expected a shared name, an element of an array or `*` and an address"),
        );
    }

    /// `into = e`, from one location to another, with the load or locked instruction that `e` may
    /// be going straight into the register.
    pub(super) fn assign(&mut self, into: RegId, e: &'a Expr, from: Node, to: Node) {
        let mut at = from;
        let whole = strip(e);
        let origin = self.scope.lines.origin(&e.span);
        match &whole.kind {
            ExprKind::Call(name, arguments) => {
                self.locked(name, arguments, into, &mut at, Some(to), &whole.span);
            }
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Deref(_)
                if self.has_effects(whole) && !self.is_whole_array(whole) =>
            {
                if let Some((addr, _)) = self.place(whole, &mut at) {
                    self.graph.edge(at, Op::Load { into, addr }, to, origin);
                }
            }
            _ => {
                let value = self.value(e, &mut at);
                self.graph.edge(at, Op::Assign { into, value }, to, origin);
            }
        }
    }

    fn is_whole_array(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Name(name)
            if self.scope.regions.get(name).is_some_and(|region| region.array))
    }

    /// A locked instruction or choice whose result goes into a register; to the location given, or
    /// to a new one. Moves `at` there. Returns whether there was no error.
    pub(super) fn locked(
        &mut self,
        name: &'a Name,
        arguments: &'a [Expr],
        into: RegId,
        at: &mut Node,
        to: Option<Node>,
        span: &Span,
    ) -> bool {
        let Some(op) = self.locked_op(name, arguments, into, at) else {
            return false;
        };
        let to = to.unwrap_or_else(|| self.graph.fresh());
        let origin = self.scope.lines.origin(span);
        self.graph.edge(*at, op, to, origin);
        *at = to;
        true
    }

    fn locked_op(
        &mut self,
        name: &'a Name,
        arguments: &'a [Expr],
        into: RegId,
        at: &mut Node,
    ) -> Option<Op> {
        let expected: &[usize] = match name.text.as_str() {
            "cas" => &[3],
            "nondet" => &[0, 2],
            other if is_builtin(other) => &[2],
            other => {
                if self.scope.procedure_names.contains_key(other) {
                    self.scope.error(
                        Diagnostic::error(
                            format!("procedure `{other}` has no value"),
                            name.span.clone(),
                        )
                        .label("a call is a statement of its own"),
                    );
                } else {
                    self.scope.unknown_call(name);
                }
                return None;
            }
        };
        if !expected.contains(&arguments.len()) {
            self.scope.wrong_count(
                name,
                arguments.len(),
                if name.text == "nondet" {
                    "none or two arguments".to_owned()
                } else {
                    format!("{} arguments", expected[0])
                },
            );
            return None;
        }
        if name.text == "nondet" {
            let (low, high) = match arguments {
                [low, high] => {
                    let (low, high) = (self.constant(low), self.constant(high));
                    (low?, high?)
                }
                _ => (i32::MIN, i32::MAX),
            };
            if low > high {
                self.scope.error(
                    Diagnostic::error(
                        format!("there is no value between {low} and {high}"),
                        name.span.clone(),
                    )
                    .label("the lesser one comes first"),
                );
                return None;
            }
            return Some(Op::Havoc { into, low, high });
        }
        // `&x` is as good as `x` here: both say which cell.
        let place = strip(&arguments[0]);
        let addr = match &place.kind {
            ExprKind::AddressOf(_) => self.value(place, at),
            _ => self.place(place, at)?.0,
        };
        let first = self.value(&arguments[1], at);
        let update = match name.text.as_str() {
            "cas" => Update::CompareExchange {
                expected: first,
                desired: self.value(&arguments[2], at),
            },
            "xchg" => Update::Exchange(first),
            "fetch_add" => Update::Fetch(FetchOp::Add, first),
            "fetch_sub" => Update::Fetch(FetchOp::Sub, first),
            "fetch_and" => Update::Fetch(FetchOp::And, first),
            _ => Update::Fetch(FetchOp::Or, first),
        };
        Some(Op::Rmw { into, addr, update })
    }

    /// The value of an expression that must be constant; parameters that are may occur.
    fn constant(&mut self, e: &'a Expr) -> Option<i32> {
        if self.has_effects(e) {
            return self.scope.constant(e);
        }
        let mut at = self.graph.nowhere;
        let value = self.value(e, &mut at);
        if value.as_const().is_none() {
            self.scope.error(
                Diagnostic::error("this is no constant", e.span.clone())
                    .label("expected a constant"),
            );
        }
        value.as_const()
    }
}

/// The expression inside any parentheses.
pub(super) fn strip(e: &Expr) -> &Expr {
    let mut e = e;
    while let ExprKind::Paren(inner) = &e.kind {
        e = inner;
    }
    e
}
