//! Choices among many values of which a thread distinguishes few.
//!
//!   x = any of 2³²                      x = any of 8; x = -2, -1, 0, 1, … by that
//!   if (x == -1 || x > 3) …       ─▶    if (x == -1 || x > 3) …
//!
//! **Theorem.** If a chosen value, and what it is copied to, is only compared with constants, then two values for which
//! all of these comparisons are the same lead to the same executions but for themselves. So one of each such class
//! is enough, and each execution of the new program is one of the old one.
//!
//! **Proof.** Put all 2³² values on a circle. A comparison of `x` with `k`, in the order with signs or, by the sign bit
//! flipped, in that without, changes its truth only at `k`, and where the order itself begins and ends: between 2³¹ - 1
//! and -2³¹, or between -1 and 0. Between two neighbours among these points no comparison changes. So the points and
//! the values before them are of all classes.
//!
//! The values are chosen by their numbers, so that engines which enumerate them can. Law: `c_semantics` compares the
//! outcomes with those of all values.

use super::code::Code;
use super::deferred::after;
use super::value::c;
use crate::program::{BinaryOp, Expr, Op, RegId, UnaryOp, Update};
use std::collections::BTreeSet;

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

/// Where the truth of comparisons of some registers changes.
struct Changes {
    registers: BTreeSet<RegId>,
    points: BTreeSet<i32>,
    /// Whether more than equality with constants matters.
    ordered: bool,
}

impl Changes {
    /// All that is done with the registers; `None` if it is more than comparisons and copies.
    fn of(code: &Code, chosen: RegId) -> Option<Self> {
        let mut found = Self {
            registers: BTreeSet::from([chosen]),
            points: BTreeSet::new(),
            ordered: false,
        };
        loop {
            let before = found.registers.len();
            for instr in &code.instructions {
                if let Op::Assign { into, value } = &instr.op
                    && found.is_own(value)
                {
                    found.registers.insert(*into);
                }
            }
            if found.registers.len() == before {
                break;
            }
        }
        for instr in &code.instructions {
            found.look(&instr.op)?;
        }
        Some(found)
    }

    fn is_own(&self, e: &Bits) -> bool {
        matches!(e, Expr::Var(register) if self.registers.contains(register))
    }

    fn look(&mut self, op: &Op) -> Option<()> {
        match op {
            Op::Assign { value, .. } if self.is_own(value) => Some(()),
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
            Op::Skip | Op::Havoc { .. } | Op::Fence(_) | Op::AtomicBegin | Op::AtomicEnd => {
                Some(())
            }
        }
    }

    /// Of an expression, only whether it is 0 matters.
    fn truth(&mut self, e: &Bits) -> Option<()> {
        if self.is_own(e) {
            self.points.insert(0);
            return Some(());
        }
        self.value(e)
    }

    fn value(&mut self, e: &Bits) -> Option<()> {
        match e {
            Expr::Const(_) => Some(()),
            Expr::Var(_) => (!self.is_own(e)).then_some(()),
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
                        if let (Some(flipped), Some(k)) = (self.flipped(one), constant(other)) {
                            self.points.insert(k ^ flipped);
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

    /// The bits that are flipped of one of the registers; none or its sign.
    fn flipped(&self, e: &Bits) -> Option<i32> {
        match e {
            Expr::Binary(BinaryOp::BitXor, a, b) => match (&**a, &**b) {
                (a, Expr::Const(i32::MIN)) if self.is_own(a) => Some(i32::MIN),
                (Expr::Const(i32::MIN), b) if self.is_own(b) => Some(i32::MIN),
                _ => None,
            },
            _ => self.is_own(e).then_some(0),
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
        self.points.extend([i32::MIN, i32::MAX, 0, -1, low, high]);
        let points = self.points.iter();
        let near = points.flat_map(|point| [point.wrapping_sub(1), *point]);
        let near: BTreeSet<i32> = near.filter(|value| (low..=high).contains(value)).collect();
        near.into_iter().collect()
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
        let Some(points) = Changes::of(code, into) else {
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
