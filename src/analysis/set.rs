//! Sets of 32-bit values: a list of up to 64 values, or an interval.
//!
//! A list is exact and represents the most important cases: the few values of a flag, and the
//! addresses that a pointer holds. Beyond 64 values only the ends are kept. An operator on two
//! lists is applied to each pair; on intervals it is bounded by its values at the ends, and if the
//! exact result could leave the 32-bit range the result is the full interval, because arithmetic
//! wraps.
//!
//! **Invariant.** The representation is canonical: an interval has more than 64 values, a list is
//! sorted and has no duplicates. Equal sets of at most 64 values compare equal.
//!
//! **Invariant.** `γ(op#(A, B)) ⊇ { op(a, b) | a ∈ γ(A), b ∈ γ(B) }` for every operator.

use crate::program::{BinaryOp, UnaryOp};
use std::sync::Arc;

/// The maximum length of a list.
const MOST: usize = 64;

/// A set of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueSet(Repr);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Repr {
    Empty,
    One(i32),
    /// Two or more values, sorted.
    Few(Arc<[i32]>),
    /// Both ends included; more than [`MOST`] values.
    Interval(i32, i32),
}

impl ValueSet {
    /// No value.
    pub const EMPTY: ValueSet = ValueSet(Repr::Empty);

    /// Every value.
    pub const FULL: ValueSet = ValueSet(Repr::Interval(i32::MIN, i32::MAX));

    /// Just this value.
    pub const fn one(value: i32) -> Self {
        Self(Repr::One(value))
    }

    /// These values, or an interval around them if there are too many to list.
    pub fn of(values: impl IntoIterator<Item = i32>) -> Self {
        let mut values: Vec<i32> = values.into_iter().collect();
        values.sort_unstable();
        values.dedup();
        Self::from_sorted(&values)
    }

    fn from_sorted(values: &[i32]) -> Self {
        match values {
            [] => Self::EMPTY,
            [value] => Self::one(*value),
            [low, .., high] if values.len() > MOST => Self(Repr::Interval(*low, *high)),
            _ => Self(Repr::Few(values.into())),
        }
    }

    /// All values from `low` to `high`, both included; empty if `low > high`.
    pub fn interval(low: i32, high: i32) -> Self {
        if i64::from(high) - i64::from(low) < MOST as i64 {
            Self::from_sorted(&(low..=high).collect::<Vec<i32>>())
        } else {
            Self(Repr::Interval(low, high))
        }
    }

    /// The interval if it is within the value range; else every value, because arithmetic wraps.
    fn wrapping(low: i64, high: i64) -> Self {
        match (i32::try_from(low), i32::try_from(high)) {
            (Ok(low), Ok(high)) => Self::interval(low, high),
            _ => Self::FULL,
        }
    }

    /// The values in ascending order, if they are listed.
    pub fn values(&self) -> Option<&[i32]> {
        match &self.0 {
            Repr::Empty => Some(&[]),
            Repr::One(value) => Some(std::slice::from_ref(value)),
            Repr::Few(values) => Some(values),
            Repr::Interval(..) => None,
        }
    }

    /// The value, if there is exactly one.
    pub fn as_constant(&self) -> Option<i32> {
        match self.0 {
            Repr::One(value) => Some(value),
            Repr::Empty | Repr::Few(_) | Repr::Interval(..) => None,
        }
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.0 == Repr::Empty
    }

    /// The number of values.
    pub fn count(&self) -> u64 {
        match &self.0 {
            Repr::Empty => 0,
            Repr::One(_) => 1,
            Repr::Few(values) => values.len() as u64,
            Repr::Interval(low, high) => (i64::from(*high) - i64::from(*low)) as u64 + 1,
        }
    }

    /// The least value; `None` if empty.
    pub fn min(&self) -> Option<i32> {
        self.bounds().map(|(low, _)| low)
    }

    /// The greatest value; `None` if empty.
    pub fn max(&self) -> Option<i32> {
        self.bounds().map(|(_, high)| high)
    }

    /// The least and the greatest value; `None` if empty.
    pub fn bounds(&self) -> Option<(i32, i32)> {
        match &self.0 {
            Repr::Empty => None,
            Repr::One(value) => Some((*value, *value)),
            Repr::Few(values) => Some((*values.first()?, *values.last()?)),
            Repr::Interval(low, high) => Some((*low, *high)),
        }
    }

    /// Whether the value is in the set.
    pub fn contains(&self, value: i32) -> bool {
        match &self.0 {
            Repr::Empty => false,
            Repr::One(one) => *one == value,
            Repr::Few(values) => values.binary_search(&value).is_ok(),
            Repr::Interval(low, high) => (*low..=*high).contains(&value),
        }
    }

    /// Whether some value other than 0 is in the set.
    pub fn may_be_true(&self) -> bool {
        !matches!(self.0, Repr::Empty | Repr::One(0))
    }

    /// Whether 0 is in the set.
    pub fn may_be_false(&self) -> bool {
        self.contains(0)
    }

    /// Whether every value is in the other set.
    pub fn is_subset(&self, other: &Self) -> bool {
        match (self.values(), self.bounds()) {
            (Some(values), _) => values.iter().all(|&value| other.contains(value)),
            (None, Some((low, high))) => {
                matches!(other.0, Repr::Interval(l, h) if l <= low && high <= h)
            }
            (None, None) => true,
        }
    }

    /// The union of both sets, and perhaps more values: more than 64 values become an interval.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        if other.is_subset(self) {
            return self.clone();
        }
        if let (Some(a), Some(b)) = (self.values(), other.values()) {
            return Self::of(a.iter().chain(b).copied());
        }
        self.hull(other)
    }

    /// The interval around both sets.
    fn hull(&self, other: &Self) -> Self {
        match (self.bounds(), other.bounds()) {
            (Some((a, b)), Some((c, d))) => Self::interval(a.min(c), b.max(d)),
            (None, _) => other.clone(),
            (_, None) => self.clone(),
        }
    }

    /// The intersection of both sets.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Self {
        if self.is_subset(other) {
            return self.clone();
        }
        match (self.values(), other.values()) {
            (Some(_), _) => self.filter(|value| other.contains(value)),
            (None, Some(_)) => other.filter(|value| self.contains(value)),
            (None, None) => match (self.bounds(), other.bounds()) {
                (Some((a, b)), Some((c, d))) => Self::interval(a.max(c), b.min(d)),
                _ => Self::EMPTY,
            },
        }
    }

    /// The set without one value, if that can be represented.
    #[must_use]
    pub fn without(&self, value: i32) -> Self {
        match self.0 {
            Repr::Interval(low, high) if low == value => Self::interval(low + 1, high),
            Repr::Interval(low, high) if high == value => Self::interval(low, high - 1),
            Repr::Empty | Repr::One(_) | Repr::Few(_) | Repr::Interval(..) => {
                self.filter(|other| other != value)
            }
        }
    }

    /// The values of a list that satisfy the condition. An interval is returned unchanged.
    fn filter(&self, keep: impl Fn(i32) -> bool) -> Self {
        match self.values() {
            Some(values) if !values.iter().all(|&value| keep(value)) => Self::from_sorted(
                &values
                    .iter()
                    .copied()
                    .filter(|&value| keep(value))
                    .collect::<Vec<i32>>(),
            ),
            _ => self.clone(),
        }
    }

    /// A superset of `joined`, which contains `self`, such that chains of widenings are short: an
    /// end that moved is moved further, to the next of the sorted `stops` or to the end of the
    /// value range.
    #[must_use]
    pub(crate) fn widen(&self, joined: &Self, stops: &[i32]) -> Self {
        let (Some((old_low, old_high)), Some((low, high))) = (self.bounds(), joined.bounds())
        else {
            return joined.clone();
        };
        let low = if low < old_low {
            let below = stops.partition_point(|&stop| stop <= low);
            stops[..below].last().copied().unwrap_or(i32::MIN)
        } else {
            low
        };
        let high = if high > old_high {
            let above = stops.partition_point(|&stop| stop < high);
            stops.get(above).copied().unwrap_or(i32::MAX)
        } else {
            high
        };
        Self::interval(low, high)
    }

    /// The operator's values.
    #[must_use]
    pub fn unary(&self, op: UnaryOp) -> Self {
        if let Some(values) = self.values() {
            return Self::of(values.iter().map(|&value| op.apply(value)));
        }
        let Some((low, high)) = self.bounds() else {
            return Self::EMPTY;
        };
        match op {
            UnaryOp::Not => truth(self.may_be_false(), self.may_be_true()),
            UnaryOp::BitNot => Self::interval(!high, !low),
            UnaryOp::Neg => Self::wrapping(-i64::from(high), -i64::from(low)),
        }
    }

    /// The operator's values.
    #[must_use]
    pub fn binary(&self, op: BinaryOp, other: &Self) -> Self {
        if let (Some(a), Some(b)) = (self.values(), other.values()) {
            let pairs = a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b)));
            return Self::of(pairs.map(|(a, b)| op.apply(a, b)));
        }
        let (Some(a), Some(b)) = (self.bounds(), other.bounds()) else {
            return Self::EMPTY;
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
            // One side has more than 64 values, so two values that differ.
            BinaryOp::Eq => truth(!self.meet(other).is_empty(), true),
            BinaryOp::Ne => truth(true, !self.meet(other).is_empty()),
            BinaryOp::Lt => truth(al < bh, ah >= bl),
            BinaryOp::Le => truth(al <= bh, ah > bl),
            BinaryOp::Gt => truth(ah > bl, al <= bh),
            BinaryOp::Ge => truth(ah >= bl, al < bh),
            BinaryOp::Add => Self::wrapping(al + bl, ah + bh),
            BinaryOp::Sub => Self::wrapping(al - bh, ah - bl),
            BinaryOp::Mul => {
                let corners = [al * bl, al * bh, ah * bl, ah * bh];
                Self::around(corners)
            }
            BinaryOp::BitAnd => bit_and(a, b),
            BinaryOp::BitOr | BinaryOp::BitXor => {
                let (low, high) = bit_frame(a, b);
                Self::interval(low, high)
            }
            BinaryOp::Shl => other.each(|count| {
                let count = count & 31;
                Self::wrapping(al << count, ah << count)
            }),
            BinaryOp::Shr => match other.values() {
                Some(_) => other.each(|count| {
                    let count = count & 31;
                    Self::interval(a.0 >> count, a.1 >> count)
                }),
                // A value a ≥ 0 decreases at most to 0, and a < 0 increases at most to -1.
                None => Self::interval(a.0.min(0), a.1.max(-1)),
            },
            BinaryOp::Div if other.values().is_some() => {
                other.each(|divisor| match i64::from(divisor) {
                    0 => Self::one(0),
                    divisor => Self::around([al / divisor, ah / divisor]),
                })
            }
            BinaryOp::Div => {
                let most = al.abs().max(ah.abs());
                Self::wrapping(-most, most)
            }
            BinaryOp::Rem => {
                // |a % b| is less than |b|, unless b = 0, and at most |a|; it has the sign of a.
                let most = (bl.abs().max(bh.abs()) - 1).max(0);
                let low = if al < 0 { (-most).max(al) } else { 0 };
                let high = if ah > 0 { most.min(ah) } else { 0 };
                Self::wrapping(low, high)
            }
        }
    }

    /// The interval around exact values, or the full one if some of them leave the range.
    fn around<const N: usize>(exact: [i64; N]) -> Self {
        let low = exact.iter().copied().min().unwrap_or(0);
        let high = exact.iter().copied().max().unwrap_or(0);
        Self::wrapping(low, high)
    }

    /// The interval around the results for each value. Full if the values are not listed.
    fn each(&self, f: impl Fn(i32) -> Self) -> Self {
        match self.values() {
            Some(values) => values
                .iter()
                .fold(Self::EMPTY, |set, &value| set.hull(&f(value))),
            None => Self::FULL,
        }
    }
}

/// The possible truth values, as 1 and 0.
fn truth(may_hold: bool, may_fail: bool) -> ValueSet {
    match (may_hold, may_fail) {
        (true, true) => ValueSet::interval(0, 1),
        (true, false) => ValueSet::one(1),
        (false, true) => ValueSet::one(0),
        (false, false) => ValueSet::EMPTY,
    }
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
fn bit_and(a: (i32, i32), b: (i32, i32)) -> ValueSet {
    let (low, high) = bit_frame(a, b);
    match (a.0 >= 0, b.0 >= 0) {
        (true, true) => ValueSet::interval(0, a.1.min(b.1)),
        (true, false) => ValueSet::interval(0, a.1),
        (false, true) => ValueSet::interval(0, b.1),
        (false, false) => ValueSet::interval(low, high),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BINARY: [BinaryOp; 18] = [
        BinaryOp::Or,
        BinaryOp::And,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::BitAnd,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
    ];

    fn value() -> impl Strategy<Value = i32> {
        prop_oneof![
            4 => -5..6_i32,
            2 => -300..300_i32,
            1 => any::<i32>(),
            1 => Just(i32::MIN),
            1 => Just(i32::MAX),
        ]
    }

    /// A set and some of its values.
    fn set() -> impl Strategy<Value = (ValueSet, Vec<i32>)> {
        let list = prop::collection::vec(value(), 1..6)
            .prop_map(|values| (ValueSet::of(values.iter().copied()), values));
        let interval = (value(), value(), prop::collection::vec(any::<u32>(), 8)).prop_map(
            |(a, b, inside)| {
                let (low, high) = (a.min(b), a.max(b));
                let count = i64::from(high) - i64::from(low) + 1;
                let mut values = vec![low, high];
                values.extend(
                    inside
                        .iter()
                        .map(|&i| (i64::from(low) + i64::from(i) % count) as i32),
                );
                (ValueSet::interval(low, high), values)
            },
        );
        prop_oneof![list, interval]
    }

    proptest! {
        #[test]
        fn an_operator_on_sets_covers_the_operator_on_values(
            (a, some_a) in set(),
            (b, some_b) in set(),
        ) {
            for op in BINARY {
                let result = a.binary(op, &b);
                for &x in &some_a {
                    for &y in &some_b {
                        prop_assert!(result.contains(op.apply(x, y)), "{x} {op:?} {y}");
                    }
                }
            }
            for op in [UnaryOp::Not, UnaryOp::BitNot, UnaryOp::Neg] {
                let result = a.unary(op);
                for &x in &some_a {
                    prop_assert!(result.contains(op.apply(x)), "{op:?} {x}");
                }
            }
        }

        #[test]
        fn joins_cover_both_sets_and_meets_keep_common_values((a, some_a) in set(), (b, some_b) in set()) {
            let join = a.join(&b);
            prop_assert!(a.is_subset(&join) && b.is_subset(&join));
            let meet = a.meet(&b);
            for &x in some_a.iter().chain(&some_b) {
                prop_assert!(join.contains(x));
                prop_assert_eq!(meet.contains(x), a.contains(x) && b.contains(x));
                prop_assert!(a.without(some_b[0]).contains(x) || !a.contains(x) || x == some_b[0]);
            }
            prop_assert!(join.is_subset(&a.widen(&join, &[-100, 0, 100])));
        }
    }

    #[test]
    fn a_short_interval_is_a_list() {
        assert_eq!(ValueSet::interval(1, 3), ValueSet::of([3, 1, 2]));
        assert_eq!(ValueSet::interval(1, 64).count(), 64);
        assert_eq!(ValueSet::interval(1, 65).count(), 65);
        assert_eq!(ValueSet::interval(i32::MIN, i32::MAX).count(), 1 << 32);
        assert!(ValueSet::interval(1, 65).values().is_none());
        assert!(ValueSet::interval(2, 1).is_empty());
    }

    #[test]
    fn widening_stops_at_the_next_constant() {
        let old = ValueSet::interval(0, 70);
        let grown = ValueSet::interval(0, 71);
        assert_eq!(old.widen(&grown, &[10, 100]), ValueSet::interval(0, 100));
        assert_eq!(old.widen(&grown, &[10]), ValueSet::interval(0, i32::MAX));
    }
}
