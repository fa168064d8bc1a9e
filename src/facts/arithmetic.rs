//! Two arithmetics for one abstract interpreter: 32 bits that wrap, and integers of any size.
//!
//! An operator on sets is first applied over the integers ([`Results`]). What becomes of results
//! that 32 bits do not hold is all that an [`Arithmetic`] decides:
//!
//! * [`Wrapping`]: they wrap, as the machine's do. An interval that leaves 32 bits is everything.
//! * [`Exact`]: execution ends there. The results outside are reported, and go.
//!
//! **Invariant.** Let each variable have a value in its set. If no part of an expression leaves 32
//! bits, its value is in the set that `eval` returns, and `refine` keeps the variables' values for
//! the truth that it has. If some part does, the same holds for wrapped values under `Wrapping`;
//! under `Exact`, `eval` reports some part whose operands are inside 32 bits and whose value is
//! not, and `refine` may drop the values.

use super::set::ValueSet;
use crate::program::Expr;

/// The least and the greatest of some integers.
pub type Reach = (i64, i64);

/// The results of an operator on sets, over the integers.
#[derive(Clone, Debug)]
pub(crate) enum Results {
    /// These, in any order.
    Listed(Vec<i64>),
    /// All between the first and the second, both included.
    Between(i64, i64),
}

impl Results {
    /// No result.
    pub(super) const NONE: Self = Self::Listed(Vec::new());

    /// All from the least to the greatest of these.
    pub(super) fn around(results: impl IntoIterator<Item = i64>) -> Self {
        let results = Self::Listed(results.into_iter().collect());
        let reach = results.reach();
        reach.map_or(Self::NONE, |(low, high)| Self::Between(low, high))
    }

    /// The least and the greatest; none if empty.
    fn reach(&self) -> Option<Reach> {
        match self {
            Self::Listed(list) => Some((*list.iter().min()?, *list.iter().max()?)),
            Self::Between(low, high) => Some((*low, *high)),
        }
    }

    /// What is left in 32 bits: every value if an interval leaves them.
    pub(super) fn wrapped(self) -> ValueSet {
        match self {
            Self::Listed(list) => ValueSet::of(list.into_iter().map(|value| value as i32)),
            Self::Between(low, high) => match (i32::try_from(low), i32::try_from(high)) {
                (Ok(low), Ok(high)) => ValueSet::interval(low, high),
                _ => ValueSet::FULL,
            },
        }
    }

    /// The results that 32 bits hold.
    fn inside(self) -> ValueSet {
        match self {
            Self::Listed(list) => {
                ValueSet::of(list.into_iter().filter_map(|value| value.try_into().ok()))
            }
            Self::Between(low, high) => match (nearest(low), nearest(high)) {
                (a, b) if i64::from(a) > high || i64::from(b) < low => ValueSet::EMPTY,
                (low, high) => ValueSet::interval(low, high),
            },
        }
    }
}

/// The nearest value of 32 bits.
fn nearest(value: i64) -> i32 {
    value.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// What becomes of integers that 32 bits do not hold. The parts of expressions over `V`.
pub(crate) trait Arithmetic<V> {
    /// An expression's value, given its variables'; none if some part leaves 32 bits and must not.
    fn value(&self, e: &Expr<V>, value: &dyn Fn(V) -> i32) -> Option<i32>;

    /// The values of a part of an expression, given its operator's results.
    fn values(&mut self, part: &Expr<V>, results: Results) -> ValueSet;

    /// The values that an operand may have had, computed backwards from the operator's results and
    /// its other operand.
    fn operand(&self, results: Results) -> ValueSet;
}

/// 32 bits, as the machine computes.
pub(crate) struct Wrapping;

impl<V: Copy> Arithmetic<V> for Wrapping {
    fn value(&self, e: &Expr<V>, value: &dyn Fn(V) -> i32) -> Option<i32> {
        Some(e.eval(value))
    }

    fn values(&mut self, _: &Expr<V>, results: Results) -> ValueSet {
        results.wrapped()
    }

    fn operand(&self, results: Results) -> ValueSet {
        // `a + b` wraps to `c` just if `c - b` wraps to `a`.
        results.wrapped()
    }
}

/// Integers of any size. The function is called with each part of an expression whose operands are
/// inside 32 bits and whose value may not be, and with how far that goes.
pub(crate) struct Exact<F>(pub(crate) F);

impl<V: Copy, F: FnMut(&Expr<V>, Reach)> Arithmetic<V> for Exact<F> {
    fn value(&self, e: &Expr<V>, value: &dyn Fn(V) -> i32) -> Option<i32> {
        match e {
            Expr::Const(c) => Some(*c),
            Expr::Var(v) => Some(value(*v)),
            Expr::Unary(op, a) => op.exact(self.value(a, value)?).try_into().ok(),
            Expr::Binary(op, a, b) => {
                let a = self.value(a, value)?;
                op.exact(a, self.value(b, value)?).try_into().ok()
            }
            Expr::Conditional(parts) => {
                let [c, a, b] = &**parts;
                let chosen = if self.value(c, value)? == 0 { b } else { a };
                self.value(chosen, value)
            }
        }
    }

    fn values(&mut self, part: &Expr<V>, results: Results) -> ValueSet {
        let Some(reach) = results.reach() else {
            return ValueSet::EMPTY;
        };
        if reach == (nearest(reach.0).into(), nearest(reach.1).into()) {
            return results.inside();
        }
        (self.0)(part, reach);
        let inside = results.inside();
        if inside.is_empty() {
            // Nothing goes on from here. What follows is analysed all the same.
            return ValueSet::one(nearest(reach.0));
        }
        inside
    }

    fn operand(&self, results: Results) -> ValueSet {
        results.inside()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{BinaryOp, UnaryOp};
    use crate::{eval, eval_exact, refine, refine_exact};
    use proptest::prelude::*;

    type E = Expr<u8>;

    const BINARY: [BinaryOp; 18] = [
        BinaryOp::Or,
        BinaryOp::And,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::Div,
        BinaryOp::Rem,
    ];

    fn expression() -> BoxedStrategy<E> {
        let constant = prop_oneof![
            6 => -3..70_i32,
            1 => prop::sample::select(vec![i32::MIN, i32::MIN + 1, 1 << 16, i32::MAX]),
        ];
        let leaf = prop_oneof![
            constant.prop_map(Expr::Const),
            (0..3_u8).prop_map(Expr::Var)
        ];
        let inner = leaf.prop_recursive(3, 12, 3, |inner| {
            // Those that comparisons are narrowed by are the commonest.
            let op = prop_oneof![
                1 => prop::sample::select(BINARY.to_vec()),
                2 => prop::sample::select(BINARY[..10].to_vec()),
            ];
            let unary = prop::sample::select(vec![UnaryOp::Not, UnaryOp::BitNot, UnaryOp::Neg]);
            prop_oneof![
                6 => (op, inner.clone(), inner.clone()).prop_map(|(op, a, b)| E::binary(op, a, b)),
                1 => (unary, inner.clone()).prop_map(|(op, e)| Expr::unary(op, e)),
                1 => (inner.clone(), inner.clone(), inner)
                    .prop_map(|(c, a, b)| Expr::conditional(c, a, b)),
            ]
        });
        inner.boxed()
    }

    /// A set and one of its values.
    fn set() -> BoxedStrategy<(ValueSet, i32)> {
        let ends = prop::sample::select(vec![i32::MIN, i32::MIN + 100, i32::MAX - 100, i32::MAX]);
        let near = (ends.clone(), -50..50_i32).prop_map(|(end, off)| end.wrapping_add(off));
        let interval = |low: i32, size: i32, i: i32| {
            (
                ValueSet::interval(low, low.saturating_add(size)),
                low.saturating_add(i),
            )
        };
        prop_oneof![
            (-4..5_i32, -4..5_i32).prop_map(|(a, b)| (ValueSet::of([a, b]), a)),
            (-5..5_i32, 70..200_i32, 0..70_i32)
                .prop_map(move |(low, size, i)| interval(low, size, i)),
            (ends.clone(), 0..100_i32, 0..100_i32).prop_map(move |(low, size, i)| interval(
                low,
                size,
                i.min(size)
            )),
            (ends, -4..5_i32).prop_map(|(a, b)| (ValueSet::of([a, b, 7]), a)),
            prop_oneof![any::<i32>(), near].prop_map(|value| (ValueSet::FULL, value)),
        ]
        .boxed()
    }

    /// The value over the integers, by the book; none if some part leaves 32 bits.
    fn exact(e: &E, value: &dyn Fn(u8) -> i32) -> Option<i64> {
        let result = match e {
            Expr::Const(c) => i64::from(*c),
            Expr::Var(v) => i64::from(value(*v)),
            Expr::Unary(op, a) => {
                let a = exact(a, value)?;
                match op {
                    UnaryOp::Not => i64::from(a == 0),
                    UnaryOp::BitNot => -a - 1,
                    UnaryOp::Neg => -a,
                }
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (exact(a, value)?, exact(b, value)?);
                match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Shl => a * 2_i64.pow(b.rem_euclid(32) as u32),
                    BinaryOp::Div if b != 0 => a / b,
                    BinaryOp::Or
                    | BinaryOp::And
                    | BinaryOp::BitOr
                    | BinaryOp::BitXor
                    | BinaryOp::BitAnd
                    | BinaryOp::Eq
                    | BinaryOp::Ne
                    | BinaryOp::Lt
                    | BinaryOp::Le
                    | BinaryOp::Gt
                    | BinaryOp::Ge
                    | BinaryOp::Shr
                    | BinaryOp::Div
                    | BinaryOp::Rem => op.apply(a as i32, b as i32).into(),
                }
            }
            Expr::Conditional(parts) => {
                let [c, a, b] = &**parts;
                exact(if exact(c, value)? == 0 { b } else { a }, value)?
            }
        };
        i32::try_from(result).is_ok().then_some(result)
    }

    proptest! {
        #[test]
        fn a_value_that_satisfies_a_condition_is_never_refined_away(
            e in expression(),
            env in prop::array::uniform3(set()),
        ) {
            let value = e.eval(|v| env[usize::from(v)].1);
            let sets = |v: u8| env[usize::from(v)].0.clone();
            prop_assert!(eval(&e, sets).contains(value));
            let refined = refine(&e, value != 0, sets);
            prop_assert!(refined.is_some());
            for (v, set) in refined.unwrap_or_default() {
                prop_assert!(set.contains(env[usize::from(v)].1), "{v} {set:?}");
                prop_assert!(set.is_subset(&sets(v)));
            }
        }

        #[test]
        fn integers_of_any_size_stay_inside_or_are_reported(
            e in expression(),
            env in prop::array::uniform3(set()),
        ) {
            let sets = |v: u8| env[usize::from(v)].0.clone();
            let mut reported = false;
            let values = eval_exact(&e, sets, |_, (low, high)| {
                assert!(low < i32::MIN.into() || high > i32::MAX.into());
                reported = true;
            });
            prop_assert!(!values.is_empty());
            let Some(value) = exact(&e, &|v| env[usize::from(v)].1) else {
                prop_assert!(reported);
                return Ok(());
            };
            prop_assert!(values.contains(value as i32), "{value} {values:?}");
            let refined = refine_exact(&e, value != 0, sets);
            prop_assert!(refined.is_some());
            for (v, set) in refined.unwrap_or_default() {
                prop_assert!(set.contains(env[usize::from(v)].1), "{v} {set:?}");
                prop_assert!(!set.is_empty() && set.is_subset(&sets(v)));
            }
        }
    }

    #[test]
    fn what_leaves_32_bits_is_reported_with_how_far_it_goes() {
        let product = E::binary(BinaryOp::Mul, E::Var(0), Expr::Const(1 << 16));
        let e = E::binary(BinaryOp::Sub, product.clone(), Expr::Const(1));
        let mut reported = Vec::new();
        let env = |_| ValueSet::of([3, 1 << 15]);
        let values = eval_exact(&e, env, |part, reach| reported.push((part.clone(), reach)));
        assert_eq!(reported, [(product, (3 << 16, 1 << 31))]);
        // One of the two values goes on.
        assert_eq!(values, ValueSet::one((3 << 16) - 1));
        // What a variable takes from itself does not leave 32 bits.
        let nothing = E::binary(BinaryOp::Sub, E::Var(0), E::Var(0));
        let values = eval_exact(&nothing, |_| ValueSet::FULL, |_, _| panic!("it is 0"));
        assert_eq!(values, ValueSet::one(0));
    }
}
