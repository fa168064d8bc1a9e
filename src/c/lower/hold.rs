//! The locks that a thread certainly holds, wherever it is: their release needs no check.
//!
//! The thread is followed along all paths, from no lock; where paths meet, it holds what it holds on all
//! of them. Only locks at addresses that are known are followed. One at an unknown address may be any
//! when it is released.

use super::code::{Code, Holds, Loc};
use crate::program::{Op, Ordering};
use std::collections::BTreeSet;

/// Removes the checks that cannot fail.
pub(super) fn drop_checks(code: &mut Code) {
    if code.instructions.iter().all(|instr| instr.checks.is_none()) {
        return;
    }
    let held = held(code);
    for instr in &mut code.instructions {
        let held = held[instr.from].as_ref();
        if let (Some(lock), Some(held)) = (instr.checks, held)
            && held.contains(&lock)
        {
            instr.op = Op::Skip;
            instr.ordering = Ordering::Relaxed;
        }
    }
}

/// The locks that are held at each location; `None` where control never gets.
fn held(code: &Code) -> Vec<Option<BTreeSet<i64>>> {
    let mut held: Vec<Option<BTreeSet<i64>>> = vec![None; code.locations.len()];
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); code.locations.len()];
    for (index, instr) in code.instructions.iter().enumerate() {
        outgoing[instr.from].push(index);
    }
    held[0] = Some(BTreeSet::new());
    let mut open: Vec<Loc> = vec![0];
    while let Some(at) = open.pop() {
        let Some(before) = held[at].clone() else {
            continue;
        };
        for &index in &outgoing[at] {
            let instr = &code.instructions[index];
            let mut after = before.clone();
            match instr.holds {
                Some(Holds::Takes(lock)) => {
                    after.insert(lock);
                }
                Some(Holds::Releases(Some(lock))) => {
                    after.remove(&lock);
                }
                Some(Holds::Releases(None)) => after.clear(),
                None => {}
            }
            let merged = match &held[instr.to] {
                None => after,
                Some(other) => other.intersection(&after).copied().collect(),
            };
            if held[instr.to].as_ref() != Some(&merged) {
                held[instr.to] = Some(merged);
                open.push(instr.to);
            }
        }
    }
    held
}
