//! Sets of 32-bit values: a list of up to 64 values, or an interval.
//!
//! A list is exact and represents the most important cases: the few values of a flag, and the
//! addresses that a pointer holds. Beyond 64 values only the ends are kept.
//!
//! **Invariant.** The representation is canonical: an interval has more than 64 values, a list is
//! sorted and has no duplicates. Equal sets of at most 64 values compare equal.

use smallvec::SmallVec;
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
        match (&self.0, &other.0) {
            (Repr::Empty, _) => true,
            (Repr::One(value), _) => other.contains(*value),
            // Most sets that are compared are copies of one.
            (Repr::Few(a), Repr::Few(b)) => Arc::ptr_eq(a, b) || includes(b, a),
            (Repr::Few(values), Repr::Interval(low, high)) => {
                values[0] >= *low && values[values.len() - 1] <= *high
            }
            (Repr::Interval(a, b), Repr::Interval(low, high)) => low <= a && b <= high,
            (Repr::Few(_) | Repr::Interval(..), Repr::Empty | Repr::One(_))
            | (Repr::Interval(..), Repr::Few(_)) => false,
        }
    }

    /// The union of both sets, and perhaps more values: more than 64 values become an interval.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        if other.is_subset(self) {
            return self.clone();
        }
        if let (Some(a), Some(b)) = (self.values(), other.values()) {
            return Self::from_sorted(&union(a, b));
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
    pub fn widen(&self, joined: &Self, stops: &[i32]) -> Self {
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

    /// The values where [`widen`](Self::widen) stops for these constants: they and their
    /// neighbours, sorted.
    pub fn stops(mut constants: Vec<i32>) -> Vec<i32> {
        constants.sort_unstable();
        constants.dedup();
        let near = |c: &i32| [c.saturating_sub(1), *c, c.saturating_add(1)];
        let mut stops: Vec<i32> = constants.iter().flat_map(near).collect();
        stops.sort_unstable();
        stops.dedup();
        stops
    }
}

/// Whether all of one sorted list are in another.
fn includes(all: &[i32], some: &[i32]) -> bool {
    let mut rest = all.iter();
    some.len() <= all.len()
        && some
            .iter()
            .all(|value| rest.find(|&other| other >= value) == Some(value))
}

/// The values of two sorted lists, sorted.
fn union(a: &[i32], b: &[i32]) -> SmallVec<[i32; 2 * MOST]> {
    let mut all = SmallVec::new();
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let Some(&&value) = [a.peek(), b.peek()].into_iter().flatten().min() {
        a.next_if_eq(&&value);
        b.next_if_eq(&&value);
        all.push(value);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{BinaryOp, UnaryOp};
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
                let result = a.unary_results(op).wrapped();
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
