//! Quotients and remainders, in types of up to 32 bits, and by how many bits may be shifted.

use super::Lowering;
use super::arith::shift_right;
use super::bounds::between;
use super::value::{Shape, Value, binary, c, shape};
use crate::lower::typed::{BinaryOp, Type};
use crate::program::{self, Fault};
use crate::text::Place;

type Bits = program::Expr<program::RegId>;

impl Lowering<'_> {
    /// It is a violation to shift a value of this shape by a negative number, or by all of its bits or
    /// more (C11, 6.5.7).
    pub(super) fn check_shift(&mut self, of: Shape, by: &Value, ty: &Type, place: Place) {
        let bits = i64::from(of.bits.max(32));
        match by {
            Value::Known(by) if (0..i128::from(bits)).contains(&shape(ty).exact(*by)) => {}
            Value::Known(_) => self.violation(Fault::Shift, place),
            Value::Unknown(by) if is_masked(by, bits) => {}
            // Numbers of unsigned types from 2³¹ on are negative here.
            Value::Unknown(by) => self.require(between(0, by, bits - 1), Fault::Shift, place),
        }
    }

    /// It is a violation if a known quotient is no value of its type: that of the least number and -1.
    /// The remainder has none either (C11, 6.5.5), and neither Rust nor the processor computes it.
    pub(super) fn check_quotient(&mut self, of: Shape, a: i64, b: i64, place: Place) {
        if of.exact(b) == 0 {
            return;
        }
        let exact = of.exact(a) / of.exact(b);
        if of.exact(of.wrap(exact)) != exact {
            self.violation(Fault::Division, place);
        }
    }

    /// Division by a constant other than 0, in a type of up to 32 bits.
    pub(super) fn quotient(
        &mut self,
        op: BinaryOp,
        shape: Shape,
        x: Bits,
        by: i64,
        place: Place,
    ) -> Bits {
        let is_quotient = op == BinaryOp::Div;
        let operator = division(op);
        debug_assert!(shape.bits <= 32);
        if shape.bits == 32 && !shape.signed {
            let by = by as u32;
            if by.is_power_of_two() {
                let log = by.trailing_zeros();
                return if is_quotient {
                    shift_right(shape, x, c(log as i32), Some(i64::from(log)))
                } else {
                    binary(program::BinaryOp::BitAnd, x, c((by - 1) as i32))
                };
            }
            self.limit(binary(program::BinaryOp::Ge, x.clone(), c(0)), place);
            return match i32::try_from(by) {
                Ok(by) => binary(operator, x, c(by)),
                Err(_) if is_quotient => c(0),
                Err(_) => x,
            };
        }
        if shape.signed && by == -1 {
            let fits = binary(program::BinaryOp::Ne, x.clone(), c(least(shape)));
            self.require(fits, Fault::Division, place);
        }
        binary(operator, x, c(by as i32))
    }

    /// The same by a value that is not known: a violation where it is 0, and where the quotient does not
    /// fit into its type.
    pub(super) fn quotient_by(
        &mut self,
        op: BinaryOp,
        shape: Shape,
        x: Bits,
        y: Bits,
        place: Place,
    ) -> Bits {
        let not_zero = binary(program::BinaryOp::Ne, y.clone(), c(0));
        let no_overflow = binary(
            program::BinaryOp::Or,
            binary(program::BinaryOp::Ne, x.clone(), c(least(shape))),
            binary(program::BinaryOp::Ne, y.clone(), c(-1)),
        );
        let defined = if shape.signed {
            binary(program::BinaryOp::And, not_zero, no_overflow)
        } else {
            not_zero
        };
        self.require(defined, Fault::Division, place);
        if shape.bits == 32 && !shape.signed {
            let both = binary(program::BinaryOp::BitOr, x.clone(), y.clone());
            self.limit(binary(program::BinaryOp::Ge, both, c(0)), place);
        }
        binary(division(op), x, y)
    }
}

/// The least number of a signed type of up to 32 bits.
fn least(shape: Shape) -> i32 {
    i32::MIN >> (32 - u32::from(shape.bits))
}

/// Whether a value has only low bits: it is at least 0 and less than this.
fn is_masked(e: &Bits, bits: i64) -> bool {
    let program::Expr::Binary(program::BinaryOp::BitAnd, a, b) = e else {
        return false;
    };
    let is_mask = |e: &Bits| {
        let mask = e.as_const().map(i64::from);
        mask.is_some_and(|mask| (0..bits).contains(&mask))
    };
    is_mask(a) || is_mask(b)
}

pub(super) fn division(op: BinaryOp) -> program::BinaryOp {
    if op == BinaryOp::Div {
        program::BinaryOp::Div
    } else {
        program::BinaryOp::Rem
    }
}
