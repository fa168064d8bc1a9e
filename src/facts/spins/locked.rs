//! The values that a locked instruction reads and writes, and what follows for the registers after
//! it.
//!
//! Whether an instruction wrote back the value that it read is decided by cases: each case is one
//! value read, or a range of values on one side of the constant that the instruction compares with
//! or writes. Even if there are too many values to list, a successful compare-and-swap has read the
//! value of the expected register: the two registers are *equal* from then on, until one is
//! written.

use super::super::set::ValueSet;
use super::super::values::RegisterSets;
use crate::program::{Expr, FetchOp, Op, RegId, Update};
use std::collections::BTreeSet;

/// A cover of the values that a locked instruction may read, by parts that are easy to decide:
/// single values, or the constant that matters and the ranges on both sides of it.
pub(super) fn cases(old: &ValueSet, update: &Update, before: &RegisterSets) -> Vec<ValueSet> {
    if let Some(values) = old.values() {
        return values.iter().map(|&value| ValueSet::one(value)).collect();
    }
    let special = match update {
        Update::CompareExchange { expected: e, .. } | Update::Exchange(e) => {
            before.eval(e).as_constant()
        }
        Update::Fetch(..) => None,
    };
    let Some(special) = special else {
        return vec![old.clone()];
    };
    let parts = [
        ValueSet::interval(i32::MIN, special.saturating_sub(1)),
        ValueSet::one(special),
        ValueSet::interval(special.saturating_add(1), i32::MAX),
    ];
    let parts = parts.iter().map(|part| part.meet(old));
    parts.filter(|part| !part.is_empty()).collect()
}

/// Whether a locked instruction that reads one of `old` certainly writes back the value that it
/// read.
pub(super) fn unchanged(update: &Update, old: &ValueSet, before: &RegisterSets) -> bool {
    let found = old.as_constant();
    match update {
        Update::CompareExchange { expected, desired } => {
            expected == desired
                || old.meet(&before.eval(expected)).is_empty()
                || found.is_some() && before.eval(desired).as_constant() == found
        }
        Update::Exchange(value) => found.is_some() && before.eval(value).as_constant() == found,
        Update::Fetch(op, operand) => {
            let operand = before.eval(operand);
            match (op, operand.as_constant()) {
                (FetchOp::Add | FetchOp::Sub | FetchOp::Or, Some(0)) | (FetchOp::And, Some(-1)) => {
                    true
                }
                _ => found.is_some_and(|found| {
                    operand.values().is_some_and(|operands| {
                        let mut operands = operands.iter();
                        operands.all(|&operand| op.apply(found, operand) == found)
                    })
                }),
            }
        }
    }
}

/// Registers known to hold the same value, the one that a successful compare-and-swap expected.
#[derive(Clone, Default)]
pub(super) struct Equal(pub(super) BTreeSet<RegId>);

impl Equal {
    /// The operation with all equal registers replaced by one of them, if that may help.
    pub(super) fn substituted(&self, op: &Op) -> Op {
        let first = self.0.first().copied();
        let mut one = |reg| match first {
            Some(first) if self.0.contains(&reg) => Expr::Var(first),
            _ => Expr::Var(reg),
        };
        if let Op::Assume(e) = op {
            Op::Assume(e.map(&mut one))
        } else if let Op::Assign { into, value } = op {
            Op::Assign {
                into: *into,
                value: value.map(&mut one),
            }
        } else {
            op.clone()
        }
    }

    /// The registers that are equal after an instruction.
    pub(super) fn after(&self, op: &Op) -> Self {
        let mut after = self.clone();
        if let Some(into) = op.target() {
            let copies = matches!(
                op,
                Op::Assign { value: Expr::Var(reg), .. } if self.0.contains(reg)
            );
            if copies {
                after.0.insert(into);
            } else {
                after.0.remove(&into);
            }
        }
        after
    }

    /// Keeps the registers that are equal on both paths. Returns whether any was removed.
    pub(super) fn intersect(&mut self, other: &Self) -> bool {
        let before = self.0.len();
        self.0.retain(|reg| other.0.contains(reg));
        self.0.len() < before
    }
}
