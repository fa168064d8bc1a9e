//! Products of pairs: by shifts and sums where one factor is a constant with few ones, else in pieces of 16 bits.
//!
//! With `B = 2¹⁶`, `a = a₁B + a₀` and `b = b₁B + b₀`, no piece of `ab = a₁b₁B² + (a₁b₀ + a₀b₁)B + a₀b₀` has more than 32
//! bits; neither has the sum of the upper half of `a₀b₀` and the lower halves of the two in the middle.

use super::half::{
    add, and, at_most, both, constant, either, is_none, is_positive, known, left, mul, not, or,
    right, xor,
};
use super::{Checked, Halves, Pair, compared};
use crate::lower::typed::{BinaryOp, Expr};

/// Up to so many shifted summands are cheaper than pieces.
const FEW: u32 = 3;

impl Halves<'_> {
    pub(super) fn product(&mut self, a: &Pair, b: &Pair) -> Pair {
        let constants = [(a.known(), b), (b.known(), a)];
        for (factor, other) in constants {
            if let Some(factor) = factor
                && let Some(result) = self.shifted_sum(other, factor)
            {
                return result;
            }
        }
        let lowest = self.whole_product(&a.low, &b.low);
        let cross = add(&mul(&a.low, &b.high), &mul(&a.high, &b.low));
        self.pair(lowest.low, add(&lowest.high, &cross))
    }

    /// A product with a constant of a few ones, or of one run of ones.
    fn shifted_sum(&mut self, a: &Pair, factor: u64) -> Option<Pair> {
        if factor.count_ones() <= FEW {
            let ones = (0..64).filter(|at| factor >> at & 1 == 1);
            let zero = Pair::constant(0, self.place);
            return Some(ones.fold(zero, |sum, at| {
                let summand = self.left_by(a, at);
                self.sum(&sum, &summand)
            }));
        }
        // 2ᵐ - 2ⁿ: modulo 2⁶⁴, the first is 0 if the run reaches the highest bit.
        let lowest = factor.trailing_zeros();
        let above = factor.wrapping_add(1 << lowest);
        let first = match above {
            0 => Pair::constant(0, self.place),
            _ if above.is_power_of_two() => self.left_by(a, above.trailing_zeros()),
            _ => return None,
        };
        let second = self.left_by(a, lowest);
        Some(self.difference(&first, &second))
    }

    /// The product of two halves, all of it.
    fn whole_product(&mut self, a: &Expr, b: &Expr) -> Pair {
        match (known(a), known(b)) {
            (Some(x), Some(y)) => {
                return Pair::constant(u64::from(x) * u64::from(y), self.place);
            }
            (Some(0), _) | (_, Some(0)) => return Pair::constant(0, self.place),
            (Some(1), _) => return self.pair(b.clone(), constant(0, self.place)),
            (_, Some(1)) => return self.pair(a.clone(), constant(0, self.place)),
            _ => {}
        }
        let by = &self.constant(16);
        let piece = &self.constant(0xffff);
        let [a, b] = [a, b].map(|half| {
            let low = self.shared(and(half, piece));
            let high = self.shared(right(half, by));
            (low, high)
        });
        let lowest = self.shared(mul(&a.0, &b.0));
        let middle = [mul(&a.0, &b.1), mul(&a.1, &b.0)];
        let [left_middle, right_middle] = middle.map(|e| self.shared(e));
        let lower = add(&and(&left_middle, piece), &and(&right_middle, piece));
        let carried = self.shared(add(&right(&lowest, by), &lower));
        let upper = add(&right(&left_middle, by), &right(&right_middle, by));
        let highest = add(&mul(&a.1, &b.1), &upper);
        let low = or(&left(&carried, by), &and(&lowest, piece));
        self.pair(low, add(&highest, &right(&carried, by)))
    }

    /// The product, and whether the exact one is a value of the type.
    pub(super) fn checked_product(&mut self, signed: bool, a: &Pair, b: &Pair) -> Checked {
        for (factor, other) in [(a.known(), b), (b.known(), a)] {
            if let Some(factor) = factor {
                let value = self.product(a, b);
                let holds = self.multiple_fits(signed, other, factor);
                return Checked { value, holds };
            }
        }
        if !signed {
            return self.checked_magnitude(a, b);
        }
        // The least number has a magnitude that is its own pattern of bits.
        let [is_negative_a, is_negative_b] = [a, b].map(|x| not(&is_positive(&x.high)));
        let x = self.negated_if(&is_negative_a, a);
        let y = self.negated_if(&is_negative_b, b);
        let size = self.checked_magnitude(&x, &y);
        let signs = self.shared(xor(&a.high, &b.high));
        let is_negative = not(&is_positive(&signs));
        let value = self.negated_if(&is_negative, &size.value);
        // At most 2⁶³ - 1, or 2⁶³ with a minus.
        let is_least = super::equal(&size.value, &Pair::constant(1 << 63, self.place));
        let fits = either(
            &is_positive(&size.value.high),
            &both(&is_negative, &is_least),
        );
        let holds = both(&size.holds, &fits);
        Checked { value, holds }
    }

    /// Whether a multiple of `a` is a value of the type: where `a` lies between the quotients of the extreme values,
    /// rounded towards 0.
    fn multiple_fits(&self, signed: bool, a: &Pair, factor: u64) -> Expr {
        let yes = super::half::truth(true, self.place);
        let (factor, least, most) = if signed {
            (i128::from(factor as i64), i64::MIN.into(), i64::MAX.into())
        } else {
            (i128::from(factor), 0, i128::from(u64::MAX))
        };
        if factor == 0 {
            return yes;
        }
        let (from, to) = if factor > 0 {
            (least / factor, most / factor)
        } else {
            (most / factor, least / factor)
        };
        let bound = |op, bound: i128| {
            let bound = Pair::constant(bound as u64, self.place);
            compared(op, signed, a, &bound).unwrap_or_else(|| yes.clone())
        };
        let lower = (from > least).then(|| bound(BinaryOp::Ge, from));
        let upper = (to < most).then(|| bound(BinaryOp::Le, to));
        both(
            lower.as_ref().unwrap_or(&yes),
            upper.as_ref().unwrap_or(&yes),
        )
    }

    /// The product of unsigned numbers. It has at most 64 bits if one upper half is 0, the other one times the lower half
    /// that it meets is a half, and this and the upper half of the lowest product do not carry.
    fn checked_magnitude(&mut self, a: &Pair, b: &Pair) -> Checked {
        let lowest = self.whole_product(&a.low, &b.low);
        let first = self.whole_product(&a.low, &b.high);
        let second = self.whole_product(&a.high, &b.low);
        // One of the two is 0, or nothing fits.
        let cross = self.shared(add(&first.low, &second.low));
        let high = self.shared(add(&lowest.high, &cross));
        let one_is_low = either(&is_none(&a.high), &is_none(&b.high));
        let is_half = is_none(&or(&first.high, &second.high));
        let stays = at_most(&cross, &high);
        let holds = both(&one_is_low, &both(&is_half, &stays));
        let value = self.pair(lowest.low, high);
        Checked { value, holds }
    }
}
