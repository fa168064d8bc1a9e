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
pub(crate) type Reach = (i64, i64);

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
