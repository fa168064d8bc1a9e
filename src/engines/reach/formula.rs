//! The formula that queries are about: what is omitted from it, and how far loops are unrolled at
//! first.
//!
//! Unrolling a loop once says nothing about a program that must pass through it sixteen times: each
//! execution that leaves the loop is beyond the bound. If the number of iterations is known when the
//! loop is encoded, because its counter is a constant in each copy, then no copy leaves the loop
//! until there are enough of them, and none is cut from then on. So such loops are unrolled first.
//!
//! **Absent.** Loops whose number of iterations depends on what threads read. The engines deepen
//! those, if a core contains them.

use super::Method;
use crate::encode::{Encoding, LoopBounds, Plan};
use crate::facts::{Values, slice};
use crate::program::Program;
use crate::verdict::Budget;
use std::sync::Arc;

/// The size of a formula, in copies of locations, from which on loops are not unrolled further just
/// because they must be passed.
const COPIES: usize = 1 << 16;
/// The same in clauses. The next attempt may have eight times as many, because a load is combined
/// with each pair of stores that it may read.
const CLAUSES: usize = 1 << 18;
/// Such an attempt is given up at this size: nested loops multiply it by more.
const LARGEST: usize = 16 * CLAUSES;

/// The formula of the part of a program that the plan needs, or of the whole program.
/// Happens-before involves all accesses, so nothing is omitted for queries about it.
pub(super) fn encoding(program: &Program, plan: Plan, method: Method, budget: &Budget) -> Encoding {
    let values = Values::of(program);
    let encoded = if method.slicing && plan.delay.is_none() {
        slice(program, &values, &plan.goals)
    } else {
        program.clone()
    };
    let none = LoopBounds::default();
    if !plan.counting {
        return Encoding::new(encoded, values, plan, &none, method.acyclicity, budget);
    }
    let encode = |bounds: &LoopBounds| {
        let (encoded, values, plan) = (encoded.clone(), Arc::clone(&values), plan.clone());
        Encoding::new(encoded, values, plan, bounds, method.acyclicity, budget)
    };
    let first = encode(&none);
    counted(&first, encode).unwrap_or(first)
}

/// The formula in which the loops that no iteration within their bounds can leave are unrolled until
/// one can; `None` if there is no such loop, or if it has too many iterations.
///
/// Each attempt doubles the bounds and encodes the program anew, because a formula that is encoded
/// at once is smaller than one that was deepened.
fn counted(first: &Encoding, encode: impl Fn(&LoopBounds) -> Encoding) -> Option<Encoding> {
    let mut bounds = LoopBounds {
        largest: Some(LARGEST),
        ..LoopBounds::default()
    };
    let mut counted: Option<Encoding> = None;
    loop {
        let present = counted.as_ref().unwrap_or(first);
        if present.is_cut_short() {
            return None;
        }
        let loops = present.counted();
        if loops.is_empty() {
            return counted.map(Encoding::unlimited);
        }
        if present.copies() > COPIES || present.cnf.clauses() > CLAUSES {
            return None;
        }
        for (thread, id) in loops {
            let iterations = present.returns(thread, id).max(1).saturating_mul(2);
            bounds.loops.insert((thread, id), iterations);
        }
        counted = Some(encode(&bounds));
    }
}
