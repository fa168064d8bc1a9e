//! Functions of the bits of a number, and arithmetic that reports an overflow: built-ins of compilers.
//!
//! Known values are computed exactly, in the width of their type. Of others there are 32 bits, and those of
//! 64-bit types are sign-extended (`wide`), so the upper half of a negative word has ones only:
//!
//! ```text
//!   ones(x)            32 bits: in parallel, in fields of 2, 4 and 8 bits; 64: 32 more if negative
//!   trailing zeros(x)  ones(~x & (x - 1)), in either width
//!   leading zeros(x)   32 - ones(y), where y is x with ones below its highest one; 64: 32 more, or none
//! ```

use super::Lowering;
use super::arguments::{Evaluated, value_of};
use super::arith::{Operation, biased, shift_right};
use super::bounds::between;
use super::value::{Shape, Value, binary, c, narrowed, not, shape};
use crate::lower::operation::BitFunction;
use crate::lower::typed::{self, Type};
use crate::program::{BinaryOp, Expr, Fault, RegId};
use crate::text::Place;

type Bits = Expr<RegId>;

const WORD: Shape = Shape {
    bits: 32,
    signed: false,
};

/// The result for a number of this width, of which `value` has the bits; `None` if it has none.
pub(crate) fn of_constant(what: BitFunction, width: u8, value: u64) -> Option<i64> {
    let width = u32::from(width);
    let value = if width == 64 {
        value
    } else {
        value & ((1 << width) - 1)
    };
    let trailing = value.trailing_zeros();
    let result = match what {
        BitFunction::LeadingZeros | BitFunction::TrailingZeros if value == 0 => return None,
        BitFunction::LeadingZeros => value.leading_zeros() - (64 - width),
        BitFunction::TrailingZeros => trailing,
        BitFunction::FirstSet if value == 0 => 0,
        BitFunction::FirstSet => trailing + 1,
        BitFunction::Ones => value.count_ones(),
        BitFunction::Parity => value.count_ones() % 2,
        BitFunction::SwapBytes => return Some((value.swap_bytes() >> (64 - width)) as i64),
    };
    Some(i64::from(result))
}

fn and(a: Bits, b: Bits) -> Bits {
    binary(BinaryOp::BitAnd, a, b)
}

fn plus(a: Bits, b: Bits) -> Bits {
    binary(BinaryOp::Add, a, b)
}

fn minus(a: Bits, b: Bits) -> Bits {
    binary(BinaryOp::Sub, a, b)
}

fn right(a: &Bits, by: i64) -> Bits {
    shift_right(WORD, a.clone(), c(by as i32), Some(by))
}

fn left(a: &Bits, by: i32) -> Bits {
    binary(BinaryOp::Shl, a.clone(), c(by))
}

fn is_negative(a: &Bits) -> Bits {
    binary(BinaryOp::Lt, a.clone(), c(0))
}

fn is_zero(a: &Bits) -> Bits {
    binary(BinaryOp::Eq, a.clone(), c(0))
}

/// Whether `a < b`, of unsigned words.
fn below(a: &Bits, b: &Bits) -> Bits {
    binary(BinaryOp::Lt, biased(a), biased(b))
}

fn either(a: Bits, b: Bits) -> Bits {
    binary(BinaryOp::Or, a, b)
}

impl Lowering<'_> {
    /// `__builtin_ctz` and its kind. It is a violation to look for a one in 0.
    pub(super) fn function_of_bits(
        &mut self,
        what: BitFunction,
        width: u8,
        value: Value,
        place: Place,
    ) -> Value {
        let x = match value {
            Value::Known(known) => match of_constant(what, width, known as u64) {
                Some(result) => return Value::Known(result),
                None => c(0),
            },
            Value::Unknown(x) => self.copy(x, place),
        };
        let is_wide = width == 64;
        if matches!(what, BitFunction::LeadingZeros | BitFunction::TrailingZeros) {
            self.require(not(is_zero(&x)), Fault::Shift, place);
        }
        let upper = |x: &Bits| Expr::conditional(is_negative(x), c(0), c(32));
        Value::Unknown(match what {
            BitFunction::LeadingZeros if is_wide => {
                let zeros = self.leading_zeros(&x, place);
                plus(zeros, upper(&x))
            }
            BitFunction::LeadingZeros => self.leading_zeros(&x, place),
            BitFunction::TrailingZeros => self.trailing_zeros(&x, place),
            BitFunction::FirstSet => {
                let zeros = self.trailing_zeros(&x, place);
                Expr::conditional(is_zero(&x), c(0), plus(zeros, c(1)))
            }
            BitFunction::Ones if is_wide => {
                let ones = self.ones(&x, place);
                plus(ones, minus(c(32), upper(&x)))
            }
            BitFunction::Ones => self.ones(&x, place),
            // The upper half of 64 bits has an even number of ones.
            BitFunction::Parity => and(self.ones(&x, place), c(1)),
            BitFunction::SwapBytes if is_wide => {
                // Of all other numbers, the lower half of the result is not the extension of a sign.
                let fits = either(is_zero(&x), binary(BinaryOp::Eq, x.clone(), c(-1)));
                self.limit(fits, place);
                x
            }
            BitFunction::SwapBytes if width == 16 => {
                plus(left(&and(x.clone(), c(255)), 8), right(&x, 8))
            }
            BitFunction::SwapBytes => {
                let outer = plus(left(&x, 24), right(&x, 24));
                let inner = plus(
                    left(&and(x.clone(), c(0xff00)), 8),
                    and(right(&x, 8), c(0xff00)),
                );
                plus(outer, inner)
            }
        })
    }

    /// How many of the 32 bits are ones.
    fn ones(&mut self, x: &Bits, place: Place) -> Bits {
        let pairs = minus(x.clone(), and(right(x, 1), c(0x5555_5555)));
        let pairs = self.copy(pairs, place);
        let fours = plus(
            and(pairs.clone(), c(0x3333_3333)),
            and(right(&pairs, 2), c(0x3333_3333)),
        );
        let fours = self.copy(fours, place);
        let bytes = and(plus(fours.clone(), right(&fours, 4)), c(0x0f0f_0f0f));
        let bytes = self.copy(bytes, place);
        let halves = self.copy(plus(bytes.clone(), right(&bytes, 8)), place);
        and(plus(halves.clone(), right(&halves, 16)), c(63))
    }

    /// Of 0: 32.
    fn trailing_zeros(&mut self, x: &Bits, place: Place) -> Bits {
        let inverted = binary(BinaryOp::BitXor, x.clone(), c(-1));
        let below = self.copy(and(inverted, minus(x.clone(), c(1))), place);
        self.ones(&below, place)
    }

    /// Of 0: 32.
    fn leading_zeros(&mut self, x: &Bits, place: Place) -> Bits {
        let mut filled = x.clone();
        for by in [1, 2, 4, 8, 16] {
            let more = binary(BinaryOp::BitOr, filled.clone(), right(&filled, by));
            filled = self.copy(more, place);
        }
        minus(c(32), self.ones(&filled, place))
    }

    /// `__builtin_add_overflow(a, b, &result)` and its kind.
    pub(super) fn overflow(
        &mut self,
        op: typed::BinaryOp,
        arguments: &[Evaluated],
        place: Place,
    ) -> Value {
        let [a, b, to] = arguments else {
            return Value::ZERO;
        };
        let Some(ty) = to.ty.pointee().cloned() else {
            return Value::ZERO;
        };
        let (result, is_over) = match (&a.value, &b.value) {
            (Value::Known(x), Value::Known(y)) => {
                let (x, y) = (shape(a.ty).exact(*x), shape(b.ty).exact(*y));
                // The product of two unsigned 64-bit numbers may leave even these bits.
                let (exact, is_far) = match op {
                    typed::BinaryOp::Add => (x + y, false),
                    typed::BinaryOp::Sub => (x - y, false),
                    _ => x.overflowing_mul(y),
                };
                let result = shape(&ty).wrap(exact);
                let is_over = is_far || shape(&ty).exact(result) != exact;
                (Value::Known(result), Value::Known(i64::from(is_over)))
            }
            _ if shape(&ty).bits == 64 => self.wide_overflow(op, [a, b], &ty, place),
            _ => self.narrow_overflow(op, [a, b], &ty, place),
        };
        let is_over = match is_over {
            Value::Unknown(e) => Value::Unknown(self.copy(e, place)),
            known @ Value::Known(_) => known,
        };
        self.write(&value_of(arguments, 2), &ty, result, place);
        is_over
    }

    /// An operand as a word whose sign is that of the exact number, or which is unsigned: an operand that
    /// is neither is not covered.
    fn operand(&mut self, given: &Evaluated, signed: bool) -> Bits {
        let own = shape(given.ty);
        let word = self.dynamic_of(&given.value, Some(given.ty), given.place);
        let word = self.copy(word, given.place);
        if own.bits >= 32 && own.signed != signed
            || own.signed && !signed
            || own.bits == 64 && !signed
        {
            self.only_small(&word, given.place);
        }
        word
    }

    fn only_small(&mut self, word: &Bits, place: Place) {
        if word.as_const().is_none_or(|word| word < 0) {
            self.limit(binary(BinaryOp::Ge, word.clone(), c(0)), place);
        }
    }

    /// In a type of up to 32 bits.
    fn narrow_overflow(
        &mut self,
        op: typed::BinaryOp,
        given: [&Evaluated; 2],
        ty: &Type,
        place: Place,
    ) -> (Value, Value) {
        let to = shape(ty);
        // A narrow type has no value that an `int` lacks.
        let signed = to.signed || to.bits < 32;
        let [a, b] = given.map(|given| self.operand(given, signed));
        let xor = |a: &Bits, b: &Bits| binary(BinaryOp::BitXor, a.clone(), b.clone());
        let (word, is_over) = match op {
            typed::BinaryOp::Add => {
                let sum = self.copy(plus(a.clone(), b.clone()), place);
                let over = if signed {
                    is_negative(&and(xor(&a, &sum), xor(&b, &sum)))
                } else {
                    below(&sum, &a)
                };
                (sum, over)
            }
            typed::BinaryOp::Sub => {
                let rest = self.copy(minus(a.clone(), b.clone()), place);
                let over = if signed {
                    is_negative(&and(xor(&a, &b), xor(&a, &rest)))
                } else {
                    below(&a, &b)
                };
                (rest, over)
            }
            _ => self.product(&a, &b, signed, place),
        };
        let kept = narrowed(word.clone(), to);
        let is_cut = binary(BinaryOp::Ne, kept.clone(), word);
        (
            Value::Unknown(kept),
            Value::Unknown(either(is_over, is_cut)),
        )
    }

    /// The product of two words, and whether it does not fit into one.
    fn product(&mut self, a: &Bits, b: &Bits, signed: bool, place: Place) -> (Bits, Bits) {
        let product = binary(BinaryOp::Mul, a.clone(), b.clone());
        let product = self.copy(product, place);
        if !signed {
            let over = self.carries(a, b, place);
            return (product, over);
        }
        // That of the magnitudes, of which the least word has one, too, as an unsigned number.
        let magnitude =
            |x: &Bits| Expr::conditional(is_negative(x), minus(c(0), x.clone()), x.clone());
        let (x, y) = (magnitude(a), magnitude(b));
        let (x, y) = (self.copy(x, place), self.copy(y, place));
        let over = self.carries(&x, &y, place);
        let size = self.copy(binary(BinaryOp::Mul, x, y), place);
        let is_minus = is_negative(&binary(BinaryOp::BitXor, a.clone(), b.clone()));
        // At most 2³¹ - 1, or 2³¹ with a minus.
        let most = Expr::conditional(is_minus, c(i32::MIN), c(i32::MAX));
        let is_large = below(&most, &size);
        (product, either(over, is_large))
    }

    /// Whether the product of two unsigned words has more than 32 bits: in halves of 16.
    fn carries(&mut self, a: &Bits, b: &Bits, place: Place) -> Bits {
        let low = |x: &Bits| and(x.clone(), c(0xffff));
        let times = |x: Bits, y: Bits| binary(BinaryOp::Mul, x, y);
        let (high_a, high_b) = (right(a, 16), right(b, 16));
        let both = binary(BinaryOp::And, high_a.clone(), high_b.clone());
        // One of the two products is 0, unless both have high parts.
        let middle = plus(times(high_a, low(b)), times(low(a), high_b));
        let middle = self.copy(middle, place);
        let lower = self.copy(times(low(a), low(b)), place);
        let sum = self.copy(plus(left(&middle, 16), lower.clone()), place);
        let is_high = not(is_zero(&right(&middle, 16)));
        either(either(both, is_high), below(&sum, &lower))
    }

    /// In a type of 64 bits, of which the words are sign-extended.
    fn wide_overflow(
        &mut self,
        op: typed::BinaryOp,
        given: [&Evaluated; 2],
        ty: &Type,
        place: Place,
    ) -> (Value, Value) {
        let is_signed = shape(ty).signed;
        let [a, b] = given.map(|given| {
            let own = shape(given.ty);
            if own.signed != is_signed && (own.signed || own.bits == 64) {
                let word = self.dynamic_of(&given.value, Some(given.ty), given.place);
                self.only_small(&word, given.place);
            }
            let value = self.convert(given.value.clone(), given.ty, ty, given.place);
            let word = self.dynamic_of(&value, Some(ty), given.place);
            self.copy(word, given.place)
        });
        let sum = plus(a.clone(), b.clone());
        let is_unit = |x: &Bits| between(0, x, 1);
        let with_large =
            |x: &Bits, y: &Bits| binary(BinaryOp::And, is_negative(x), not(is_unit(y)));
        // Sums, differences and products of 32 bits fit into 64, of signed words.
        let is_over = match op {
            _ if is_signed => c(0),
            // Two large ones, or a large one and one that leads beyond 2⁶⁴.
            typed::BinaryOp::Add => {
                let [x, y] = [is_negative(&a), is_negative(&b)];
                let both = binary(BinaryOp::And, x.clone(), y.clone());
                let leads = binary(BinaryOp::And, either(x, y), not(is_negative(&sum)));
                either(both, leads)
            }
            typed::BinaryOp::Sub => below(&a, &b),
            _ => either(with_large(&a, &b), with_large(&b, &a)),
        };
        let is_over = self.copy(is_over, place);
        let operation = Operation {
            op,
            left: (Value::Unknown(a), ty),
            right: (Value::Unknown(b), ty),
            ty,
        };
        let result = self.binary(operation, place);
        (result, Value::Unknown(is_over))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_the_results_that_gcc_documents() {
        use BitFunction::{FirstSet, LeadingZeros, Ones, Parity, SwapBytes, TrailingZeros};
        for (what, width, value, result) in [
            (LeadingZeros, 32, 1, Some(31)),
            (LeadingZeros, 64, 1, Some(63)),
            (LeadingZeros, 32, 0, None),
            (TrailingZeros, 32, 12, Some(2)),
            (TrailingZeros, 64, 1 << 40, Some(40)),
            (TrailingZeros, 32, 1 << 40, None),
            (FirstSet, 32, 0, Some(0)),
            (FirstSet, 64, u64::MAX, Some(1)),
            (Ones, 32, u64::MAX, Some(32)),
            (Ones, 64, u64::MAX, Some(64)),
            (Parity, 32, 7, Some(1)),
            (SwapBytes, 16, 0x1234, Some(0x3412)),
            (SwapBytes, 32, 0x1234_5678, Some(0x7856_3412)),
            (SwapBytes, 64, 1, Some(1 << 56)),
        ] {
            assert_eq!(
                of_constant(what, width, value),
                result,
                "{what:?} {width} {value}"
            );
        }
    }
}
