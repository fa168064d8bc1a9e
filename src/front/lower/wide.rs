//! Arithmetic of 64-bit types in words of 32 bits.
//!
//! A word represents the 64-bit value that sign extension makes of it. So signed types have the values
//! from -2³¹ to 2³¹ - 1, and unsigned ones those below 2³¹ and from 2⁶⁴ - 2³¹ on: counters, and what
//! is just below 0, such as `UINT64_MAX`. Everything that is computed modulo 2⁶⁴ is then the same for
//! both:
//!
//! ```text
//!   x + y, x - y, x * y, x << n    the words' exact result, if it fits into 32 bits
//!   x & y, x | y, x ^ y, ~x        those of the words, always
//!   x == y                         that of the words; `<` with the sign bit flipped if unsigned
//!   x / y, x % y, x >> n           signed: those of the words; unsigned: below
//! ```
//!
//! Where the result has no word, a limit ends the execution. A constant operand may be *huge*: one
//! that no word represents. Its result often has one all the same (`x & 0xffffffff`).
//!
//! **Incomplete:** the quotient of a large unsigned value by a small one that is not known, and few
//! operations with huge constants, are limits although some of their results have words.

use super::Lowering;
use super::arith::biased;
use super::arith::sum_fits;
use super::bounds::between;
use super::divide::division;
use super::value::{Shape, Value, binary, c, shape};
use crate::lower::typed::{self, BinaryOp, ExprKind, Type};
use crate::program::{self, Expr, Fault, RegId};
use crate::text::{Diagnostic, Place};

type Bits = Expr<RegId>;

const MIN: i128 = i32::MIN as i128;
const MAX: i128 = i32::MAX as i128;
/// Unsigned values from here on are those of negative words.
const LARGE: i128 = (1 << 64) + MIN;
const LARGEST: i128 = (1 << 64) - 1;

/// The operands of a comparison of an `unsigned int`, converted to 64 bits, with a constant: in 32 bits,
/// where no value is too large. In a type of up to 32 bits the conversion may make it another number.
pub(super) fn in_32_bits(op: BinaryOp, a: &typed::Expr, b: &typed::Expr) -> Option<Compared> {
    let compares = matches!(
        op,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
    );
    let ExprKind::Cast(inner) = &a.kind else {
        return None;
    };
    let widens = matches!(a.ty.width(), Some((64, _)));
    let is_unsigned = inner.ty.width() == Some((32, false));
    if !(compares && widens && is_unsigned) {
        return None;
    }
    let constant = typed::Expr {
        kind: ExprKind::Const(literal(b)?),
        ty: inner.ty.clone(),
        place: b.place,
    };
    Some(((**inner).clone(), constant))
}

/// Both operands of a comparison.
type Compared = (typed::Expr, typed::Expr);

/// The value of an expression of literals, such as the length of an array as the quotient of two sizes. All its parts
/// are at least 0 and less than 2³², so they are the same in any type of 64 bits.
fn literal(e: &typed::Expr) -> Option<i64> {
    let value = match &e.kind {
        ExprKind::Const(value) => *value,
        ExprKind::Cast(inner) if is_64_bit(e) => literal(inner)?,
        ExprKind::Binary(op, a, b) if is_64_bit(e) => {
            let (a, b) = (literal(a)?, literal(b)?);
            match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a.checked_mul(b)?,
                BinaryOp::Div => a.checked_div(b)?,
                _ => return None,
            }
        }
        _ => return None,
    };
    u32::try_from(value).is_ok().then_some(value)
}

fn is_64_bit(e: &typed::Expr) -> bool {
    matches!(e.ty.width(), Some((64, _)))
}

fn and(a: Bits, b: Bits) -> Bits {
    binary(program::BinaryOp::And, a, b)
}

fn or(a: Bits, b: Bits) -> Bits {
    binary(program::BinaryOp::Or, a, b)
}

fn is_small(x: &Bits) -> Bits {
    binary(program::BinaryOp::Ge, x.clone(), c(0))
}

fn is_large(x: &Bits) -> Bits {
    binary(program::BinaryOp::Lt, x.clone(), c(0))
}

impl Lowering<'_> {
    /// Reports a 64-bit value that has to be a word and is none.
    pub(super) fn refuse_huge(&mut self, value: i64, ty: &Type, place: Place) {
        let shape = shape(ty);
        let (sign, values) = if shape.signed {
            ("signed", format!("from {MIN} to {MAX}"))
        } else {
            (
                "unsigned",
                format!("up to {MAX}, and from {LARGE} to {LARGEST}"),
            )
        };
        self.report(
            Diagnostic::error(
                format!("the value {} does not fit into 32 bits, and has to be stored", shape.exact(value)),
                self.positions.span(place),
            )
            .note(format!(
                "cells have 32 bits: 64-bit {sign} objects have values {values}; use such a value, if \
                 the program is the same with it"
            )),
        );
    }

    /// `a op b` in 64 bits, of which one operand is not known.
    pub(super) fn wide_arithmetic(
        &mut self,
        op: BinaryOp,
        shape: Shape,
        (a, a_ty): (&Value, &Type),
        (b, b_ty): (&Value, &Type),
        place: Place,
    ) -> Bits {
        if let Some(huge) = a.huge().or(b.huge()).filter(|_| self.test.is_some()) {
            // A test has no limits.
            self.refuse_huge(huge, a_ty, place);
            return c(0);
        }
        if let Some(by) = b.huge() {
            let x = self.dynamic_of(a, Some(a_ty), place);
            return self.with_huge(op, shape, x, by, place);
        }
        let y = self.dynamic_of(b, Some(b_ty), place);
        if let Some(huge) = a.huge() {
            return self.of_huge(op, shape, huge, y, place);
        }
        let x = self.dynamic_of(a, Some(a_ty), place);
        match op {
            BinaryOp::Add => self.wide_sum(program::BinaryOp::Add, x, y, place),
            BinaryOp::Sub => self.wide_sum(program::BinaryOp::Sub, x, y, place),
            BinaryOp::Mul => match (a.known(), b.known()) {
                (Some(factor), _) => self.multiple(y, i128::from(factor), place),
                (_, Some(factor)) => self.multiple(x, i128::from(factor), place),
                (None, None) => self.wide_product(x, y, place),
            },
            BinaryOp::BitAnd => binary(program::BinaryOp::BitAnd, x, y),
            BinaryOp::BitOr => binary(program::BinaryOp::BitOr, x, y),
            BinaryOp::BitXor => binary(program::BinaryOp::BitXor, x, y),
            BinaryOp::Shl => self.wide_shift_left(x, y, b.known(), place),
            BinaryOp::Shr => self.wide_shift_right(shape, x, y, b.known(), place),
            _ => match b.known() {
                Some(by) if shape.signed => self.signed_quotient(op, x, by, place),
                Some(by) => self.unsigned_quotient(op, x, shape.exact(by), place),
                None => self.wide_quotient_by(op, shape, x, y, place),
            },
        }
    }

    /// The result has no word, whatever the operands are.
    fn never(&mut self, place: Place) -> Bits {
        self.limit(c(0), place);
        c(0)
    }

    /// A limit where a value is not in a range; all of this is inside 64 bits.
    fn only_between(&mut self, low: i128, x: &Bits, high: i128, place: Place) {
        let (low, high) = (low.max(MIN), high.min(MAX));
        if low > high {
            self.limit(c(0), place);
        } else if (low, high) != (MIN, MAX) {
            self.limit(between(low as i64, x, high as i64), place);
        }
    }

    fn wide_sum(&mut self, op: program::BinaryOp, x: Bits, y: Bits, place: Place) -> Bits {
        if !self.is_sum_of_test(place) {
            self.limit(sum_fits(op, &x, &y), place);
        }
        binary(op, x, y)
    }

    /// A product with a constant.
    fn multiple(&mut self, x: Bits, factor: i128, place: Place) -> Bits {
        if factor < 0 {
            self.only_between(-(MAX / -factor), &x, -MIN / -factor, place);
        } else if factor > 0 {
            self.only_between(-(-MIN / factor), &x, MAX / factor, place);
        }
        binary(program::BinaryOp::Mul, x, c(factor as i32))
    }

    fn wide_product(&mut self, x: Bits, y: Bits, place: Place) -> Bits {
        let result = binary(program::BinaryOp::Mul, x.clone(), y.clone());
        let eq = |a: &Bits, b: Bits| binary(program::BinaryOp::Eq, a.clone(), b);
        let ne = |a: &Bits, b: i32| binary(program::BinaryOp::Ne, a.clone(), c(b));
        let undone = binary(program::BinaryOp::Div, result.clone(), y.clone());
        let is_exact = and(eq(&undone, x.clone()), or(ne(&x, i32::MIN), ne(&y, -1)));
        self.limit(or(eq(&y, c(0)), is_exact), place);
        result
    }

    fn wide_shift_left(&mut self, x: Bits, y: Bits, by: Option<i64>, place: Place) -> Bits {
        match by {
            Some(by @ 0..64) => self.multiple(x, 1 << by, place),
            Some(by) => self.refuse_shift(i128::from(by), place),
            None => {
                let result = binary(program::BinaryOp::Shl, x.clone(), y.clone());
                let undone = binary(program::BinaryOp::Shr, result.clone(), y.clone());
                let is_exact = binary(program::BinaryOp::Eq, undone, x.clone());
                let is_zero = binary(program::BinaryOp::Eq, x, c(0));
                let fits = and(between(0, &y, 31), is_exact);
                self.limit(or(is_zero, fits), place);
                result
            }
        }
    }

    fn wide_shift_right(
        &mut self,
        shape: Shape,
        x: Bits,
        y: Bits,
        by: Option<i64>,
        place: Place,
    ) -> Bits {
        match by {
            Some(0) => x,
            Some(by @ 1..64) if shape.signed => {
                binary(program::BinaryOp::Shr, x, c(by.min(31) as i32))
            }
            // A power of two is a divisor.
            Some(by @ 1..64) => self.unsigned_quotient(BinaryOp::Div, x, 1 << by, place),
            Some(by) => self.refuse_shift(i128::from(by), place),
            None => {
                self.limit(between(0, &y, 63), place);
                let above = |least| binary(program::BinaryOp::Gt, y.clone(), c(least));
                let by = Expr::conditional(above(31), c(31), y.clone());
                let shifted = binary(program::BinaryOp::Shr, x.clone(), by);
                if shape.signed {
                    return shifted;
                }
                let none = binary(program::BinaryOp::Eq, y.clone(), c(0));
                self.limit(or(or(none, is_small(&x)), above(32)), place);
                // All bits of a large value above the 31st are ones.
                let left = binary(program::BinaryOp::Sub, c(64), y.clone());
                let power = binary(program::BinaryOp::Shl, c(1), left);
                let ones = binary(program::BinaryOp::Sub, power, c(1));
                Expr::conditional(and(is_large(&x), above(0)), ones, shifted)
            }
        }
    }

    fn refuse_shift(&mut self, by: i128, place: Place) -> Bits {
        if self.state.is_some() {
            self.error(format!("a 64-bit value is shifted by {by}"), place);
        }
        c(0)
    }

    fn signed_quotient(&mut self, op: BinaryOp, x: Bits, by: i64, place: Place) -> Bits {
        if by == -1 && op == BinaryOp::Div {
            // The quotient of the least word has no word.
            self.limit(binary(program::BinaryOp::Ne, x.clone(), c(i32::MIN)), place);
        }
        binary(division(op), x, c(by as i32))
    }

    /// A quotient or remainder by a value that is not 0, all unsigned.
    fn unsigned_quotient(&mut self, op: BinaryOp, x: Bits, by: i128, place: Place) -> Bits {
        let is_quotient = op == BinaryOp::Div;
        if by == 1 && is_quotient {
            return x;
        }
        if by >= LARGE {
            return large_divisor(op, x, c(by as i32));
        }
        let small = if by <= MAX {
            binary(division(op), x.clone(), c(by as i32))
        } else if is_quotient {
            c(0)
        } else {
            x.clone()
        };
        let large = if by <= MAX && !is_quotient {
            // Modulo the divisor, 2⁶⁴ more than the word is what 2⁶⁴ leaves more.
            let rest = c(((1_i128 << 64) % by) as i32);
            let left = binary(program::BinaryOp::Add, small.clone(), rest);
            let more = binary(program::BinaryOp::Add, left.clone(), c(by as i32));
            Some(Expr::conditional(is_small(&left), left, more))
        } else if is_quotient && LARGE / by == LARGEST / by && LARGE / by <= MAX {
            Some(c((LARGE / by) as i32))
        } else {
            None
        };
        if let Some(large) = large {
            return Expr::conditional(is_small(&x), small, large);
        }
        self.limit(is_small(&x), place);
        small
    }

    /// A quotient or remainder by a value that is not known: a violation where it is 0.
    fn wide_quotient_by(
        &mut self,
        op: BinaryOp,
        shape: Shape,
        x: Bits,
        y: Bits,
        place: Place,
    ) -> Bits {
        let ne = |a: &Bits, b: i32| binary(program::BinaryOp::Ne, a.clone(), c(b));
        self.require(ne(&y, 0), Fault::Division, place);
        if shape.signed {
            // The remainder of the least word and -1 is 0, and needs no quotient here.
            if op == BinaryOp::Div {
                self.limit(or(ne(&x, i32::MIN), ne(&y, -1)), place);
            }
            return binary(division(op), x, y);
        }
        self.limit(or(is_small(&x), is_large(&y)), place);
        let large = large_divisor(op, x.clone(), y.clone());
        let small = binary(division(op), x, y.clone());
        Expr::conditional(is_large(&y), large, small)
    }

    /// `x op huge`
    fn with_huge(&mut self, op: BinaryOp, shape: Shape, x: Bits, huge: i64, place: Place) -> Bits {
        let (exact, low) = (i128::from(huge), huge as i32);
        match op {
            BinaryOp::Add => {
                self.only_between(MIN - exact, &x, MAX - exact, place);
                binary(program::BinaryOp::Add, x, c(low))
            }
            BinaryOp::Sub => {
                self.only_between(MIN + exact, &x, MAX + exact, place);
                binary(program::BinaryOp::Sub, x, c(low))
            }
            BinaryOp::Mul => self.multiple(x, exact, place),
            // The upper bits of the result are those of the word's sign or of the constant.
            BinaryOp::BitAnd => {
                self.limit(is_small(&x), place);
                binary(program::BinaryOp::BitAnd, x, c(low & i32::MAX))
            }
            BinaryOp::BitOr => {
                self.limit(is_large(&x), place);
                binary(program::BinaryOp::BitOr, x, c(low))
            }
            BinaryOp::BitXor => self.never(place),
            BinaryOp::Shl | BinaryOp::Shr => self.refuse_shift(shape.exact(huge), place),
            BinaryOp::Div | BinaryOp::Rem if !shape.signed => {
                self.unsigned_quotient(op, x, shape.exact(huge), place)
            }
            _ => {
                if exact == -MIN {
                    // All other words are smaller than the divisor.
                    self.limit(binary(program::BinaryOp::Ne, x.clone(), c(i32::MIN)), place);
                }
                if op == BinaryOp::Div { c(0) } else { x }
            }
        }
    }

    /// `huge op y`
    fn of_huge(&mut self, op: BinaryOp, shape: Shape, huge: i64, y: Bits, place: Place) -> Bits {
        let exact = i128::from(huge);
        match op {
            BinaryOp::Add
            | BinaryOp::Mul
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => self.with_huge(op, shape, y, huge, place),
            BinaryOp::Sub => {
                self.only_between(exact - MAX, &y, exact - MIN, place);
                binary(program::BinaryOp::Sub, c(huge as i32), y)
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let not_zero = binary(program::BinaryOp::Ne, y, c(0));
                self.require(not_zero, Fault::Division, place);
                self.never(place)
            }
            _ => self.never(place),
        }
    }
}

/// By a large divisor, which is at most once in any value.
fn large_divisor(op: BinaryOp, x: Bits, y: Bits) -> Bits {
    let is_once = binary(program::BinaryOp::Ge, biased(&x), biased(&y));
    if op == BinaryOp::Div {
        return is_once;
    }
    Expr::conditional(is_once, binary(program::BinaryOp::Sub, x.clone(), y), x)
}
