//! Choices among many values of which a thread distinguishes few.
//!
//!   x = any of 2³²                      x = any of 8; x = -2, -1, 0, 1, … by that
//!   if (x == -1 || x > 3) …       ─▶    if (x == -1 || x > 3) …
//!
//! **Theorem.** If a chosen value, and what it is copied to with constants added, is only compared with constants, then
//! two values for which all of these comparisons are the same lead to the same executions but for themselves. So one of
//! each such class is enough, and each execution of the new program is one of the old one.
//!
//! **Proof.** Put all 2³² values on a circle. A comparison of `x + d` with `k`, in the order with signs or, by the sign
//! bit flipped, in that without, changes its truth only at `k - d`, and where the order itself begins and ends: between
//! 2³¹ - 1 - d and -2³¹ - d, or between -1 - d and -d. Between two neighbours among these points no comparison changes.
//! So the points and the values before them are of all classes.
//!
//! The values are chosen by their numbers, so that engines which enumerate them can. Law: `c_semantics` compares the
//! outcomes with those of all values.

use super::code::Code;
use super::deferred::after;
use super::value::c;
use crate::facts::{Flow, Lattice};
use crate::program::{BinaryOp, Expr, Op, RegId, UnaryOp, Update};
use std::collections::{BTreeMap, BTreeSet};

type Bits = Expr<RegId>;

/// Choices among no more values stay as they are.
const FEW: i64 = 16;
/// Where more are told apart, the choice stays as it is: the new value is computed by a chain of as many comparisons.
const MOST: usize = 48;

/// The value of an expression without registers.
pub(super) fn constant(e: &Bits) -> Option<i32> {
    let mut varies = false;
    let value = e.eval(|_| {
        varies = true;
        0
    });
    (!varies).then_some(value)
}

/// What each register may be at a location: the chosen value, and one of these numbers added.
type Sums = BTreeMap<RegId, BTreeSet<i32>>;

/// What is added to the chosen value in an expression; empty if it is none of its sums.
fn added(sums: &Sums, e: &Bits) -> BTreeSet<i32> {
    let shifted = |e: &Bits, by: i32| {
        let all = added(sums, e).into_iter();
        all.map(|added| added.wrapping_add(by)).collect()
    };
    match e {
        Expr::Var(register) => sums.get(register).cloned().unwrap_or_default(),
        Expr::Binary(BinaryOp::Add, a, b) => match (&**a, &**b) {
            (a, Expr::Const(by)) | (Expr::Const(by), a) => shifted(a, *by),
            _ => BTreeSet::new(),
        },
        Expr::Binary(BinaryOp::Sub, a, b) => match &**b {
            Expr::Const(by) => shifted(a, by.wrapping_neg()),
            _ => BTreeSet::new(),
        },
        _ => BTreeSet::new(),
    }
}

/// The sums at a location; `None` if there are many.
#[derive(Clone)]
struct Few(Option<Sums>);

impl Lattice for Few {
    fn join(&mut self, Few(other): Self) -> bool {
        let Some(known) = &mut self.0 else {
            return false;
        };
        let grows = other.map(|other| known.join(other));
        if grows.is_none() || known.values().map(BTreeSet::len).sum::<usize>() > MOST {
            self.0 = None;
        }
        grows != Some(false)
    }
}

/// The sums by location, from this choice on; `None` if there are many somewhere.
fn sums(code: &Code, choice: usize) -> Option<Vec<Sums>> {
    let first = &code.instructions[choice];
    let mut start = vec![Few(Some(Sums::new())); code.locations.len()];
    start[first.to] = Few(Some(Sums::from([(
        first.op.target()?,
        BTreeSet::from([0]),
    )])));
    let all = Flow::forward(code).solve(start, |_, instr, Few(before)| {
        let mut then = before.clone();
        if let (Some(known), Some(then)) = (before, &mut then)
            && let Some(into) = instr.op.target()
        {
            then.remove(&into);
            if let Op::Assign { value, .. } = &instr.op {
                let sums = added(known, value);
                then.extend((!sums.is_empty()).then_some((into, sums)));
            }
        }
        Few(then)
    });
    all.into_iter().map(|few| few.0).collect()
}

/// Where the truth of comparisons changes.
struct Changes {
    /// The sums where the look is.
    sums: Sums,
    /// All that is added anywhere.
    added: BTreeSet<i32>,
    points: BTreeSet<i32>,
    /// Whether more than equality with constants matters.
    ordered: bool,
}

impl Changes {
    /// All that is done with what is chosen; `None` if it is more than comparisons, copies and a few sums.
    fn of(code: &Code, choice: usize) -> Option<Self> {
        let mut found = Self {
            sums: Sums::new(),
            added: BTreeSet::from([0]),
            points: BTreeSet::new(),
            ordered: false,
        };
        let all = sums(code, choice)?;
        for instr in &code.instructions {
            let sums = &all[instr.from];
            found.added.extend(sums.values().flatten());
            found.sums.clone_from(sums);
            found.look(&instr.op)?;
        }
        Some(found)
    }

    fn added(&self, e: &Bits) -> BTreeSet<i32> {
        added(&self.sums, e)
    }

    fn look(&mut self, op: &Op) -> Option<()> {
        match op {
            Op::Assign { value, .. } if !self.added(value).is_empty() => Some(()),
            Op::Assign { value, .. } => self.value(value),
            Op::Assume(holds) | Op::Assert(holds) => self.truth(holds),
            Op::Load { addr, .. } => self.value(addr),
            Op::Store { addr, value } => {
                self.value(addr)?;
                self.value(value)
            }
            Op::Rmw { addr, update, .. } => {
                self.value(addr)?;
                match update {
                    Update::CompareExchange { expected, desired } => {
                        self.value(expected)?;
                        self.value(desired)
                    }
                    Update::Exchange(value) | Update::Fetch(_, value) => self.value(value),
                }
            }
            Op::Skip
            | Op::Havoc { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => Some(()),
        }
    }

    /// Of an expression, only whether it is 0 matters.
    fn truth(&mut self, e: &Bits) -> Option<()> {
        let added = self.added(e);
        if added.is_empty() {
            return self.value(e);
        }
        self.compare(&added, 0);
        Some(())
    }

    /// The sums with these numbers are compared with a constant.
    fn compare(&mut self, added: &BTreeSet<i32>, with: i32) {
        let points = added.iter().map(|added| with.wrapping_sub(*added));
        self.points.extend(points);
    }

    fn value(&mut self, e: &Bits) -> Option<()> {
        match e {
            Expr::Const(_) => Some(()),
            Expr::Var(_) => self.added(e).is_empty().then_some(()),
            Expr::Unary(UnaryOp::Not, a) => self.truth(a),
            Expr::Unary(_, a) => self.value(a),
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.truth(a)?;
                self.truth(b)
            }
            Expr::Binary(op, a, b) => {
                let is_comparison = matches!(
                    op,
                    BinaryOp::Eq
                        | BinaryOp::Ne
                        | BinaryOp::Lt
                        | BinaryOp::Le
                        | BinaryOp::Gt
                        | BinaryOp::Ge
                );
                if is_comparison {
                    for (one, other) in [(a, b), (b, a)] {
                        let (own, flipped) = flipped(one);
                        let added = self.added(own);
                        if let Some(k) = constant(other).filter(|_| !added.is_empty()) {
                            self.compare(&added, k ^ flipped);
                            self.ordered |= !matches!(op, BinaryOp::Eq | BinaryOp::Ne);
                            return Some(());
                        }
                    }
                }
                self.value(a)?;
                self.value(b)
            }
            Expr::Conditional(parts) => {
                let [condition, then, otherwise] = &**parts;
                self.truth(condition)?;
                self.value(then)?;
                self.value(otherwise)
            }
        }
    }

    /// One value of each class at least, of those from one number to another.
    fn values(mut self, low: i32, high: i32) -> Vec<i32> {
        if !self.ordered {
            let inside = |value: &i32| (low..=high).contains(value);
            let mut values: Vec<i32> = self.points.iter().copied().filter(inside).collect();
            values.extend((low..=high).find(|value| !self.points.contains(value)));
            return values;
        }
        let all = std::mem::take(&mut self.added);
        self.compare(&all, i32::MIN);
        self.compare(&all, 0);
        self.points.extend([low, high]);
        let points = self.points.iter();
        let near = points.flat_map(|point| [point.wrapping_sub(1), *point]);
        let near: BTreeSet<i32> = near.filter(|value| (low..=high).contains(value)).collect();
        near.into_iter().collect()
    }
}

/// What an expression is but for bits that are flipped, none or the sign.
fn flipped(e: &Bits) -> (&Bits, i32) {
    match e {
        Expr::Binary(BinaryOp::BitXor, a, b) => match (&**a, &**b) {
            (own, Expr::Const(i32::MIN)) | (Expr::Const(i32::MIN), own) => (own, i32::MIN),
            _ => (e, 0),
        },
        _ => (e, 0),
    }
}

/// Makes the choices of a thread ones among classes, where there are few.
pub(super) fn by_classes(code: &mut Code) {
    for index in 0..code.instructions.len() {
        let Op::Havoc { into, low, high } = code.instructions[index].op else {
            continue;
        };
        if i64::from(high) - i64::from(low) < FEW {
            continue;
        }
        let Some(points) = Changes::of(code, index) else {
            continue;
        };
        let values = points.values(low, high);
        let Some((last, rest)) = values.split_last() else {
            continue;
        };
        if values.len() > MOST {
            continue;
        }
        let value = rest.iter().enumerate().rev();
        let value = value.fold(c(*last), |others, (number, value)| {
            let is_this = Expr::Binary(
                BinaryOp::Eq,
                Box::new(Expr::Var(into)),
                Box::new(c(number as i32)),
            );
            Expr::conditional(is_this, c(*value), others)
        });
        if let Op::Havoc { low, high, .. } = &mut code.instructions[index].op {
            (*low, *high) = (0, rest.len() as i32);
        }
        after(code, index, [(Op::Assign { into, value }, None)]);
    }
}
