//! Expressions over sets of values: their possible results.
//!
//! If the variables' sets are small, the expression is evaluated for each combination, which takes
//! into account that both occurrences of `r` in `r - r` have the same value. Otherwise operators
//! are applied to whole sets. The variables may be of any type: registers here, the versions of
//! registers in unrolled programs. Both work the same for arithmetic that wraps and for integers of
//! any size (`arithmetic`).

use super::arithmetic::{Arithmetic, Exact, Reach, Wrapping};
use super::set::ValueSet;
use crate::program::{BinaryOp, Expr};

/// The maximum number of combinations of values that are enumerated.
const COMBINATIONS: u64 = 1024;

/// The possible values of an expression, given those of its variables.
pub fn eval<V: Copy + Ord>(e: &Expr<V>, env: impl Fn(V) -> ValueSet) -> ValueSet {
    eval_in(e, &env, &mut Wrapping)
}

/// The same over integers of any size. `beyond` is called with each part that may leave 32 bits
/// while its operands do not.
pub fn eval_exact<V: Copy + Ord>(
    e: &Expr<V>,
    env: impl Fn(V) -> ValueSet,
    beyond: impl FnMut(&Expr<V>, Reach),
) -> ValueSet {
    eval_in(e, &env, &mut Exact(beyond))
}

pub(super) fn eval_in<V: Copy + Ord>(
    e: &Expr<V>,
    env: &impl Fn(V) -> ValueSet,
    arithmetic: &mut impl Arithmetic<V>,
) -> ValueSet {
    match e {
        Expr::Const(c) => ValueSet::one(*c),
        Expr::Var(v) => env(*v),
        Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => {
            let mut vars = e.vars();
            let mentions = vars.len();
            vars.sort_unstable();
            vars.dedup();
            // If no variable occurs twice, evaluation on sets is as precise as enumeration.
            if vars.len() < mentions
                && let Some(domain) = Domain::new(&vars, env)
                && let Some(results) = domain.results(|value| arithmetic.value(e, value))
            {
                return ValueSet::of(results);
            }
            by_structure(e, env, arithmetic)
        }
    }
}

fn by_structure<V: Copy + Ord>(
    e: &Expr<V>,
    env: &impl Fn(V) -> ValueSet,
    arithmetic: &mut impl Arithmetic<V>,
) -> ValueSet {
    match e {
        Expr::Const(c) => ValueSet::one(*c),
        Expr::Var(v) => env(*v),
        Expr::Unary(op, a) => {
            let results = by_structure(a, env, arithmetic).unary_results(*op);
            arithmetic.values(e, results)
        }
        Expr::Binary(op, a, b) => {
            let left = by_structure(a, env, arithmetic);
            match on_equals(*op) {
                Some(value) if a == b && !left.is_empty() => ValueSet::one(value),
                _ => {
                    let right = by_structure(b, env, arithmetic);
                    arithmetic.values(e, left.binary_results(*op, &right))
                }
            }
        }
        Expr::Conditional(parts) => {
            let [c, a, b] = &**parts;
            let condition = by_structure(c, env, arithmetic);
            let mut result = ValueSet::EMPTY;
            if condition.may_be_true() {
                result = by_structure(a, env, arithmetic);
            }
            if condition.may_be_false() {
                result = result.join(&by_structure(b, env, arithmetic));
            }
            result
        }
    }
}

/// The operator's value on two equal operands, if it does not depend on them.
fn on_equals(op: BinaryOp) -> Option<i32> {
    match op {
        BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge => Some(1),
        BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Sub | BinaryOp::BitXor => Some(0),
        BinaryOp::Or
        | BinaryOp::And
        | BinaryOp::BitOr
        | BinaryOp::BitAnd
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Add
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem => None,
    }
}

/// All combinations of values of a few variables.
pub(super) struct Domain<'a, V> {
    vars: &'a [V],
    sets: Vec<ValueSet>,
}

impl<'a, V: Copy + Ord> Domain<'a, V> {
    /// `None` if there are too many combinations to enumerate, or a set is empty.
    pub(super) fn new(vars: &'a [V], env: &impl Fn(V) -> ValueSet) -> Option<Self> {
        let mut combinations = 1_u64;
        let mut sets = Vec::with_capacity(vars.len());
        for &var in vars {
            let set = env(var);
            combinations = combinations.saturating_mul(set.count());
            if combinations == 0 || combinations > COMBINATIONS || set.values().is_none() {
                return None;
            }
            sets.push(set);
        }
        Some(Self { vars, sets })
    }

    fn listed(&self) -> Vec<&[i32]> {
        let values = self.sets.iter().map(|set| set.values().unwrap_or(&[]));
        values.collect()
    }

    /// The result for each combination, given as the function from variables to values; none if
    /// there is none for some.
    fn results(&self, of: impl Fn(&dyn Fn(V) -> i32) -> Option<i32>) -> Option<Vec<i32>> {
        let mut results = Some(Vec::new());
        self.for_each_choice(|_, value| {
            if let Some(list) = &mut results {
                match of(value) {
                    Some(result) => list.push(result),
                    None => results = None,
                }
            }
        });
        results
    }

    fn for_each_choice(&self, mut visit: impl FnMut(&[usize], &dyn Fn(V) -> i32)) {
        let lists = self.listed();
        let mut choice = vec![0; lists.len()];
        loop {
            visit(&choice, &|var| {
                let position = self.vars.binary_search(&var).unwrap_or(0);
                lists[position][choice[position]]
            });
            // The next choice in counting order; stop after the last.
            let Some(next) = (0..choice.len()).find(|&i| choice[i] + 1 < lists[i].len()) else {
                return;
            };
            choice[..next].fill(0);
            choice[next] += 1;
        }
    }

    /// Each variable's values in the combinations that `keep` accepts; `None` if it accepts none.
    pub(super) fn filter(
        &self,
        mut keep: impl FnMut(&dyn Fn(V) -> i32) -> bool,
    ) -> Option<Vec<ValueSet>> {
        let lists = self.listed();
        let mut seen: Vec<Vec<bool>> = lists.iter().map(|list| vec![false; list.len()]).collect();
        let mut any = false;
        self.for_each_choice(|choice, value| {
            if keep(value) {
                any = true;
                for (seen, &chosen) in seen.iter_mut().zip(choice) {
                    seen[chosen] = true;
                }
            }
        });
        let project = |(list, seen): (&&[i32], &Vec<bool>)| {
            let kept = list.iter().zip(seen).filter(|(_, seen)| **seen);
            ValueSet::of(kept.map(|(value, _)| *value))
        };
        any.then(|| lists.iter().zip(&seen).map(project).collect())
    }
}
