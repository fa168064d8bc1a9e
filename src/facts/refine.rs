//! What a condition leaves of the variables' sets.
//!
//! Where the variables' sets are small each combination of values is tried. Elsewhere the condition
//! is taken apart: comparisons narrow a variable on one side by the values of the other side, and
//! the operands of a sum or a difference by what the result and the other operand leave.
//!
//! **Incomplete:** relations between variables are not kept, only what follows for each by itself.

use super::arithmetic::{Arithmetic, Exact, Wrapping};
use super::eval::{Domain, eval_in};
use super::set::ValueSet;
use crate::program::{BinaryOp, Expr, UnaryOp};

/// What a condition leaves of the variables' sets: the variables that it narrows, with what they
/// may be where `e` is not 0 (`truth`) or is 0 (`!truth`). `None` if it never is.
pub fn refine<V: Copy + Ord>(
    e: &Expr<V>,
    truth: bool,
    env: impl Fn(V) -> ValueSet,
) -> Option<Vec<(V, ValueSet)>> {
    refine_in(e, truth, &env, Wrapping)
}

/// The same over integers of any size. Where a part leaves 32 bits, values may go.
pub fn refine_exact<V: Copy + Ord>(
    e: &Expr<V>,
    truth: bool,
    env: impl Fn(V) -> ValueSet,
) -> Option<Vec<(V, ValueSet)>> {
    refine_in(e, truth, &env, Exact(|_: &Expr<V>, _| {}))
}

fn refine_in<V: Copy + Ord>(
    e: &Expr<V>,
    truth: bool,
    env: &dyn Fn(V) -> ValueSet,
    arithmetic: impl Arithmetic<V>,
) -> Option<Vec<(V, ValueSet)>> {
    let mut narrowing = Narrowing {
        env,
        narrowed: Vec::new(),
        arithmetic,
    };
    narrowing.assume(e, truth).then_some(narrowing.narrowed)
}

/// An environment with the sets that conditions have narrowed so far.
struct Narrowing<'a, V, A> {
    env: &'a dyn Fn(V) -> ValueSet,
    narrowed: Vec<(V, ValueSet)>,
    arithmetic: A,
}

impl<V: Copy + Ord, A: Arithmetic<V>> Narrowing<'_, V, A> {
    fn get(&self, var: V) -> ValueSet {
        known(self.env, &self.narrowed, var)
    }

    fn eval(&mut self, e: &Expr<V>) -> ValueSet {
        let get = |var| known(self.env, &self.narrowed, var);
        eval_in(e, &get, &mut self.arithmetic)
    }

    /// Replaces a variable's set by a subset. Returns whether that is not empty.
    fn set(&mut self, var: V, set: ValueSet) -> bool {
        let possible = !set.is_empty();
        match self.narrowed.iter_mut().find(|(other, _)| *other == var) {
            Some((_, old)) => *old = set,
            None if set != (self.env)(var) => self.narrowed.push((var, set)),
            None => {}
        }
        possible
    }

    /// Narrows to where `e` has this truth value. Returns whether it can have it.
    fn assume(&mut self, e: &Expr<V>, truth: bool) -> bool {
        match self.one_by_one(e, truth) {
            Some(possible) => possible,
            // The values that the parts leave may be few enough.
            None => self.by_parts(e, truth) && self.one_by_one(e, truth).unwrap_or(true),
        }
    }

    /// Tries all combinations of the variables' values; none if they are too many, or some have
    /// no value in 32 bits.
    fn one_by_one(&mut self, e: &Expr<V>, truth: bool) -> Option<bool> {
        let mut vars = e.vars();
        vars.sort_unstable();
        vars.dedup();
        let domain = Domain::new(&vars, &|var| self.get(var))?;
        let mut decided = true;
        let kept = domain.filter(|value| {
            let result = self.arithmetic.value(e, value);
            decided &= result.is_some();
            result.is_none_or(|result| (result != 0) == truth)
        });
        let Some(sets) = kept else {
            return Some(false);
        };
        for (&var, set) in vars.iter().zip(sets) {
            self.set(var, set);
        }
        decided.then_some(true)
    }

    fn by_parts(&mut self, e: &Expr<V>, truth: bool) -> bool {
        match e {
            Expr::Const(c) => (*c != 0) == truth,
            Expr::Unary(UnaryOp::Not, a) => self.assume(a, !truth),
            Expr::Binary(BinaryOp::And, a, b) if truth => self.both(a, b, true),
            Expr::Binary(BinaryOp::Or, a, b) if !truth => self.both(a, b, false),
            Expr::Binary(BinaryOp::And, a, b) => self.either(a, b, false),
            Expr::Binary(BinaryOp::Or, a, b) => self.either(a, b, true),
            Expr::Binary(BinaryOp::Eq, a, b) if is_compound(a) && **b == Expr::Const(0) => {
                self.assume(a, !truth)
            }
            Expr::Binary(BinaryOp::Ne, a, b) if is_compound(a) && **b == Expr::Const(0) => {
                self.assume(a, truth)
            }
            Expr::Binary(op, a, b) => match comparison(*op, truth) {
                Some(op) => self.compare(op, a, b) && self.compare(mirrored(op), b, a),
                None => self.holds(e, truth),
            },
            Expr::Var(_) | Expr::Unary(..) | Expr::Conditional(..) => self.holds(e, truth),
        }
    }

    /// Narrows to where a value is not 0, or is.
    fn holds(&mut self, e: &Expr<V>, truth: bool) -> bool {
        if truth {
            self.can_be(e, true) && self.exclude(e, 0)
        } else {
            self.narrow(e, &ValueSet::one(0))
        }
    }

    fn can_be(&mut self, e: &Expr<V>, truth: bool) -> bool {
        let set = self.eval(e);
        if truth {
            set.may_be_true()
        } else {
            set.may_be_false()
        }
    }

    fn both(&mut self, a: &Expr<V>, b: &Expr<V>, truth: bool) -> bool {
        // Once more for `a`: what `b` narrowed may tell more about it.
        self.assume(a, truth) && self.assume(b, truth) && self.can_be(a, truth)
    }

    fn either(&mut self, a: &Expr<V>, b: &Expr<V>, truth: bool) -> bool {
        let before = self.narrowed.clone();
        let first = self.assume(a, truth);
        let left = std::mem::replace(&mut self.narrowed, before);
        let second = self.assume(b, truth);
        match (first, second) {
            (false, second) => second,
            (true, false) => {
                self.narrowed = left;
                true
            }
            (true, true) => {
                // A variable is narrower than before only if it is so on both sides.
                let right = std::mem::take(&mut self.narrowed);
                for (var, set) in right {
                    if let Some((_, other)) = left.iter().find(|(other, _)| *other == var) {
                        self.narrowed.push((var, set.join(other)));
                    }
                }
                true
            }
        }
    }

    /// Narrows `a` to where `a op b` is possible.
    fn compare(&mut self, op: BinaryOp, a: &Expr<V>, b: &Expr<V>) -> bool {
        if !self.can_be(&Expr::binary(op, a.clone(), b.clone()), true) {
            return false;
        }
        let set = self.eval(b);
        let Some((low, high)) = set.bounds() else {
            return true;
        };
        match op {
            BinaryOp::Eq => self.narrow(a, &set),
            BinaryOp::Ne => low != high || self.exclude(a, low),
            BinaryOp::Lt => self.narrow(a, &ValueSet::interval(i32::MIN, high.saturating_sub(1))),
            BinaryOp::Le => self.narrow(a, &ValueSet::interval(i32::MIN, high)),
            BinaryOp::Gt => self.narrow(a, &ValueSet::interval(low.saturating_add(1), i32::MAX)),
            BinaryOp::Ge => self.narrow(a, &ValueSet::interval(low, i32::MAX)),
            BinaryOp::Or
            | BinaryOp::And
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::BitAnd
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem => true,
        }
    }

    /// Narrows to where `e` has one of these values.
    fn narrow(&mut self, e: &Expr<V>, set: &ValueSet) -> bool {
        if let Expr::Var(var) = e {
            return self.set(*var, self.get(*var).meet(set));
        }
        let here = self.eval(e);
        if here.is_subset(set) {
            return true;
        }
        let mut operands = self.operands(e, set).into_iter().flatten();
        !here.meet(set).is_empty() && operands.all(|(a, set, _)| self.narrow(a, &set))
    }

    /// Narrows to where `e` has another value.
    fn exclude(&mut self, e: &Expr<V>, value: i32) -> bool {
        if let Expr::Var(var) = e {
            return self.set(*var, self.get(*var).without(value));
        }
        let operands = self.operands(e, &ValueSet::one(value));
        let mut operands = operands.into_iter().flatten();
        operands.all(
            |(a, set, other)| match (set.as_constant(), other.as_constant()) {
                (Some(value), Some(_)) => self.exclude(a, value),
                _ => true,
            },
        )
    }

    /// The operands of a sum or a difference that has one of these values: each with the values
    /// that it may have then, and with those of the other one.
    fn operands<'e>(
        &mut self,
        e: &'e Expr<V>,
        set: &ValueSet,
    ) -> Option<[(&'e Expr<V>, ValueSet, ValueSet); 2]> {
        let Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) = e else {
            return None;
        };
        let (left, right) = (self.eval(a), self.eval(b));
        let (of_a, of_b) = if *op == BinaryOp::Add {
            let of_a = set.binary_results(BinaryOp::Sub, &right);
            (of_a, set.binary_results(BinaryOp::Sub, &left))
        } else {
            let of_a = set.binary_results(BinaryOp::Add, &right);
            (of_a, left.binary_results(BinaryOp::Sub, set))
        };
        let (of_a, of_b) = (self.arithmetic.operand(of_a), self.arithmetic.operand(of_b));
        Some([(a, of_a, right), (b, of_b, left)])
    }
}

/// A variable's set: the one that conditions have narrowed, if they have.
fn known<V: Copy + Ord>(
    env: &dyn Fn(V) -> ValueSet,
    narrowed: &[(V, ValueSet)],
    var: V,
) -> ValueSet {
    match narrowed.iter().find(|(other, _)| *other == var) {
        Some((_, set)) => set.clone(),
        None => env(var),
    }
}

/// Whether an expression is neither a constant nor a variable.
fn is_compound<V>(e: &Expr<V>) -> bool {
    match e {
        Expr::Const(_) | Expr::Var(_) => false,
        Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => true,
    }
}

/// The comparison that holds where `op` has this truth value; `None` if `op` is none.
fn comparison(op: BinaryOp, truth: bool) -> Option<BinaryOp> {
    let (holds, fails) = match op {
        BinaryOp::Eq => (BinaryOp::Eq, BinaryOp::Ne),
        BinaryOp::Ne => (BinaryOp::Ne, BinaryOp::Eq),
        BinaryOp::Lt => (BinaryOp::Lt, BinaryOp::Ge),
        BinaryOp::Le => (BinaryOp::Le, BinaryOp::Gt),
        BinaryOp::Gt => (BinaryOp::Gt, BinaryOp::Le),
        BinaryOp::Ge => (BinaryOp::Ge, BinaryOp::Lt),
        BinaryOp::Or
        | BinaryOp::And
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::BitAnd
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem => return None,
    };
    Some(if truth { holds } else { fails })
}

/// The operator for exchanged sides of a comparison.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Or
        | BinaryOp::And
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::BitAnd
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem => op,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval;

    type E = Expr<u8>;

    fn var(v: u8) -> E {
        Expr::Var(v)
    }

    fn binary(op: BinaryOp, a: E, b: E) -> E {
        Expr::binary(op, a, b)
    }

    #[test]
    fn a_sum_is_narrowed_where_it_cannot_wrap() {
        // x + 5 < 10
        let sum = binary(BinaryOp::Add, var(0), Expr::Const(5));
        let e = binary(BinaryOp::Lt, sum, Expr::Const(10));
        let below = vec![(0, ValueSet::interval(i32::MIN, 4))];
        assert_eq!(refine_exact(&e, true, |_| ValueSet::FULL), Some(below));
        assert_eq!(refine(&e, true, |_| ValueSet::FULL), Some(vec![]));
        // 100 - x == 3
        let rest = binary(BinaryOp::Sub, Expr::Const(100), var(0));
        let e = binary(BinaryOp::Eq, rest, Expr::Const(3));
        let only = Some(vec![(0, ValueSet::one(97))]);
        assert_eq!(refine_exact(&e, true, |_| ValueSet::FULL), only);
        assert_eq!(refine(&e, true, |_| ValueSet::FULL), only);
    }

    #[test]
    fn an_operand_is_excluded_only_if_the_other_one_is_constant() {
        // x + y is not -2³¹, which x is where y is 5.
        let sum = binary(BinaryOp::Add, var(0), var(1));
        let e = binary(BinaryOp::Ne, sum, Expr::Const(i32::MIN));
        let env = |v: u8| match v {
            0 => ValueSet::FULL,
            _ => ValueSet::of([0, 5]),
        };
        assert_eq!(refine_exact(&e, true, env), Some(vec![]));
        let env = |v: u8| {
            if v == 0 {
                ValueSet::FULL
            } else {
                ValueSet::one(0)
            }
        };
        let others = vec![(0, ValueSet::interval(i32::MIN + 1, i32::MAX))];
        assert_eq!(refine_exact(&e, true, env), Some(others));
    }

    #[test]
    fn a_condition_on_two_small_sets_narrows_both() {
        let e = binary(BinaryOp::Eq, var(0), var(1));
        let env = |v: u8| ValueSet::of(if v == 0 { [1, 2, 3] } else { [3, 4, 5] });
        let expected = vec![(0, ValueSet::one(3)), (1, ValueSet::one(3))];
        assert_eq!(refine(&e, true, env), Some(expected));
    }

    #[test]
    fn a_conjunction_narrows_an_interval_from_both_sides() {
        let e = binary(
            BinaryOp::And,
            binary(BinaryOp::Ge, var(0), Expr::Const(-2)),
            binary(BinaryOp::Gt, Expr::Const(100), var(0)),
        );
        let refined = refine(&e, true, |_| ValueSet::FULL);
        assert_eq!(refined, Some(vec![(0, ValueSet::interval(-2, 99))]));
        let never = binary(BinaryOp::Lt, var(0), Expr::Const(i32::MIN));
        assert_eq!(refine(&never, true, |_| ValueSet::FULL), None);
    }

    #[test]
    fn a_variable_never_differs_from_itself() {
        let e = binary(BinaryOp::Ne, var(0), var(0));
        assert_eq!(eval(&e, |_| ValueSet::FULL), ValueSet::one(0));
    }
}
