//! Which bits of a pair are ones: how many, and how many zeros are above or below them.
//!
//! As for one word in `lower::bits`:
//!
//! ```text
//! ones(x)             in pairs, fours, bytes, halves, all at once: [Warren, Hacker's Delight, 5-1]
//! trailing zeros(x)   ones(~x & (x - 1)): the bits below the lowest one
//! leading zeros(x)    32 - ones(y), where y is x with ones below its highest one
//! ```
//!
//! These are asked of the half with a one that is nearer to the end, if there is one; the other is 32 zeros.

use super::half::{add, and, constant, inverted, is_none, left, mask, or, right, sub};
use super::{Halves, Pair, chosen};
use crate::lower::bits::of_constant;
use crate::lower::operation::BitFunction;
use crate::lower::typed::Expr;

impl Halves<'_> {
    /// `__builtin_ctzll` and its kind. Zeros of 0 are 64.
    pub(in crate::lower::words) fn function_of_bits(
        &mut self,
        what: BitFunction,
        a: &Pair,
    ) -> Pair {
        if let Some(result) = a.known().and_then(|value| of_constant(what, 64, value)) {
            return Pair::constant(result as u64, self.place);
        }
        let count = match what {
            BitFunction::LeadingZeros => self.leading_zeros(a),
            BitFunction::TrailingZeros => self.trailing_zeros(a),
            BitFunction::FirstSet => {
                let zeros = self.trailing_zeros(a);
                let after = add(&zeros, &self.constant(1));
                let is_any = mask(&a.is_some());
                and(&after, &is_any)
            }
            BitFunction::Ones => self.ones_of_both(a),
            BitFunction::Parity => {
                let folded = super::half::xor(&a.low, &a.high);
                let folded = self.shared(folded);
                and(&self.ones(&folded), &self.constant(1))
            }
            BitFunction::SwapBytes => {
                let (low, high) = (self.swapped(&a.high), self.swapped(&a.low));
                return self.pair(low, high);
            }
        };
        let zero = self.constant(0);
        self.pair(count, zero)
    }

    fn ones_of_both(&mut self, a: &Pair) -> Expr {
        let low = self.ones(&a.low);
        let high = self.ones(&a.high);
        add(&low, &high)
    }

    /// How many bits of a half are ones.
    fn ones(&mut self, x: &Expr) -> Expr {
        let c = |value| constant(value, x.place);
        let pairs = sub(x, &and(&right(x, &c(1)), &c(0x5555_5555)));
        let pairs = self.shared(pairs);
        let threes = &c(0x3333_3333);
        let fours = add(&and(&pairs, threes), &and(&right(&pairs, &c(2)), threes));
        let fours = self.shared(fours);
        let bytes = and(&add(&fours, &right(&fours, &c(4))), &c(0x0f0f_0f0f));
        let bytes = self.shared(bytes);
        let halves = add(&bytes, &right(&bytes, &c(8)));
        let halves = self.shared(halves);
        let all = and(&add(&halves, &right(&halves, &c(16))), &c(63));
        self.shared(all)
    }

    fn trailing_zeros(&mut self, a: &Pair) -> Expr {
        let is_far = self.shared(mask(&is_none(&a.low)));
        let x = self.shared(chosen(&is_far, &a.high, &a.low));
        let below = and(&inverted(&x), &sub(&x, &self.constant(1)));
        let below = self.shared(below);
        let near = self.ones(&below);
        add(&near, &and(&is_far, &self.constant(32)))
    }

    fn leading_zeros(&mut self, a: &Pair) -> Expr {
        let is_far = self.shared(mask(&is_none(&a.high)));
        let mut filled = self.shared(chosen(&is_far, &a.low, &a.high));
        for by in [1, 2, 4, 8, 16] {
            let more = or(&filled, &right(&filled, &self.constant(by)));
            filled = self.shared(more);
        }
        let ones = self.ones(&filled);
        let near = sub(&self.constant(32), &ones);
        add(&near, &and(&is_far, &self.constant(32)))
    }

    fn swapped(&mut self, x: &Expr) -> Expr {
        let c = |value| constant(value, x.place);
        let outer = or(&left(x, &c(24)), &right(x, &c(24)));
        let upper = left(&and(x, &c(0xff00)), &c(8));
        let lower = and(&right(x, &c(8)), &c(0xff00));
        self.shared(or(&outer, &or(&upper, &lower)))
    }
}
