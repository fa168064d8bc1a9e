//! Shifts of pairs, and division by powers of two.
//!
//! By a width that is known, each half is at most two shifts. By one that is not, `n`: what a shift by `n mod 32`
//! makes, and from which half that is taken by the bit of `n` that is worth 32. The bits that pass from one half to the
//! other are shifted by `32 - n mod 32` in two steps, `1` and `31 - n mod 32`, since no shift is by 32.

use super::half::{
    and, at_most, both, constant, inverted, is_none, known, left, mask, or, right, right_signed,
    xor,
};
use super::{Halves, Pair, chosen};
use crate::lower::typed::{BinaryOp, Expr};

impl Pair {
    /// Whether numbers can be shifted by this one: it is less than 64.
    pub(in crate::lower::words) fn shift_fits(&self) -> Expr {
        let most = constant(63, self.low.place);
        both(&at_most(&self.low, &most), &is_none(&self.high))
    }
}

/// A width of shifts that is not known.
struct Width {
    /// Modulo 32, as an expression that shows this.
    near: Expr,
    /// 31 less that.
    rest: Expr,
    /// All ones if it is 32 or more.
    far: Expr,
}

impl Halves<'_> {
    fn width(&mut self, by: &Expr) -> Width {
        let all = &self.constant(31);
        let bit = and(&right(by, &self.constant(5)), &self.constant(1));
        Width {
            near: and(by, all),
            rest: and(&inverted(by), all),
            far: self.shared(super::half::sub(&self.constant(0), &bit)),
        }
    }

    pub(super) fn shifted_left(&mut self, a: &Pair, by: &Pair) -> Pair {
        match known(&by.low) {
            Some(by) => self.left_by(a, by),
            None => self.left_by_any(a, &by.low),
        }
    }

    pub(super) fn shifted_right(&mut self, signed: bool, a: &Pair, by: &Pair) -> Pair {
        match known(&by.low) {
            Some(by) => self.right_by(signed, a, by),
            None => self.right_by_any(signed, a, &by.low),
        }
    }

    pub(super) fn left_by(&mut self, a: &Pair, by: u32) -> Pair {
        let zero = self.constant(0);
        match by % 64 {
            0 => a.clone(),
            by @ 32.. => {
                let high = left(&a.low, &self.constant(by - 32));
                self.pair(zero, high)
            }
            by => {
                let n = &self.constant(by);
                let passed = right(&a.low, &self.constant(32 - by));
                self.pair(left(&a.low, n), or(&left(&a.high, n), &passed))
            }
        }
    }

    pub(super) fn right_by(&mut self, signed: bool, a: &Pair, by: u32) -> Pair {
        let shift = if signed { right_signed } else { right };
        match by % 64 {
            0 => a.clone(),
            by @ 32.. => {
                let low = shift(&a.high, &self.constant(by - 32));
                let high = self.filling(signed, a);
                self.pair(low, high)
            }
            by => {
                let n = &self.constant(by);
                let passed = left(&a.high, &self.constant(32 - by));
                self.pair(or(&right(&a.low, n), &passed), shift(&a.high, n))
            }
        }
    }

    /// What comes in from above.
    fn filling(&mut self, signed: bool, a: &Pair) -> Expr {
        if signed {
            super::half::signs(&a.high)
        } else {
            self.constant(0)
        }
    }

    fn left_by_any(&mut self, a: &Pair, by: &Expr) -> Pair {
        let Width { near, rest, far } = self.width(by);
        let low = self.shared(left(&a.low, &near));
        let passed = right(&right(&a.low, &self.constant(1)), &rest);
        let high = self.shared(or(&left(&a.high, &near), &passed));
        let zero = self.constant(0);
        self.pair(chosen(&far, &zero, &low), chosen(&far, &low, &high))
    }

    fn right_by_any(&mut self, signed: bool, a: &Pair, by: &Expr) -> Pair {
        let Width { near, rest, far } = self.width(by);
        let shift = if signed { right_signed } else { right };
        let high = self.shared(shift(&a.high, &near));
        let passed = left(&left(&a.high, &self.constant(1)), &rest);
        let low = self.shared(or(&right(&a.low, &near), &passed));
        let filling = self.filling(signed, a);
        self.pair(chosen(&far, &high, &low), chosen(&far, &filling, &high))
    }

    /// `a / b` of a constant that is a power of two and not negative, rounded towards 0.
    pub(super) fn quotient(&mut self, signed: bool, a: &Pair, b: &Pair) -> Option<Pair> {
        let by = exponent(signed, b)?;
        let rounded = self.rounded(signed, a, by);
        Some(self.right_by(signed, &rounded, by))
    }

    /// `a % b` of the same: its sign is that of `a`.
    pub(super) fn remainder(&mut self, signed: bool, a: &Pair, b: &Pair) -> Option<Pair> {
        let by = exponent(signed, b)?;
        let rest = Pair::constant((1 << by) - 1, self.place);
        if !signed {
            return self.binary(BinaryOp::BitAnd, false, a, &rest);
        }
        let rounded = self.rounded(signed, a, by);
        let whole = self.inverted(&rest);
        let multiple = self.binary(BinaryOp::BitAnd, false, &rounded, &whole)?;
        self.binary(BinaryOp::Sub, false, a, &multiple)
    }

    /// `a`, or `2ᵇʸ - 1` more if it is negative: shifts round down, divisions towards 0.
    fn rounded(&mut self, signed: bool, a: &Pair, by: u32) -> Pair {
        if !signed || by == 0 {
            return a.clone();
        }
        let signs = super::half::signs(&a.high);
        let signs = self.shared(signs);
        let signs = Pair {
            low: signs.clone(),
            high: signs,
        };
        let more = self.right_by(false, &signs, 64 - by);
        self.sum(a, &more)
    }

    /// `-a` where the condition is met, `a` elsewhere.
    pub(super) fn negated_if(&mut self, condition: &Expr, a: &Pair) -> Pair {
        let ones = self.shared(mask(condition));
        let flipped = self.pair(xor(&a.low, &ones), xor(&a.high, &ones));
        let ones = Pair {
            low: ones.clone(),
            high: ones,
        };
        self.difference(&flipped, &ones)
    }
}

/// The exponent, if this is a power of two.
fn exponent(signed: bool, b: &Pair) -> Option<u32> {
    let b = b.known()?;
    let is_negative = signed && b >> 63 == 1;
    (b.is_power_of_two() && !is_negative).then(|| b.trailing_zeros())
}
