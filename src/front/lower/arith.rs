//! Arithmetic and conversions, in the widths that C has, on a machine with 32 bits.
//!
//! Known values are computed exactly. Of unknown ones, types of up to 32 bits wrap or are reduced as C
//! says. A 64-bit type has the values that sign extension makes of 32 bits (`wide`); where an operation
//! may leave them, a *limit* comes first: an execution that reaches one is not covered, and the answer
//! says so.

use super::Lowering;
use super::bounds::{Reach, between};
use super::choices::constant;
use super::env::Env;
use super::layout::bytes;
use super::value::{Shape, Value, binary, c, narrowed, not, shape};
use crate::lower::typed::{BinaryOp, Type, TypeKind};
use crate::program::{self, Expr, Fault, Op, RegId};
use crate::text::Place;

type Bits = Expr<RegId>;

/// An operation on two values, each with its type, and the type of the result.
#[derive(Clone)]
pub(super) struct Operation<'t> {
    pub(super) op: BinaryOp,
    pub(super) left: (Value, &'t Type),
    pub(super) right: (Value, &'t Type),
    pub(super) ty: &'t Type,
}

fn both(op: program::BinaryOp, a: &Bits, b: &Bits) -> Bits {
    binary(op, a.clone(), b.clone())
}

/// The sign bit flipped: unsigned order as signed order. Sign extension to 64 bits keeps it.
pub(super) fn biased(e: &Bits) -> Bits {
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
        self.converts_number(&value, from, to, place);
        let (a, b) = (shape(from), shape(to));
        // Checkers make no other value of a floating-point number.
        if matches!(to.kind, TypeKind::Void | TypeKind::Float { .. }) {
            return Value::ZERO;
        }
        match value {
            Value::Known(known) => Value::Known(b.wrap(a.exact(known))),
            Value::Unknown(e) => {
                if b.bits < a.bits || b.bits == a.bits && b.bits < 32 && a.signed != b.signed {
                    Value::Unknown(narrowed(e, b))
                } else if b.bits == 64 && a.bits == 32 && !a.signed {
                    // Sign extension would make a large value another one.
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

    /// The result of an operation.
    pub(super) fn binary(&mut self, operation: Operation<'_>, place: Place) -> Value {
        if !self.learned.numbered {
            return self.computed(operation, place);
        }
        let result = self.computed(operation.clone(), place);
        self.treats_numbers(&operation, &result, place);
        result
    }

    fn computed(&mut self, operation: Operation<'_>, place: Place) -> Value {
        let Operation {
            op,
            left: (a, a_ty),
            right: (b, b_ty),
            ty,
        } = operation;
        if matches!(ty.kind, TypeKind::Float { .. }) {
            return Value::ZERO;
        }
        match op {
            BinaryOp::PointerAdd | BinaryOp::PointerSub => {
                self.move_pointer(op, (a, a_ty), b, Reach::PastEnd, place)
            }
            BinaryOp::PointerDiff => {
                let size = self.pointee_cells(a_ty);
                if let (Value::Known(a), Value::Known(b)) = (&a, &b) {
                    let of = a_ty.pointee().map_or(1, |of| bytes(self.unit, of)).max(1);
                    let apart = self.bytes_between(*a, *b).map(|bytes| bytes / of);
                    Value::Known(apart.unwrap_or(a.wrapping_sub(*b) / size))
                } else if a_ty.pointee().is_some_and(Type::is_void) {
                    self.error("the distance of two `void *` is not supported", place);
                    Value::ZERO
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

    /// A comparison of two values of one type.
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
        if shape.bits == 64
            && let Some(outcome) = compare_huge(op, &a, &b, shape)
        {
            return outcome;
        }
        let (a, b) = (
            self.dynamic_of(&a, Some(ty), place),
            self.dynamic_of(&b, Some(ty), place),
        );
        let (a, b) = match op {
            BinaryOp::Eq | BinaryOp::Ne => (a, b),
            _ if shape.bits >= 32 && !shape.signed => (biased(&a), biased(&b)),
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

    /// The same where a result that is no value of the type is a violation.
    pub(super) fn checked(&mut self, operation: Operation<'_>, place: Place) -> Value {
        let (op, shape) = (operation.op, shape(operation.ty));
        let ((a, a_ty), (b, b_ty)) = (&operation.left, &operation.right);
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            if *b == Value::ZERO {
                self.violation(Fault::Division, place);
                return Value::ZERO;
            }
            return self.binary(operation, place);
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            if shape.bits < 32 {
                // In C, narrow operands are as wide as `int`.
                let of_b = super::value::shape(b_ty);
                match b {
                    Value::Known(by) if (0..shape.bits.into()).contains(&of_b.exact(*by)) => {}
                    Value::Known(_) => self.violation(Fault::Shift, place),
                    Value::Unknown(by) => {
                        let fits = between(0, by, i64::from(shape.bits) - 1);
                        self.require(fits, Fault::Shift, place);
                    }
                }
            }
            return self.binary(operation, place);
        }
        if let (Value::Known(x), Value::Known(y)) = (a, b) {
            let (x, y) = (shape.exact(*x), shape.exact(*y));
            let exact = match op {
                BinaryOp::Add => x.checked_add(y),
                BinaryOp::Sub => x.checked_sub(y),
                _ => x.checked_mul(y),
            };
            let value = exact.map(|exact| (shape.wrap(exact), exact));
            return match value {
                Some((value, exact)) if shape.exact(value) == exact => {
                    let value = Value::Known(value);
                    self.treats_numbers(&operation, &value, place);
                    value
                }
                Some(_) | None => {
                    self.violation(Fault::Overflow, place);
                    Value::ZERO
                }
            };
        }
        if let Some(fits) = self.fits(op, (a, a_ty), (b, b_ty), shape, place) {
            self.require(fits, Fault::Overflow, place);
        }
        self.binary(operation, place)
    }

    /// A condition that a result is a value of the type; `None` if it always is, or where a limit comes
    /// first.
    fn fits(
        &mut self,
        op: BinaryOp,
        (a, a_ty): (&Value, &Type),
        (b, b_ty): (&Value, &Type),
        shape: Shape,
        place: Place,
    ) -> Option<Bits> {
        if shape.bits == 64 && shape.signed {
            return None;
        }
        let zero = |e: Bits| binary(program::BinaryOp::Ge, e, c(0));
        let negative = |e: &Bits| binary(program::BinaryOp::Lt, e.clone(), c(0));
        // In 32 bits, large numbers are numbers like the others.
        if shape.bits == 64 && a.huge().or(b.huge()).is_some() {
            let (other, ty) = if a.huge().is_some() {
                (b, b_ty)
            } else {
                (a, a_ty)
            };
            // It is above all small values, and below the large ones.
            let other = self.dynamic_of(other, Some(ty), place);
            return match op {
                BinaryOp::Sub if a.huge().is_none() => Some(negative(&other)),
                BinaryOp::Add | BinaryOp::Sub => Some(zero(other)),
                // A limit ends all products that are not 0.
                _ => None,
            };
        }
        let x = self.dynamic_of(a, Some(a_ty), place);
        let y = self.dynamic_of(b, Some(b_ty), place);
        let and = |a: Bits, b: Bits| binary(program::BinaryOp::And, a, b);
        let or = |a: Bits, b: Bits| binary(program::BinaryOp::Or, a, b);
        let own = match op {
            BinaryOp::Add => program::BinaryOp::Add,
            BinaryOp::Sub => program::BinaryOp::Sub,
            _ => program::BinaryOp::Mul,
        };
        let result = both(own, &x, &y);
        if shape.bits < 32 {
            // The exact result has 32 bits, but for the largest product of 16 bits.
            let fits = both(
                program::BinaryOp::Eq,
                &narrowed(result.clone(), shape),
                &result,
            );
            return Some(fits);
        }
        Some(match (op, shape.signed) {
            (BinaryOp::Add | BinaryOp::Sub, true) => sum_fits(own, &x, &y),
            (BinaryOp::Sub, false) => binary(program::BinaryOp::Ge, biased(&x), biased(&y)),
            (BinaryOp::Add, false) if shape.bits == 64 => {
                // Both large, or one of them and the sum is small again.
                let carries = or(negative(&x), negative(&y));
                let stays = and(negative(&result), not(and(negative(&x), negative(&y))));
                or(not(carries), stays)
            }
            (BinaryOp::Add, false) => binary(program::BinaryOp::Ge, biased(&result), biased(&x)),
            (_, true) => {
                let ne = |a: &Bits, b: i32| binary(program::BinaryOp::Ne, a.clone(), c(b));
                let undone = binary(program::BinaryOp::Div, result, y.clone());
                let is_exact = and(
                    both(program::BinaryOp::Eq, &undone, &x),
                    or(ne(&x, i32::MIN), ne(&y, -1)),
                );
                or(not(ne(&y, 0)), is_exact)
            }
            (_, false) if shape.bits == 64 => {
                // Products of small values fit, or end at a limit.
                let large = or(negative(&x), negative(&y));
                let few = |e: &Bits| between(0, e, 1);
                or(not(large), or(few(&x), few(&y)))
            }
            (_, false) => {
                // In halves: both upper ones are not 0, or the products leave the upper half.
                let low = |e: &Bits| binary(program::BinaryOp::BitAnd, e.clone(), c(0xffff));
                let high = |e: &Bits| low(&binary(program::BinaryOp::Shr, e.clone(), c(16)));
                let times = |a: Bits, b: Bits| binary(program::BinaryOp::Mul, a, b);
                let is_zero = |e: Bits| binary(program::BinaryOp::Eq, e, c(0));
                let fits_below =
                    |e: &Bits| is_zero(binary(program::BinaryOp::BitAnd, e.clone(), c(!0xffff)));
                let cross = binary(
                    program::BinaryOp::Add,
                    times(high(&x), low(&y)),
                    times(low(&x), high(&y)),
                );
                let carried = high(&times(low(&x), low(&y)));
                let all = binary(program::BinaryOp::Add, cross.clone(), carried);
                let one_is_low = or(is_zero(high(&x)), is_zero(high(&y)));
                and(one_is_low, and(fits_below(&cross), fits_below(&all)))
            }
        })
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
            if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
                self.check_quotient(shape, *a, *b, place);
            }
            return Value::Known(known(op, shape, *a, super::value::shape(b_ty).exact(*b)));
        }
        if shape.bits == 64 {
            return Value::Unknown(self.wide_arithmetic(op, shape, (&a, a_ty), (&b, b_ty), place));
        }
        let known_b = b.known();
        let x = self.dynamic_of(&a, Some(a_ty), place);
        let y = self.dynamic_of(&b, Some(b_ty), place);
        let e = match op {
            BinaryOp::Add => binary(program::BinaryOp::Add, x, y),
            BinaryOp::Sub => binary(program::BinaryOp::Sub, x, y),
            BinaryOp::Mul => binary(program::BinaryOp::Mul, x, y),
            BinaryOp::BitAnd => binary(program::BinaryOp::BitAnd, x, y),
            BinaryOp::BitOr => binary(program::BinaryOp::BitOr, x, y),
            BinaryOp::BitXor => binary(program::BinaryOp::BitXor, x, y),
            BinaryOp::Shl => binary(program::BinaryOp::Shl, x, y),
            BinaryOp::Shr => shift_right(shape, x, y, known_b),
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
}

/// `x >> y` in a type of up to 32 bits.
pub(super) fn shift_right(shape: Shape, x: Bits, y: Bits, by: Option<i64>) -> Bits {
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

/// A comparison with a known 64-bit value that no 32 bits represent; `None` if there is none. It is
/// above all representable values, below them or, if unsigned, between those of either sign.
fn compare_huge(op: BinaryOp, a: &Value, b: &Value, shape: Shape) -> Option<Value> {
    let (other, huge, is_first) = match (a, b) {
        (Value::Known(_), Value::Unknown(other)) => (other, a.huge()?, true),
        (Value::Unknown(other), Value::Known(_)) => (other, b.huge()?, false),
        (Value::Known(_), Value::Known(_)) | (Value::Unknown(_), Value::Unknown(_)) => return None,
    };
    let is_less = match op {
        BinaryOp::Eq | BinaryOp::Ne => return Some(Value::Known(i64::from(op == BinaryOp::Ne))),
        BinaryOp::Lt | BinaryOp::Le => true,
        _ => false,
    };
    // Whether the comparison holds where the other value is the smaller one.
    let holds = is_less != is_first;
    Some(if shape.signed {
        Value::Known(i64::from((huge > 0) == holds))
    } else if holds {
        Value::Unknown(binary(program::BinaryOp::Ge, other.clone(), c(0)))
    } else {
        Value::Unknown(binary(program::BinaryOp::Lt, other.clone(), c(0)))
    })
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

/// That a sum or difference has 32 bits: with a constant, a condition on the other operand alone.
pub(super) fn sum_fits(op: program::BinaryOp, x: &Bits, y: &Bits) -> Bits {
    let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
    let is_sum = op == program::BinaryOp::Add;
    let (own, from, to) = match (constant(x).map(i64::from), constant(y).map(i64::from)) {
        (None, Some(k)) if is_sum => (x, least - k, most - k),
        (Some(k), None) if is_sum => (y, least - k, most - k),
        (None, Some(k)) => (x, least + k, most + k),
        (Some(k), None) => (y, k - most, k - least),
        (None, None) | (Some(_), Some(_)) => {
            // The signs show an overflow: of the operands and of the result.
            let xor = |a: &Bits, b: &Bits| binary(program::BinaryOp::BitXor, a.clone(), b.clone());
            let result = binary(op, x.clone(), y.clone());
            let other = if is_sum { xor(y, &result) } else { xor(x, y) };
            let signs = binary(program::BinaryOp::BitAnd, xor(x, &result), other);
            return binary(program::BinaryOp::Ge, signs, c(0));
        }
    };
    match (i32::try_from(from), i32::try_from(to)) {
        (Ok(from), _) if from > i32::MIN => binary(program::BinaryOp::Ge, own.clone(), c(from)),
        (_, Ok(to)) if to < i32::MAX => binary(program::BinaryOp::Le, own.clone(), c(to)),
        _ => c(1),
    }
}
