//! Expressions.

use super::Lowering;
use super::arith::Operation;
use super::env::Env;
use super::layout::cells;
use super::position::Form;
use super::value::{UNSET, UNWRITTEN, Value, binary, long, not, shape};
use super::wide::in_32_bits;
use crate::lower::typed::{
    BinaryOp, Expr, ExprKind, LvalueKind, StmtKind, Type, TypeKind, UnaryOp,
};
use crate::program::{self, RegId};
use crate::text::Place;

/// Functions are numbers below all addresses.
pub(super) const FUNCTIONS: i64 = -1_000_000;

impl Lowering<'_> {
    /// Evaluates an expression whose value is not used.
    pub(super) fn effect(&mut self, e: &Expr, place: Place) {
        match &e.kind {
            ExprKind::Cast(inner) => self.effect(inner, place),
            ExprKind::Comma(a, b) => {
                self.effect(a, place);
                self.after(a.place, b, Form::List);
                self.effect(b, place);
            }
            ExprKind::Call(callee, arguments) => {
                self.call(callee, arguments, &e.ty, false, place);
            }
            ExprKind::Update {
                op,
                into,
                operand,
                computed_in,
                ..
            } => {
                self.update(*op, into, operand, computed_in, None, place);
            }
            ExprKind::Assign(into, value) => self.assign(into, value, place),
            ExprKind::Statement(stmts) => {
                self.encloses(stmts);
                self.stmts(stmts);
            }
            ExprKind::Load(lvalue) if !(lvalue.ty.volatile || lvalue.ty.atomic) => {
                // The value of a plain load that is not used is not loaded by any compiler.
                self.address(lvalue);
            }
            ExprKind::Conditional(c, a, b) => {
                let (yes, no) = self.branch(c);
                self.state = yes;
                self.after(c.place, a, Form::Operand);
                self.effect(a, place);
                let first = self.state.take();
                self.state = no;
                self.after(c.place, b, Form::Operand);
                self.effect(b, place);
                let both = first.into_iter().chain(self.state.take()).collect();
                self.state = self.join(both, place);
            }
            // Of arithmetic, what its operands load.
            ExprKind::Unary(_, a) => self.operand_effect(a),
            ExprKind::Binary(_, a, b) => {
                self.operand_effect(a);
                self.operand_effect(b);
            }
            ExprKind::And(..) | ExprKind::Or(..) => {
                let (yes, no) = self.branch(e);
                let both = yes.into_iter().chain(no).collect();
                self.state = self.join(both, place);
            }
            ExprKind::Const(_)
            | ExprKind::Text(_)
            | ExprKind::Function(_)
            | ExprKind::Load(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Checked(..)
            | ExprKind::New(_) => {
                self.eval_all(e);
            }
        }
    }

    /// Evaluates an operand of an operation whose result is not used: it is loaded, and nothing is computed.
    fn operand_effect(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.operand_effect(a),
            ExprKind::Binary(_, a, b) => {
                self.operand_effect(a);
                self.operand_effect(b);
            }
            _ => {
                self.eval_all(e);
            }
        }
    }

    /// The values of all scalars of an expression, which may be a structure, or in Rust an array.
    pub(super) fn eval_all(&mut self, e: &Expr) -> Vec<Value> {
        match (&e.ty.kind, &e.kind) {
            (TypeKind::Void, _) => {
                self.effect(e, e.place);
                Vec::new()
            }
            (TypeKind::Struct(_) | TypeKind::Array(..), ExprKind::Load(lvalue)) => {
                self.refuse_atomic(&lvalue.ty, e.place);
                let address = self.address(lvalue);
                self.read_scalars(&address, &lvalue.ty, e.place)
            }
            (TypeKind::Struct(_) | TypeKind::Array(..), ExprKind::Call(callee, arguments)) => {
                self.call(callee, arguments, &e.ty, true, e.place)
            }
            (TypeKind::Struct(_) | TypeKind::Array(..), ExprKind::Assign(into, value)) => {
                self.assign_structure(into, value, e.place)
            }
            (TypeKind::Struct(_) | TypeKind::Array(..), ExprKind::Conditional(c, a, b)) => {
                let (yes, no) = self.branch(c);
                let mut ends = Vec::new();
                for (state, e) in [(yes, a), (no, b)] {
                    if state.is_some() {
                        self.state = state;
                        self.after(c.place, e, Form::Operand);
                        let values = self.eval_all(e);
                        ends.extend(self.state.take().map(|state| (state, values)));
                    }
                }
                let types = self.scalars(&e.ty);
                self.join_values(ends, &types, e.place)
            }
            (TypeKind::Struct(_) | TypeKind::Array(..), ExprKind::Cast(inner)) => {
                self.eval_all(inner)
            }
            (TypeKind::Struct(_) | TypeKind::Array(..), ExprKind::Statement(stmts))
                if let Some((last, rest)) = stmts.split_last()
                    && let StmtKind::Expr(last) = &last.kind =>
            {
                self.encloses(stmts);
                self.stmts(rest);
                self.eval_all(last)
            }
            (TypeKind::Struct(_) | TypeKind::Array(..), ExprKind::Comma(a, b)) => {
                self.effect(a, a.place);
                self.after(a.place, b, Form::List);
                self.eval_all(b)
            }
            (TypeKind::Struct(_) | TypeKind::Array(..), _) => {
                self.error(
                    "this expression of a structure type is not supported",
                    e.place,
                );
                let count = self.scalars(&e.ty).len();
                vec![Value::ZERO; count]
            }
            _ => vec![self.eval(e)],
        }
    }

    #[allow(clippy::unused_self, reason = "one of the ways to compute an address")]
    pub(super) fn offset(&self, address: &Value, by: i64) -> Value {
        match address {
            Value::Known(address) => Value::Known(address + by),
            Value::Unknown(e) if by == 0 => Value::Unknown(e.clone()),
            Value::Unknown(e) => Value::Unknown(binary(
                program::BinaryOp::Add,
                e.clone(),
                program::Expr::Const(by as i32),
            )),
        }
    }

    /// The value of a scalar expression.
    pub(super) fn eval(&mut self, e: &Expr) -> Value {
        match &e.kind {
            ExprKind::Const(value) if matches!(e.ty.kind, TypeKind::Pointer(_)) => {
                self.no_number(&Value::Known(*value), &long(), e.place);
                self.pointer_of(&Value::Known(*value), &e.ty, e.place)
            }
            ExprKind::Const(value) => {
                let value = Value::Known(*value);
                self.no_number(&value, &e.ty, e.place);
                value
            }
            ExprKind::Text(_) => Value::ZERO,
            ExprKind::Function(id) => Value::Known(FUNCTIONS - id.0 as i64),
            ExprKind::Load(lvalue) => {
                if let LvalueKind::Bits(unit, bits) = &lvalue.kind {
                    return self.read_bits(unit, *bits, &lvalue.ty, e.place);
                }
                let address = self.address(lvalue);
                self.read(&address, &lvalue.ty, e.place)
            }
            ExprKind::AddressOf(lvalue) => self.pointer_to(lvalue),
            ExprKind::Unary(op, a) => {
                let value = self.eval(a);
                self.unary(*op, value, &e.ty, e.place)
            }
            ExprKind::Binary(op, a, b) => {
                let narrow = (in_32_bits(*op, a, b), in_32_bits(*op, b, a));
                let (a, b) = match &narrow {
                    (Some((a, b)), _) | (None, Some((b, a))) => (a, b),
                    (None, None) => (&**a, &**b),
                };
                let left = self.eval(a);
                let right = self.eval(b);
                self.binary(operation(*op, (left, a), (right, b), e), e.place)
            }
            ExprKind::Checked(op, a, b) => {
                let left = self.eval(a);
                let right = self.eval(b);
                self.checked(operation(*op, (left, a), (right, b), e), e.place)
            }
            ExprKind::New(_) => self.allocation(e, &e.ty).unwrap_or(Value::ZERO),
            ExprKind::And(..) | ExprKind::Or(..) => {
                let (yes, no) = self.branch(e);
                self.choose(
                    yes,
                    |_| Value::Known(1),
                    no,
                    |_| Value::Known(0),
                    &e.ty,
                    e.place,
                )
            }
            ExprKind::Conditional(c, a, b) => {
                let (yes, no) = self.branch(c);
                self.choose(
                    yes,
                    |this| this.eval_after(c.place, a),
                    no,
                    |this| this.eval_after(c.place, b),
                    &e.ty,
                    e.place,
                )
            }
            ExprKind::Comma(a, b) => {
                self.effect(a, a.place);
                self.after(a.place, b, Form::List);
                self.eval(b)
            }
            ExprKind::Assign(into, value) => {
                if let LvalueKind::Bits(unit, bits) = &into.kind {
                    return self.assign_bits((unit, *bits), value, e.place);
                }
                let value = self.eval(value);
                let address = self.address(into);
                self.assign_scalar(&address, into, value.clone(), false, e.place);
                match &address {
                    Value::Known(known) if Env::is_virtual(*known) => {
                        self.read(&address, &into.ty, e.place)
                    }
                    Value::Known(_) | Value::Unknown(_) => value,
                }
            }
            ExprKind::Update {
                op,
                into,
                operand,
                computed_in,
                yields,
            } => self.update(*op, into, operand, computed_in, Some(*yields), e.place),
            ExprKind::Cast(inner) => {
                if let Some(address) = self.allocation(inner, &e.ty) {
                    return address;
                }
                if let Some(moved) = self.moved_by_bytes(inner, &e.ty, e.place) {
                    return moved;
                }
                let value = self.eval(inner);
                self.convert(value, &inner.ty, &e.ty, e.place)
            }
            ExprKind::Call(callee, arguments) => {
                let mut values = self.call(callee, arguments, &e.ty, true, e.place);
                values.drain(..).next().unwrap_or(Value::ZERO)
            }
            ExprKind::Statement(stmts) => {
                let Some((last, rest)) = stmts.split_last() else {
                    return Value::ZERO;
                };
                self.encloses(stmts);
                self.stmts(rest);
                if let StmtKind::Expr(e) = &last.kind {
                    self.last_position(last);
                    self.eval(e)
                } else {
                    self.stmt(last);
                    Value::ZERO
                }
            }
        }
    }

    /// The value of an arm of a conditional expression whose condition has this place.
    fn eval_after(&mut self, condition: Place, e: &Expr) -> Value {
        self.after(condition, e, Form::Operand);
        self.eval(e)
    }

    /// The value that one of two paths has, after they meet.
    fn choose(
        &mut self,
        yes: Option<super::env::State>,
        first: impl FnOnce(&mut Self) -> Value,
        no: Option<super::env::State>,
        second: impl FnOnce(&mut Self) -> Value,
        ty: &Type,
        place: Place,
    ) -> Value {
        if yes.is_none() || no.is_none() {
            let is_first = yes.is_some();
            self.state = yes.or(no);
            return if is_first { first(self) } else { second(self) };
        }
        let mut ends = Vec::new();
        self.state = yes;
        let value = first(self);
        ends.extend(self.state.take().map(|state| (state, vec![value])));
        self.state = no;
        let value = second(self);
        ends.extend(self.state.take().map(|state| (state, vec![value])));
        let types = [ty.clone()];
        let mut values = self.join_values(ends, &types, place);
        values.drain(..).next().unwrap_or(Value::ZERO)
    }

    /// Where paths meet that have computed values: one set of values for all of them.
    pub(super) fn join_values(
        &mut self,
        mut ends: Vec<(super::env::State, Vec<Value>)>,
        types: &[Type],
        place: Place,
    ) -> Vec<Value> {
        if ends.len() < 2 {
            return if let Some((state, values)) = ends.pop() {
                self.state = Some(state);
                values
            } else {
                self.state = None;
                vec![Value::ZERO; types.len()]
            };
        }
        let mut values = Vec::new();
        for (at, ty) in types.iter().enumerate() {
            let of = |values: &[Value]| values.get(at).cloned().unwrap_or(Value::ZERO);
            let first = of(&ends[0].1);
            if first.known().is_some() && ends.iter().all(|(_, values)| of(values) == first) {
                values.push(first);
                continue;
            }
            let into = self.temporary();
            for (state, own) in &mut ends {
                self.state = Some(state.clone());
                let value = self.dynamic_of(&of(own), Some(ty), place);
                let origin = self.origin(place);
                if let Some(now) = self.state.take() {
                    state.env = now.env;
                    state.at = self.code.assign(now.at, into, value, false, origin);
                }
            }
            self.solo = false;
            values.push(Value::Unknown(program::Expr::Var(into)));
        }
        let states = ends.into_iter().map(|(state, _)| state).collect();
        self.state = self.join(states, place);
        values
    }

    // Operators.

    fn unary(&mut self, op: UnaryOp, value: Value, ty: &Type, place: Place) -> Value {
        match (op, value) {
            (UnaryOp::Not, Value::Known(value)) => Value::Known(i64::from(value == 0)),
            (UnaryOp::Not, Value::Unknown(e)) => Value::Unknown(not(e)),
            (UnaryOp::BitNot, value) => {
                self.no_number(&value, ty, place);
                let result = match value {
                    Value::Known(value) => {
                        let shape = shape(ty);
                        Value::Known(shape.wrap(!shape.exact(value)))
                    }
                    Value::Unknown(e) => {
                        Value::Unknown(program::Expr::unary(program::UnaryOp::BitNot, e))
                    }
                };
                self.no_number(&result, ty, place);
                result
            }
            (UnaryOp::Neg, value) => {
                let negation = Operation {
                    op: BinaryOp::Sub,
                    left: (Value::ZERO, ty),
                    right: (value, ty),
                    ty,
                };
                self.binary(negation, place)
            }
        }
    }

    /// The size in cells of what a pointer type points to.
    pub(super) fn pointee_cells(&self, ty: &Type) -> i64 {
        match &ty.kind {
            TypeKind::Pointer(to) => cells(self.unit, to).max(1),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Array(..)
            | TypeKind::Struct(_)
            | TypeKind::Function(..)
            | TypeKind::Library(_) => 1,
        }
    }

    /// The value of a constant initialiser.
    pub(super) fn constant(&mut self, e: &Expr) -> i64 {
        match &e.kind {
            ExprKind::Const(_)
            | ExprKind::Function(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Cast(_)
            | ExprKind::Binary(..) => match self.eval(e) {
                Value::Known(value) => value,
                Value::Unknown(_) => 0,
            },
            _ => {
                self.error("this initial value is not a constant", e.place);
                0
            }
        }
    }

    /// A value as an expression over registers, in the representation of its type.
    pub(super) fn dynamic_of(
        &mut self,
        value: &Value,
        ty: Option<&Type>,
        place: Place,
    ) -> program::Expr<RegId> {
        match (value, ty) {
            (Value::Known(known), _) if Env::is_virtual(*known) => self.pointer_bits(value, place),
            (Value::Known(known), Some(ty)) => {
                let bits = self.bits(*known, ty, place);
                if let Some(to) = ty.pointee() {
                    self.expose(*known, to);
                }
                program::Expr::Const(bits)
            }
            (Value::Known(known), None) if self.memory.object_at(*known).is_some() => {
                self.expose(*known, &super::value::void());
                program::Expr::Const(i32::try_from(*known).unwrap_or_default())
            }
            (Value::Known(UNSET), None) => program::Expr::Const(UNWRITTEN),
            (Value::Known(known), None) => {
                program::Expr::Const(i32::try_from(*known).unwrap_or_default())
            }
            (Value::Unknown(e), _) => e.clone(),
        }
    }
}

/// An operation on the values of two operands, as this expression.
fn operation<'t>(
    op: BinaryOp,
    (left, a): (Value, &'t Expr),
    (right, b): (Value, &'t Expr),
    e: &'t Expr,
) -> Operation<'t> {
    Operation {
        op,
        left: (left, &a.ty),
        right: (right, &b.ty),
        ty: &e.ty,
    }
}
