//! Sets of integers: a few values, or all between two.
//!
//! Everything is kept inside 32 bits. What an operator makes beyond that is cut off, and whoever
//! asks is told how far it went ([`Reach`]).

use crate::program::{BinaryOp, Expr, RegId, UnaryOp};

/// No set lists more values than this.
const FEW: usize = 32;
/// The least value.
pub(super) const LEAST: i64 = i32::MIN as i64;
/// The greatest value.
pub(super) const GREATEST: i64 = i32::MAX as i64;

/// A set that is not empty, inside 32 bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Set {
    /// One value.
    One(i64),
    /// These values: ascending, at least two, at most [`FEW`].
    Few(Vec<i64>),
    /// All values from the first to the second, which are more than [`FEW`].
    Range(i64, i64),
}

/// The least and the greatest mathematical value of an expression, before anything is cut off.
pub(super) type Reach = (i64, i64);

impl Set {
    /// Everything.
    pub(super) const ALL: Set = Set::Range(LEAST, GREATEST);

    /// All values between two, both included; none if there are none inside 32 bits.
    pub(super) fn between(low: i64, high: i64) -> Option<Set> {
        let (low, high) = (low.max(LEAST), high.min(GREATEST));
        if low > high {
            None
        } else if high - low < FEW as i64 {
            Set::of((low..=high).collect())
        } else {
            Some(Set::Range(low, high))
        }
    }

    /// These values, of which those beyond 32 bits go.
    fn of(mut values: Vec<i64>) -> Option<Set> {
        values.retain(|v| (LEAST..=GREATEST).contains(v));
        values.sort_unstable();
        values.dedup();
        match values[..] {
            [] => None,
            [one] => Some(Set::One(one)),
            [first, .., last] if values.len() > FEW => Set::between(first, last),
            _ => Some(Set::Few(values)),
        }
    }

    /// The least and the greatest value.
    pub(super) fn hull(&self) -> (i64, i64) {
        match self {
            Set::One(v) => (*v, *v),
            Set::Few(values) => (values[0], values[values.len() - 1]),
            Set::Range(low, high) => (*low, *high),
        }
    }

    /// The values, if they are few.
    pub(super) fn values(&self) -> Option<&[i64]> {
        match self {
            Set::One(v) => Some(std::slice::from_ref(v)),
            Set::Few(values) => Some(values),
            Set::Range(..) => None,
        }
    }

    /// The values of both.
    pub(super) fn join(&self, other: &Set) -> Set {
        if let (Some(a), Some(b)) = (self.values(), other.values())
            && let Some(both) = Set::of([a, b].concat())
        {
            return both;
        }
        let ((a, b), (c, d)) = (self.hull(), other.hull());
        Set::between(a.min(c), b.max(d)).unwrap_or(Set::ALL)
    }

    /// The values for which this is true; none if there are none. What is asked of a range is
    /// asked of its ends only.
    pub(super) fn keep(&self, mut wanted: impl FnMut(i64) -> bool) -> Option<Set> {
        match self {
            Set::One(v) => wanted(*v).then(|| self.clone()),
            Set::Few(values) => Set::of(values.iter().copied().filter(|v| wanted(*v)).collect()),
            Set::Range(low, high) => Set::between(
                low + i64::from(!wanted(*low)),
                high - i64::from(!wanted(*high)),
            ),
        }
    }

    /// The values between these two.
    pub(super) fn within(&self, low: i64, high: i64) -> Option<Set> {
        match self {
            Set::Range(a, b) => Set::between(low.max(*a), high.min(*b)),
            Set::One(_) | Set::Few(_) => self.keep(|v| low <= v && v <= high),
        }
    }

    fn from_reach(reach: Reach) -> Set {
        // Beyond the ends nothing is left but the end itself: the program is refused anyway.
        let clamp = |v: i64| v.clamp(LEAST, GREATEST);
        Set::between(clamp(reach.0), clamp(reach.1)).unwrap_or(Set::ALL)
    }

    fn negated(&self) -> Set {
        let (low, high) = self.hull();
        let has_0 = match self.values() {
            Some(values) => values.contains(&0),
            None => low <= 0 && high >= 0,
        };
        truth(has_0, (low, high) != (0, 0))
    }

    /// Whether it may be other than 0, and whether it may be 0.
    pub(super) fn may(&self) -> (bool, bool) {
        let (yes, no) = match self.negated() {
            Set::One(0) => (true, false),
            Set::One(_) => (false, true),
            Set::Few(_) | Set::Range(..) => (true, true),
        };
        (yes, no)
    }
}

fn truth(yes: bool, no: bool) -> Set {
    match (yes, no) {
        (true, false) => Set::One(1),
        (false, true) => Set::One(0),
        _ => Set::Few(vec![0, 1]),
    }
}

/// The values of an expression. `beyond` is told of each part whose operands are inside 32 bits
/// and whose value may not be.
pub(super) fn values(
    e: &Expr<RegId>,
    register: &impl Fn(RegId) -> Set,
    beyond: &mut impl FnMut(&Expr<RegId>, Reach),
) -> Set {
    match e {
        Expr::Const(c) => Set::One((*c).into()),
        Expr::Var(reg) => register(*reg),
        Expr::Unary(op, a) => {
            let a = values(a, register, beyond);
            let (low, high) = a.hull();
            match op {
                UnaryOp::Not => a.negated(),
                UnaryOp::Neg => cut(e, (-high, -low), beyond),
                UnaryOp::BitNot => Set::from_reach((-1 - high, -1 - low)),
            }
        }
        Expr::Binary(op, a, b) => {
            let a = values(a, register, beyond);
            let b = values(b, register, beyond);
            if let (Some(x), Some(y)) = (a.values(), b.values())
                && x.len() * y.len() <= FEW * FEW / 2
            {
                let mut all = Vec::with_capacity(x.len() * y.len());
                for &x in x {
                    all.extend(y.iter().filter_map(|&y| apply(*op, x, y)));
                }
                let least = all.iter().copied().min();
                let most = all.iter().copied().max();
                if let (Some(least), Some(most)) = (least, most) {
                    if least < LEAST || most > GREATEST {
                        return cut(e, (least, most), beyond);
                    }
                    if let Some(set) = Set::of(all) {
                        return set;
                    }
                }
            }
            of_ranges(e, *op, &a, &b, beyond)
        }
        Expr::Conditional(parts) => {
            let [c, a, b] = &**parts;
            values(c, register, beyond);
            values(a, register, beyond).join(&values(b, register, beyond))
        }
    }
}

/// What is left inside 32 bits of a part that may reach so far.
fn cut(e: &Expr<RegId>, reach: Reach, beyond: &mut impl FnMut(&Expr<RegId>, Reach)) -> Set {
    if reach.0 < LEAST || reach.1 > GREATEST {
        beyond(e, reach);
    }
    Set::from_reach(reach)
}

fn of_ranges(
    e: &Expr<RegId>,
    op: BinaryOp,
    a: &Set,
    b: &Set,
    beyond: &mut impl FnMut(&Expr<RegId>, Reach),
) -> Set {
    let ((al, ah), (bl, bh)) = (a.hull(), b.hull());
    let both = |(ay, an): (bool, bool), (by, bn): (bool, bool)| truth(ay && by, an || bn);
    let apart = ah < bl || bh < al;
    let same = al == ah && bl == bh && al == bl;
    match op {
        BinaryOp::Add => cut(e, (al + bl, ah + bh), beyond),
        BinaryOp::Sub => cut(e, (al - bh, ah - bl), beyond),
        BinaryOp::Mul => {
            let corners = [al * bl, al * bh, ah * bl, ah * bh];
            let least = corners.into_iter().min().unwrap_or(0);
            cut(e, (least, corners.into_iter().max().unwrap_or(0)), beyond)
        }
        BinaryOp::BitAnd => match (al >= 0, bl >= 0) {
            (true, true) => Set::from_reach((0, ah.min(bh))),
            (true, false) => Set::from_reach((0, ah)),
            (false, true) => Set::from_reach((0, bh)),
            (false, false) => Set::ALL,
        },
        BinaryOp::Eq => truth(!apart, !same),
        BinaryOp::Ne => truth(!same, !apart),
        BinaryOp::Lt => truth(al < bh, ah >= bl),
        BinaryOp::Le => truth(al <= bh, ah > bl),
        BinaryOp::Gt => truth(ah > bl, al <= bh),
        BinaryOp::Ge => truth(ah >= bl, al < bh),
        BinaryOp::And => both(a.may(), b.may()),
        BinaryOp::Or => {
            let ((ay, an), (by, bn)) = (a.may(), b.may());
            truth(ay || by, an && bn)
        }
        BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Div
        | BinaryOp::Rem => Set::ALL,
    }
}

/// The operator's mathematical value; none for operators that the format lacks. Requires operands
/// inside 32 bits.
fn apply(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::BitAnd => a & b,
        BinaryOp::Eq => i64::from(a == b),
        BinaryOp::Ne => i64::from(a != b),
        BinaryOp::Lt => i64::from(a < b),
        BinaryOp::Le => i64::from(a <= b),
        BinaryOp::Gt => i64::from(a > b),
        BinaryOp::Ge => i64::from(a >= b),
        BinaryOp::And => i64::from(a != 0 && b != 0),
        BinaryOp::Or => i64::from(a != 0 || b != 0),
        BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Div
        | BinaryOp::Rem => return None,
    })
}

/// The mathematical value of an expression of one register; none if some part leaves 32 bits.
pub(super) fn exact(e: &Expr<RegId>, value: i64) -> Option<i64> {
    let inside = |v: i64| (LEAST..=GREATEST).contains(&v).then_some(v);
    match e {
        Expr::Const(c) => Some((*c).into()),
        Expr::Var(_) => Some(value),
        Expr::Unary(op, a) => {
            let a = exact(a, value)?;
            inside(match op {
                UnaryOp::Not => i64::from(a == 0),
                UnaryOp::Neg => -a,
                UnaryOp::BitNot => -1 - a,
            })
        }
        Expr::Binary(op, a, b) => inside(apply(*op, exact(a, value)?, exact(b, value)?)?),
        Expr::Conditional(parts) => {
            let [c, a, b] = &**parts;
            exact(if exact(c, value)? == 0 { b } else { a }, value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set() -> impl Strategy<Value = Set> {
        let ends = prop_oneof![-40..40_i64, Just(LEAST), Just(GREATEST)];
        prop_oneof![
            prop::collection::vec(ends.clone(), 1..6)
                .prop_map(|v| Set::of(v).expect("values inside 32 bits")),
            (ends.clone(), ends)
                .prop_map(|(a, b)| { Set::between(a.min(b), a.max(b)).expect("ends in order") }),
        ]
    }

    fn some(set: &Set, at: usize) -> i64 {
        match set {
            Set::One(v) => *v,
            Set::Few(values) => values[at % values.len()],
            Set::Range(low, high) => low + at as i64 % (high - low + 1),
        }
    }

    proptest! {
        #[test]
        fn every_value_of_an_operator_is_in_its_set_or_announced(
            a in set(), b in set(), at in 0..100_usize, bt in 0..100_usize, op in 0..12_usize,
        ) {
            let op = super::super::raw::SIGNS[op].1;
            let e = Expr::binary(op, Expr::Var(RegId(0)), Expr::Var(RegId(1)));
            let mut told = false;
            let found = values(
                &e,
                &|reg| if reg == RegId(0) { a.clone() } else { b.clone() },
                &mut |_, _| told = true,
            );
            let value = apply(op, some(&a, at), some(&b, bt)).expect("an operator of the format");
            let (low, high) = found.hull();
            let inside = match found.values() {
                Some(values) => values.contains(&value),
                None => low <= value && value <= high,
            };
            prop_assert!(inside || told, "{value} not in {found:?}");
            prop_assert!(told || (LEAST..=GREATEST).contains(&value));
        }

        #[test]
        fn joins_and_parts_lose_nothing(a in set(), b in set(), at in 0..100_usize, low in -40..40_i64) {
            let both = a.join(&b);
            for set in [&a, &b] {
                let value = some(set, at);
                prop_assert!(both.within(value, value).is_some());
                let part = set.within(low, low + 10);
                let kept = part.is_some_and(|part| part.within(value, value).is_some());
                prop_assert_eq!(kept, (low..=low + 10).contains(&value));
                let (yes, no) = set.may();
                let told = if value == 0 { no } else { yes };
                prop_assert!(told);
            }
        }
    }
}
