//! Operators on sets of values.
//!
//! An operator on two lists is applied to each pair; on intervals it is bounded by its values at the
//! ends. The arithmetic determines what happens to results outside the 32-bit range (`arithmetic`).
//!
//! **Invariant.** `γ(op#(A, B)) ⊇ { op(a, b) | a ∈ γ(A), b ∈ γ(B) }` for every operator.

use super::arithmetic::Results;
use super::set::ValueSet;
use crate::program::{BinaryOp, UnaryOp};

impl ValueSet {
    /// The operator's values, wrapped.
    #[must_use]
    pub fn binary(&self, op: BinaryOp, other: &Self) -> Self {
        self.binary_results(op, other).wrapped()
    }

    /// Whether every value of one set equals every value of the other.
    fn equals_always(&self, other: &Self) -> bool {
        self.as_constant().is_some() && self == other
    }

    /// The operator's results over the integers.
    pub(super) fn unary_results(&self, op: UnaryOp) -> Results {
        if let Some(values) = self.values() {
            return Results::Listed(values.iter().map(|&value| op.exact(value)).collect());
        }
        let Some((low, high)) = self.bounds() else {
            return Results::NONE;
        };
        match op {
            UnaryOp::Not => truth(self.may_be_false(), self.may_be_true()),
            UnaryOp::BitNot => interval(!high, !low),
            UnaryOp::Neg => Results::Between(-i64::from(high), -i64::from(low)),
        }
    }

    /// The operator's results over the integers.
    pub(super) fn binary_results(&self, op: BinaryOp, other: &Self) -> Results {
        if !op.is_truth()
            && let (Some(a), Some(b)) = (self.values(), other.values())
        {
            let pairs = a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b)));
            return Results::Listed(pairs.map(|(a, b)| op.exact(a, b)).collect());
        }
        let (Some(a), Some(b)) = (self.bounds(), other.bounds()) else {
            return Results::NONE;
        };
        let (al, ah) = (i64::from(a.0), i64::from(a.1));
        let (bl, bh) = (i64::from(b.0), i64::from(b.1));
        match op {
            BinaryOp::Or => truth(
                self.may_be_true() || other.may_be_true(),
                self.may_be_false() && other.may_be_false(),
            ),
            BinaryOp::And => truth(
                self.may_be_true() && other.may_be_true(),
                self.may_be_false() || other.may_be_false(),
            ),
            BinaryOp::Eq => truth(!self.meet(other).is_empty(), !self.equals_always(other)),
            BinaryOp::Ne => truth(!self.equals_always(other), !self.meet(other).is_empty()),
            BinaryOp::Lt => truth(al < bh, ah >= bl),
            BinaryOp::Le => truth(al <= bh, ah > bl),
            BinaryOp::Gt => truth(ah > bl, al <= bh),
            BinaryOp::Ge => truth(ah >= bl, al < bh),
            BinaryOp::Add => Results::Between(al + bl, ah + bh),
            BinaryOp::Sub => Results::Between(al - bh, ah - bl),
            BinaryOp::Mul => Results::around([al * bl, al * bh, ah * bl, ah * bh]),
            BinaryOp::BitAnd => bit_and(a, b),
            BinaryOp::BitOr | BinaryOp::BitXor => {
                let (low, high) = bit_frame(a, b);
                interval(low, high)
            }
            BinaryOp::Shl => {
                // For counts between 0 and 31 the results are between those for the ends.
                let counts = other.values().unwrap_or(&[0, 31]).iter();
                Results::around(counts.flat_map(|count| [al, ah].map(|a| a << (count & 31))))
            }
            BinaryOp::Shr => {
                let counts = other.values().unwrap_or(&[0, 31]).iter();
                Results::around(counts.flat_map(|count| [al, ah].map(|a| a >> (count & 31))))
            }
            BinaryOp::Div => {
                // Other divisors bring a result nearer to 0, and 0 itself makes it 0.
                let divisors = other.values().unwrap_or(&[-1, 1]).iter();
                let quotient = |a: i64, b: i32| a.checked_div(b.into()).unwrap_or(0);
                Results::around(divisors.flat_map(|&b| [al, ah].map(|a| quotient(a, b))))
            }
            BinaryOp::Rem => {
                // |a % b| is less than |b|, unless b = 0, and at most |a|; it has the sign of a.
                let most = (bl.abs().max(bh.abs()) - 1).max(0);
                let low = if al < 0 { (-most).max(al) } else { 0 };
                let high = if ah > 0 { most.min(ah) } else { 0 };
                Results::Between(low, high)
            }
        }
    }
}

/// The truth values among 1 and 0 that may occur.
fn truth(may_hold: bool, may_fail: bool) -> Results {
    let values = [(may_fail, 0), (may_hold, 1)].into_iter();
    Results::Listed(values.filter(|(may, _)| *may).map(|(_, v)| v).collect())
}

/// All values between two.
fn interval(low: i32, high: i32) -> Results {
    Results::Between(low.into(), high.into())
}

/// The narrowest `[-2ᵏ, 2ᵏ - 1]`, or `[0, 2ᵏ - 1]` if nothing is negative, around two intervals:
/// the results of bitwise operators stay inside it.
fn bit_frame(a: (i32, i32), b: (i32, i32)) -> (i32, i32) {
    // The bits of a value that differ from its sign.
    let significant = |value: i32| 32 - (if value < 0 { !value } else { value }).leading_zeros();
    let bits = [a.0, a.1, b.0, b.1].map(significant);
    let bits = bits.into_iter().max().unwrap_or(31);
    let high = ((1_i64 << bits) - 1) as i32;
    (if a.0 < 0 || b.0 < 0 { !high } else { 0 }, high)
}

/// Bitwise and: not negative if one operand is not, and then at most that operand.
fn bit_and(a: (i32, i32), b: (i32, i32)) -> Results {
    let (low, high) = bit_frame(a, b);
    match (a.0 >= 0, b.0 >= 0) {
        (true, true) => interval(0, a.1.min(b.1)),
        (true, false) => interval(0, a.1),
        (false, true) => interval(0, b.1),
        (false, false) => interval(low, high),
    }
}
