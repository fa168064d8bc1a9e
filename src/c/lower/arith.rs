//! Arithmetic and conversions, in the widths that C has, on a machine with 32 bits.
//!
//! Known values are computed exactly. Of unknown ones, types of up to 32 bits wrap or are reduced as C
//! says. A 64-bit type holds values that fit into 32 bits; where an operation may leave them, a *limit*
//! comes first: an execution that reaches one is not covered, and the answer says so.

use super::Lowering;
use super::bounds::Reach;
use super::env::Env;
use super::value::{Shape, Value, binary, narrowed, shape};
use crate::c::hir::{BinaryOp, Type, TypeKind};
use crate::c::token::Place;
use crate::program::{self, Expr, Op, RegId};

type Bits = Expr<RegId>;

fn c(value: i32) -> Bits {
    Expr::Const(value)
}

fn both(op: program::BinaryOp, a: &Bits, b: &Bits) -> Bits {
    binary(op, a.clone(), b.clone())
}

/// The sign bit flipped: unsigned order as signed order.
fn biased(e: &Bits) -> Bits {
    binary(program::BinaryOp::BitXor, e.clone(), c(i32::MIN))
}

impl Lowering<'_> {
    /// Ends what is known of an execution where this is 0.
    pub(super) fn limit(&mut self, fits: Bits, place: Place) {
        if self.state.is_none() || self.is_limit_of_test(place) {
            return;
        }
        self.emit(Op::Assert(fits.clone()), place);
        if let Some(last) = self.code.instructions.last_mut() {
            last.limit = true;
        }
        self.emit(Op::Assume(fits), place);
    }

    /// A value of one scalar type as one of another.
    pub(super) fn convert(&mut self, value: Value, from: &Type, to: &Type, place: Place) -> Value {
        if let Some(converted) = self.convert_pointer(&value, from, to, place) {
            return converted;
        }
        let (a, b) = (shape(from), shape(to));
        if matches!(to.kind, TypeKind::Void) {
            return Value::ZERO;
        }
        match value {
            Value::Known(known) => Value::Known(b.wrap(a.exact(known))),
            Value::Unknown(e) => {
                if b.bits < a.bits || b.bits == a.bits && b.bits < 32 && a.signed != b.signed {
                    Value::Unknown(narrowed(e, b))
                } else if b.bits == 64 && (!a.signed && a.bits == 32 || !b.signed && a.signed) {
                    // Beyond the signed range of 32 bits, or a negative number made a huge one.
                    self.limit(binary(program::BinaryOp::Ge, e.clone(), c(0)), place);
                    Value::Unknown(e)
                } else if b.bits < 32 && a.signed && !b.signed {
                    Value::Unknown(narrowed(e, b))
                } else {
                    Value::Unknown(e)
                }
            }
        }
    }

    pub(super) fn complement(&mut self, value: Value, ty: &Type, place: Place) -> Value {
        let shape = shape(ty);
        match value {
            Value::Known(value) => Value::Known(shape.wrap(!shape.exact(value))),
            Value::Unknown(e) => {
                if shape.bits == 64 && !shape.signed {
                    self.error("`~` of an unsigned 64-bit value leaves 32 bits", place);
                }
                Value::Unknown(Expr::unary(program::UnaryOp::BitNot, e))
            }
        }
    }

    /// `a op b`: the operands' types, and the type of the result.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        (a, a_ty): (Value, &Type),
        (b, b_ty): (Value, &Type),
        ty: &Type,
        place: Place,
    ) -> Value {
        match op {
            BinaryOp::PointerAdd | BinaryOp::PointerSub => {
                self.move_pointer(op, (a, a_ty), b, Reach::PastEnd, place)
            }
            BinaryOp::PointerDiff => {
                let size = self.pointee_cells(a_ty);
                if let (Value::Known(a), Value::Known(b)) = (&a, &b) {
                    Value::Known(a.wrapping_sub(*b) / size)
                } else {
                    let (a, b) = (self.pointer_bits(&a, place), self.pointer_bits(&b, place));
                    let cells = binary(program::BinaryOp::Sub, a, b);
                    Value::Unknown(if size == 1 {
                        cells
                    } else {
                        binary(program::BinaryOp::Div, cells, c(size as i32))
                    })
                }
            }
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => self.compare(op, a, b, a_ty, place),
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Shl
            | BinaryOp::Shr => self.arithmetic(op, (a, a_ty), (b, b_ty), ty, place),
        }
    }

    fn compare(&mut self, op: BinaryOp, a: Value, b: Value, ty: &Type, place: Place) -> Value {
        let shape = shape(ty);
        if let (Value::Known(a), Value::Known(b)) = (&a, &b) {
            let (a, b) = (shape.exact(*a), shape.exact(*b));
            return Value::Known(i64::from(match op {
                BinaryOp::Eq => a == b,
                BinaryOp::Ne => a != b,
                BinaryOp::Lt => a < b,
                BinaryOp::Le => a <= b,
                BinaryOp::Gt => a > b,
                _ => a >= b,
            }));
        }
        // A local in registers is not at any address that is computed at run time.
        for (known, other) in [(&a, &b), (&b, &a)] {
            if let (Value::Known(known), Value::Unknown(_)) = (known, other)
                && Env::is_virtual(*known)
                && matches!(op, BinaryOp::Eq | BinaryOp::Ne)
            {
                return Value::Known(i64::from(op == BinaryOp::Ne));
            }
        }
        // A constant that does not fit is beyond all values that do.
        if shape.bits == 64 {
            for (known, first) in [(&a, true), (&b, false)] {
                if let Value::Known(known) = known
                    && shape.to_bits(*known).is_none()
                {
                    let high = shape.exact(*known) > 0;
                    let less = high != first;
                    return Value::Known(i64::from(match op {
                        BinaryOp::Eq => false,
                        BinaryOp::Ne => true,
                        BinaryOp::Lt | BinaryOp::Le => less,
                        _ => !less,
                    }));
                }
            }
        }
        let (a, b) = (
            self.dynamic_of(&a, Some(ty), place),
            self.dynamic_of(&b, Some(ty), place),
        );
        let (a, b) = match op {
            BinaryOp::Eq | BinaryOp::Ne => (a, b),
            _ if shape.bits == 32 && !shape.signed => (biased(&a), biased(&b)),
            _ => (a, b),
        };
        let op = match op {
            BinaryOp::Eq => program::BinaryOp::Eq,
            BinaryOp::Ne => program::BinaryOp::Ne,
            BinaryOp::Lt => program::BinaryOp::Lt,
            BinaryOp::Le => program::BinaryOp::Le,
            BinaryOp::Gt => program::BinaryOp::Gt,
            _ => program::BinaryOp::Ge,
        };
        Value::Unknown(binary(op, a, b))
    }

    fn arithmetic(
        &mut self,
        op: BinaryOp,
        (a, a_ty): (Value, &Type),
        (b, b_ty): (Value, &Type),
        ty: &Type,
        place: Place,
    ) -> Value {
        let shape = shape(ty);
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && b == Value::ZERO {
            if self.state.is_some() {
                self.error("division by 0", place);
            }
            return Value::ZERO;
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            self.check_shift(shape, &b, b_ty, place);
        }
        if let (Value::Known(a), Value::Known(b)) = (&a, &b) {
            return Value::Known(known(op, shape, *a, super::value::shape(b_ty).exact(*b)));
        }
        // Masks of unsigned 64-bit values may be wider than what is masked.
        let (a, b) = if op == BinaryOp::BitAnd && shape.bits == 64 && !shape.signed {
            (masked(a, shape), masked(b, shape))
        } else {
            (a, b)
        };
        let known_b = b.known();
        let x = self.dynamic_of(&a, Some(a_ty), place);
        let y = self.dynamic_of(&b, Some(b_ty), place);
        let e = match op {
            BinaryOp::Add => self.wide(shape, program::BinaryOp::Add, x, y, place),
            BinaryOp::Sub => self.wide(shape, program::BinaryOp::Sub, x, y, place),
            BinaryOp::Mul => self.product(shape, (x, a.known()), (y, known_b), place),
            BinaryOp::BitAnd => binary(program::BinaryOp::BitAnd, x, y),
            BinaryOp::BitOr => binary(program::BinaryOp::BitOr, x, y),
            BinaryOp::BitXor => binary(program::BinaryOp::BitXor, x, y),
            BinaryOp::Shl => self.shift_left(shape, x, y, known_b, place),
            BinaryOp::Shr => self.shift_right(shape, x, y, known_b, place),
            _ => match known_b {
                Some(by) => self.quotient(op, shape, x, by, place),
                None => self.quotient_by(op, shape, x, y, place),
            },
        };
        // Only atomic operations compute in a type narrower than `int`.
        Value::Unknown(if shape.bits < 32 {
            narrowed(e, shape)
        } else {
            e
        })
    }

    /// A sum or difference, which in 64 bits must stay inside 32.
    fn wide(
        &mut self,
        shape: Shape,
        op: program::BinaryOp,
        x: Bits,
        y: Bits,
        place: Place,
    ) -> Bits {
        let result = both(op, &x, &y);
        let bounded = shape.signed || op == program::BinaryOp::Add;
        if shape.bits == 64 && !(bounded && self.is_sum_of_test(place)) {
            let fits = if shape.signed {
                // The signs show an overflow: of the operands and of the result.
                let other = if op == program::BinaryOp::Add {
                    both(program::BinaryOp::BitXor, &y, &result)
                } else {
                    both(program::BinaryOp::BitXor, &x, &y)
                };
                let own = both(program::BinaryOp::BitXor, &x, &result);
                let signs = binary(program::BinaryOp::BitAnd, own, other);
                binary(program::BinaryOp::Ge, signs, c(0))
            } else {
                binary(program::BinaryOp::Ge, result.clone(), c(0))
            };
            self.limit(fits, place);
        }
        result
    }

    fn product(
        &mut self,
        shape: Shape,
        (x, known_x): (Bits, Option<i64>),
        (y, known_y): (Bits, Option<i64>),
        place: Place,
    ) -> Bits {
        if shape.bits == 64 {
            match (known_x, known_y) {
                (Some(factor), _) => self.bounded(&y, factor, place),
                (_, Some(factor)) => self.bounded(&x, factor, place),
                (None, None) => self.error(
                    "the product of two 64-bit values that are not constants is not supported",
                    place,
                ),
            }
        }
        binary(program::BinaryOp::Mul, x, y)
    }

    /// Limits a factor so that its product with a constant fits.
    fn bounded(&mut self, x: &Bits, factor: i64, place: Place) {
        if factor.unsigned_abs() > 1 || factor == -1 {
            let most = u64::from(i32::MAX.unsigned_abs()) / factor.unsigned_abs();
            let most = i32::try_from(most).unwrap_or(i32::MAX);
            let low = binary(program::BinaryOp::Ge, x.clone(), c(-most));
            let high = binary(program::BinaryOp::Le, x.clone(), c(most));
            self.limit(binary(program::BinaryOp::And, low, high), place);
        }
    }

    fn shift_left(
        &mut self,
        shape: Shape,
        x: Bits,
        y: Bits,
        by: Option<i64>,
        place: Place,
    ) -> Bits {
        if shape.bits == 64 {
            match by {
                Some(by) if (0..31).contains(&by) => self.bounded(&x, 1 << by, place),
                _ => self.error(
                    "a 64-bit value is shifted by what is not a constant below 31",
                    place,
                ),
            }
        }
        binary(program::BinaryOp::Shl, x, y)
    }

    pub(super) fn shift_right(
        &mut self,
        shape: Shape,
        x: Bits,
        y: Bits,
        by: Option<i64>,
        place: Place,
    ) -> Bits {
        if shape.bits == 64 {
            return if let Some(by) = by {
                binary(program::BinaryOp::Shr, x, c(by.clamp(0, 31) as i32))
            } else {
                let fits = binary(program::BinaryOp::Lt, y.clone(), c(32));
                self.limit(fits, place);
                binary(program::BinaryOp::Shr, x, y)
            };
        }
        if shape.signed {
            return binary(program::BinaryOp::Shr, x, y);
        }
        match by {
            Some(0) => x,
            Some(by) if by < 32 => {
                let shifted = binary(program::BinaryOp::Shr, x, c(by as i32));
                let mask = ((1_i64 << (32 - by)) - 1) as i32;
                binary(program::BinaryOp::BitAnd, shifted, c(mask))
            }
            Some(_) => c(0),
            None => {
                // The bits that an arithmetic shift brings in are those of the sign.
                let least = binary(program::BinaryOp::Sub, y.clone(), c(1));
                let signs = binary(program::BinaryOp::Shr, c(i32::MIN), least);
                let mask = Expr::unary(program::UnaryOp::BitNot, signs);
                let shifted = binary(
                    program::BinaryOp::BitAnd,
                    both(program::BinaryOp::Shr, &x, &y),
                    mask,
                );
                Expr::conditional(y, shifted, x)
            }
        }
    }
}

/// A known mask without the bits that no value inside 32 bits has.
fn masked(value: Value, shape: Shape) -> Value {
    match value {
        Value::Known(mask) if shape.to_bits(mask).is_none() => {
            Value::Known(mask & i64::from(i32::MAX))
        }
        other => other,
    }
}

/// The exact value of an operator on known operands.
fn known(op: BinaryOp, shape: Shape, a: i64, b: i128) -> i64 {
    let a = shape.exact(a);
    let by = b.rem_euclid(i128::from(shape.bits.max(32))) as u32;
    shape.wrap(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div => a / b,
        BinaryOp::Rem => a % b,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl => a << by,
        _ => a >> by,
    })
}
