//! Expressions over sets of values: their possible results, and refinement by conditions.
//!
//! If the variables' sets are small, the expression is evaluated for each combination, which takes
//! into account that both occurrences of `r` in `r - r` have the same value. Otherwise operators
//! are applied to whole sets. The variables may be of any type: registers here, the versions of
//! registers in unrolled programs.

use super::set::ValueSet;
use crate::program::{BinaryOp, Expr, UnaryOp};

/// The maximum number of combinations of values that are enumerated.
const COMBINATIONS: u64 = 1024;

/// The possible values of an expression, given those of its variables.
pub fn eval<V: Copy + Ord>(e: &Expr<V>, env: impl Fn(V) -> ValueSet) -> ValueSet {
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
                && let Some(domain) = Domain::new(&vars, &env)
            {
                let mut results = Vec::new();
                domain.for_each(|value| results.push(e.eval(value)));
                return ValueSet::of(results);
            }
            by_structure(e, &env)
        }
    }
}

fn by_structure<V: Copy + Ord>(e: &Expr<V>, env: &impl Fn(V) -> ValueSet) -> ValueSet {
    match e {
        Expr::Const(c) => ValueSet::one(*c),
        Expr::Var(v) => env(*v),
        Expr::Unary(op, a) => by_structure(a, env).unary(*op),
        Expr::Binary(op, a, b) => {
            let left = by_structure(a, env);
            match on_equals(*op) {
                Some(value) if a == b && !left.is_empty() => ValueSet::one(value),
                _ => left.binary(*op, &by_structure(b, env)),
            }
        }
        Expr::Conditional(parts) => {
            let [c, a, b] = &**parts;
            let condition = by_structure(c, env);
            let mut result = ValueSet::EMPTY;
            if condition.may_be_true() {
                result = by_structure(a, env);
            }
            if condition.may_be_false() {
                result = result.join(&by_structure(b, env));
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

/// Refines the variables' sets by a condition. Returns the variables that it narrows, with the
/// values that they may have if `e` is not 0 (`truth`) or is 0 (`!truth`). `None` if that is
/// impossible.
pub fn refine<V: Copy + Ord>(
    e: &Expr<V>,
    truth: bool,
    env: impl Fn(V) -> ValueSet,
) -> Option<Vec<(V, ValueSet)>> {
    let mut narrowing = Narrowing {
        env: &env,
        narrowed: Vec::new(),
    };
    narrowing.assume(e, truth).then_some(narrowing.narrowed)
}

/// An environment with the sets that conditions have narrowed so far.
struct Narrowing<'a, V> {
    env: &'a dyn Fn(V) -> ValueSet,
    narrowed: Vec<(V, ValueSet)>,
}

impl<V: Copy + Ord> Narrowing<'_, V> {
    fn get(&self, var: V) -> ValueSet {
        match self.narrowed.iter().find(|(other, _)| *other == var) {
            Some((_, set)) => set.clone(),
            None => (self.env)(var),
        }
    }

    /// Replaces a variable's set by a subset. Returns whether the subset is nonempty.
    fn set(&mut self, var: V, set: ValueSet) -> bool {
        let possible = !set.is_empty();
        match self.narrowed.iter_mut().find(|(other, _)| *other == var) {
            Some((_, old)) => *old = set,
            None if set != (self.env)(var) => self.narrowed.push((var, set)),
            None => {}
        }
        possible
    }

    /// Narrows the sets to the case that `e` has this truth value. Returns whether `e` can have it.
    fn assume(&mut self, e: &Expr<V>, truth: bool) -> bool {
        let mut vars = e.vars();
        vars.sort_unstable();
        vars.dedup();
        if let Some(domain) = Domain::new(&vars, &|var| self.get(var)) {
            let kept = domain.filter(|value| (e.eval(value) != 0) == truth);
            return match kept {
                Some(sets) => {
                    for (&var, set) in vars.iter().zip(sets) {
                        self.set(var, set);
                    }
                    true
                }
                None => false,
            };
        }
        match e {
            Expr::Const(c) => (*c != 0) == truth,
            Expr::Var(var) => {
                let set = self.get(*var);
                let set = if truth {
                    set.without(0)
                } else {
                    set.meet(&ValueSet::one(0))
                };
                self.set(*var, set)
            }
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
                None => self.can_be(e, truth),
            },
            Expr::Unary(..) | Expr::Conditional(..) => self.can_be(e, truth),
        }
    }

    fn can_be(&self, e: &Expr<V>, truth: bool) -> bool {
        let set = eval(e, |var| self.get(var));
        if truth {
            set.may_be_true()
        } else {
            set.may_be_false()
        }
    }

    fn both(&mut self, a: &Expr<V>, b: &Expr<V>, truth: bool) -> bool {
        // Assume `a` once more: the sets that `b` narrowed may narrow others.
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
                // A variable is narrowed only if both alternatives narrow it.
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

    /// Narrows `a`, if it is a variable, to the values for which `a op b` is possible.
    fn compare(&mut self, op: BinaryOp, a: &Expr<V>, b: &Expr<V>) -> bool {
        if !self.can_be(&Expr::binary(op, a.clone(), b.clone()), true) {
            return false;
        }
        let (Expr::Var(var), Some((low, high))) = (a, eval(b, |var| self.get(var)).bounds()) else {
            return true;
        };
        let old = self.get(*var);
        let new = match op {
            BinaryOp::Eq => old.meet(&eval(b, |var| self.get(var))),
            BinaryOp::Ne if low == high => old.without(low),
            BinaryOp::Lt if high > i32::MIN => old.meet(&ValueSet::interval(i32::MIN, high - 1)),
            BinaryOp::Le => old.meet(&ValueSet::interval(i32::MIN, high)),
            BinaryOp::Gt if low < i32::MAX => old.meet(&ValueSet::interval(low + 1, i32::MAX)),
            BinaryOp::Ge => old.meet(&ValueSet::interval(low, i32::MAX)),
            BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Gt
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
            | BinaryOp::Rem => old,
        };
        self.set(*var, new)
    }
}

/// Whether an expression is neither a constant nor a variable.
fn is_compound<V>(e: &Expr<V>) -> bool {
    match e {
        Expr::Const(_) | Expr::Var(_) => false,
        Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => true,
    }
}

/// The comparison that holds if `op` has this truth value; `None` if `op` is not a comparison.
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

/// The operator of a comparison with its operands exchanged.
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

/// All combinations of values of a few variables.
struct Domain<'a, V> {
    vars: &'a [V],
    sets: Vec<ValueSet>,
}

impl<'a, V: Copy + Ord> Domain<'a, V> {
    /// `None` if there are too many combinations to enumerate, or a set is empty.
    fn new(vars: &'a [V], env: &impl Fn(V) -> ValueSet) -> Option<Self> {
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

    /// Calls `visit` with each combination, as a function from variables to values.
    fn for_each(&self, mut visit: impl FnMut(&dyn Fn(V) -> i32)) {
        self.for_each_choice(|_, value| visit(value));
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
    fn filter(&self, keep: impl Fn(&dyn Fn(V) -> i32) -> bool) -> Option<Vec<ValueSet>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type E = Expr<u8>;

    fn var(v: u8) -> E {
        Expr::Var(v)
    }

    fn binary(op: BinaryOp, a: E, b: E) -> E {
        Expr::binary(op, a, b)
    }

    fn expression() -> impl Strategy<Value = E> {
        let leaf = prop_oneof![(-3..70_i32).prop_map(Expr::Const), (0..3_u8).prop_map(var)];
        leaf.prop_recursive(3, 12, 3, |inner| {
            let op = prop::sample::select(vec![
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
            ]);
            prop_oneof![
                4 => (op, inner.clone(), inner.clone()).prop_map(|(op, a, b)| binary(op, a, b)),
                1 => inner.clone().prop_map(|e| Expr::unary(UnaryOp::Not, e)),
                1 => (inner.clone(), inner.clone(), inner)
                    .prop_map(|(c, a, b)| Expr::conditional(c, a, b)),
            ]
        })
    }

    /// A set and one of its values.
    fn set() -> impl Strategy<Value = (ValueSet, i32)> {
        prop_oneof![
            (-4..5_i32, -4..5_i32).prop_map(|(a, b)| (ValueSet::of([a, b]), a)),
            (-5..5_i32, 70..200_i32, 0..70_i32)
                .prop_map(|(low, size, i)| (ValueSet::interval(low, low + size), low + i)),
            any::<i32>().prop_map(|value| (ValueSet::FULL, value)),
        ]
    }

    proptest! {
        #[test]
        fn refinement_keeps_every_value_that_satisfies_the_condition(
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
