//! Pointers that are moved: `p + n`, `p[n]`, `p++`.
//!
//! The result is inside the run of elements that the pointer points into (`objects`), or at its end,
//! where nothing may be accessed; anything else is a violation. If the object is known, that is a
//! condition on the index. If not, it is one on both addresses, which is filled in when all objects
//! are known (`deferred`).

use super::Lowering;
use super::deferred::{Gap, Question};
use super::env::Env;
use super::layout::bytes;
use super::objects::{Ground, innermost, runs};
use super::value::{UNSET, Value, binary, c, void};
use crate::lower::typed::{BinaryOp, Expr, ExprKind, Lvalue, LvalueKind, Type, TypeKind};
use crate::program::{self, Fault, Op, Ordering, RegId};
use crate::text::{Diagnostic, Place};

/// How far a pointer may be moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// To an element, which is accessed there.
    Access,
    /// To an element or the end.
    PastEnd,
}

type Bits = program::Expr<RegId>;

/// What an address was computed from, if that is a known address.
pub(super) fn root(address: &Bits) -> Option<i64> {
    match address {
        program::Expr::Const(address) => Some(i64::from(*address)),
        program::Expr::Binary(program::BinaryOp::Add, base, _) => root(base),
        program::Expr::Var(_)
        | program::Expr::Unary(..)
        | program::Expr::Binary(..)
        | program::Expr::Conditional(_) => None,
    }
}

/// A condition that a value is at least one number and at most another.
pub(super) fn between(low: i64, e: &Bits, high: i64) -> Bits {
    let low = binary(program::BinaryOp::Ge, e.clone(), c(low as i32));
    let high = binary(program::BinaryOp::Le, e.clone(), c(high as i32));
    binary(program::BinaryOp::And, low, high)
}

impl Lowering<'_> {
    /// The execution ends here with a violation.
    pub(super) fn violation(&mut self, fault: Fault, place: Place) {
        self.require(c(0), fault, place);
        self.state = None;
    }

    /// It is a violation unless this holds.
    pub(super) fn require(&mut self, holds: Bits, fault: Fault, place: Place) {
        if self.state.is_none() {
            return;
        }
        for op in [Op::Assert(holds.clone()), Op::Assume(holds)] {
            self.emit(op, place);
            if let Some(last) = self.code.last() {
                last.fault = Some(fault);
            }
        }
    }

    /// What a variable holds before it is assigned: nothing, and 0 in litmus tests.
    pub(super) fn before_assignment(&self) -> i64 {
        if self.test.is_some() { 0 } else { UNSET }
    }

    /// A step whose instructions are not known yet.
    pub(super) fn gap(&mut self, question: Question, place: Place) {
        // The functions of a litmus test move no pointers out of their objects.
        if self.state.is_none() || self.test.is_some() {
            return;
        }
        for _ in 0..2 {
            self.emit_as(Op::Skip, Ordering::Relaxed, place);
        }
        let instr = self.code.instructions.len() - 2;
        self.code.gaps.push(Gap { instr, question });
    }

    /// The value of a pointer whose target is accessed.
    pub(super) fn accessible(&mut self, e: &Expr) -> Value {
        match &e.kind {
            ExprKind::AddressOf(lvalue) => self.address(lvalue),
            ExprKind::Binary(op @ (BinaryOp::PointerAdd | BinaryOp::PointerSub), a, b) => {
                let base = self.eval(a);
                let number = self.eval(b);
                self.move_pointer(*op, (base, &a.ty), number, Reach::Access, e.place)
            }
            ExprKind::Cast(inner)
                if matches!(inner.ty.kind, TypeKind::Pointer(_))
                    && !matches!(inner.kind, ExprKind::Call(..)) =>
            {
                if let Some(moved) = self.moved_by_bytes(inner, &e.ty, e.place) {
                    return moved;
                }
                let value = self.accessible(inner);
                self.convert(value, &inner.ty, &e.ty, e.place)
            }
            _ => self.eval(e),
        }
    }

    /// The address of an lvalue that is not accessed.
    pub(super) fn pointer_to(&mut self, lvalue: &Lvalue) -> Value {
        match &lvalue.kind {
            LvalueKind::Element(inner, index) => {
                self.element(inner, index, Reach::PastEnd, lvalue.place)
            }
            LvalueKind::Deref(pointer) => self.eval(pointer),
            LvalueKind::Object(_)
            | LvalueKind::Local(_)
            | LvalueKind::Member(..)
            | LvalueKind::Bits(..) => match self.member_of_stray(lvalue) {
                Some(address) => address,
                None => self.address(lvalue),
            },
        }
    }

    /// A pointer of this type and a number of elements, added or subtracted.
    pub(super) fn move_pointer(
        &mut self,
        op: BinaryOp,
        (base, ty): (Value, &Type),
        number: Value,
        reach: Reach,
        place: Place,
    ) -> Value {
        let sign = if op == BinaryOp::PointerSub { -1 } else { 1 };
        let size = self.pointee_cells(ty);
        if let (Value::Known(from), Some(of)) = (&base, ty.pointee())
            && self.state.is_some()
            && self.ground(*from, &unit_of(of)) == Ground::Other
        {
            return self.move_bytes(*from, sign, &number, of, place);
        }
        let moved = match &number {
            Value::Known(number) => self.offset(&base, (sign * size).wrapping_mul(*number)),
            Value::Unknown(number) => {
                let to = ty.pointee().cloned().unwrap_or_else(void);
                self.add_cells((base.clone(), &to), number.clone(), sign * size, place)
            }
        };
        if self.state.is_none() {
            return moved;
        }
        let Some(of) = ty.pointee().map(unit_of) else {
            return moved;
        };
        match &base {
            Value::Known(base) => self.bound_index(*base, &number, (sign, size), &of, reach, place),
            Value::Unknown(base) => {
                if number == Value::ZERO && reach == Reach::PastEnd {
                    return moved;
                }
                let to = self.pointer_bits(&moved, place);
                // A member of an element is somewhere in the object, not where the first element begins.
                let mut found = Vec::new();
                if let Some(object) = root(base).and_then(|at| self.memory.object_at(at)) {
                    let (ty, start) = (&object.ty, object.start);
                    runs(self.unit, ty, start, &of, &self.facts, &mut found);
                }
                if found.is_empty() {
                    let is_void = ty.pointee().is_some_and(Type::is_void);
                    let question = Question::Moved {
                        is_void,
                        from: base.clone(),
                        to,
                        number,
                        of,
                        size,
                        reach,
                    };
                    self.gap(question, place);
                } else {
                    let holds = inside(base, &to, &number, &found, size, reach);
                    self.require(holds, Fault::Bounds, place);
                }
            }
        }
        moved
    }

    /// A known pointer to what is not an element of this type, moved by so many of their size.
    fn move_bytes(
        &mut self,
        from: i64,
        sign: i64,
        number: &Value,
        of: &Type,
        place: Place,
    ) -> Value {
        let Value::Known(number) = number else {
            self.refuse_step(place);
            return Value::ZERO;
        };
        let by = bytes(self.unit, of).wrapping_mul(sign.wrapping_mul(*number));
        match self.bytes_from(from, by) {
            Some(to) => Value::Known(to),
            None if *number == 0 => Value::Known(from),
            None => {
                self.error(
                    "a pointer is moved to where no scalar of its object begins",
                    place,
                );
                Value::ZERO
            }
        }
    }

    /// Keeps an index to a known address inside its object.
    fn bound_index(
        &mut self,
        base: i64,
        number: &Value,
        (sign, size): (i64, i64),
        of: &Type,
        reach: Reach,
        place: Place,
    ) {
        let Ground::Run(start, end) = self.ground(base, of) else {
            // Numbers may be computed in the guise of pointers.
            let is_stray = base == 0 || base == UNSET || Env::is_virtual(base);
            match number {
                _ if !is_stray => {}
                Value::Known(0) => {}
                Value::Known(_) => self.violation(Fault::Bounds, place),
                Value::Unknown(e) => self.require(between(0, e, 0), Fault::Bounds, place),
            }
            return;
        };
        if number.known().is_none() {
            self.note_run(start..end, of);
        }
        let last = if reach == Reach::Access {
            end - size
        } else {
            end
        };
        let oriented = |(low, high): (i64, i64)| if sign < 0 { (-high, -low) } else { (low, high) };
        let (low, high) = oriented(((start - base) / size, (last - base).div_euclid(size)));
        // Over the structure around the run it may be moved, but not be followed there.
        let around = self.steps_over(base, of, reach).map(oriented);
        let (least, most) = around.unwrap_or((low, high));
        match number {
            Value::Known(number) if (low..=high).contains(number) => {}
            Value::Known(number) if (least..=most).contains(number) => self.refuse_step(place),
            Value::Known(_) => self.violation(Fault::Bounds, place),
            Value::Unknown(e) => {
                self.require(between(least, e, most), Fault::Bounds, place);
                if (least, most) != (low, high) {
                    self.limit(between(low, e, high), place);
                    self.blame_limit(Fault::OtherSize);
                }
            }
        }
    }

    /// How far a pointer to a scalar may be moved in the structures that the program walks over with it,
    /// counted in bytes.
    fn steps_over(&self, base: i64, of: &Type, reach: Reach) -> Option<(i64, i64)> {
        let (offset, ty) = self.offset_in(base)?;
        let TypeKind::Struct(id) = innermost(&ty).kind else {
            return None;
        };
        let size = bytes(self.unit, of);
        if size == 0 || !self.facts.walks_over(id, of) {
            return None;
        }
        let left = bytes(self.unit, &ty) - offset;
        let last = if reach == Reach::Access { size } else { 0 };
        Some((-(offset / size), (left - last).div_euclid(size)))
    }

    fn refuse_step(&mut self, place: Place) {
        self.report(
            Diagnostic::error(
                "a pointer is moved by steps of another size than the scalars that it points to",
                self.positions.span(place),
            )
            .note("memory consists of whole scalars here, which have no bytes"),
        );
    }
}

/// What a pointer is moved by: GNU C moves a `void *` by bytes.
fn unit_of(of: &Type) -> Type {
    let kind = match &of.kind {
        TypeKind::Void => TypeKind::Int {
            bits: 8,
            signed: false,
        },
        kind => kind.clone(),
    };
    Type { kind, ..of.clone() }
}

/// A condition that a pointer is moved inside one of these runs.
pub(super) fn inside(
    from: &Bits,
    to: &Bits,
    number: &Value,
    runs: &[(i64, i64)],
    size: i64,
    reach: Reach,
) -> Bits {
    let mut any = c(0);
    let mut longest = 0;
    for &(start, end) in runs {
        let last = if reach == Reach::Access {
            end - size
        } else {
            end
        };
        let both = binary(
            program::BinaryOp::And,
            between(start, from, end),
            between(start, to, last),
        );
        any = if longest == 0 {
            both
        } else {
            binary(program::BinaryOp::Or, any, both)
        };
        longest = longest.max(end - start);
    }
    match number {
        Value::Known(_) => any,
        // A large number would come around to the object again.
        Value::Unknown(e) => {
            let most = longest / size;
            binary(program::BinaryOp::And, between(-most, e, most), any)
        }
    }
}
