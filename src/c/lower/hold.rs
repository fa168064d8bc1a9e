//! What is certain wherever a thread is: the locks that it holds, whose release needs no check, and which
//! threads run.
//!
//! The thread is followed along all paths, from no lock; where paths meet, it holds what it holds on all
//! of them. Only locks at addresses that are known are followed. One at an unknown address may be any
//! when it is released. Atomic sections are a lock at address 0.

use super::code::{Code, Holds, Loc};
use crate::program::{Context, Op, Ordering};

/// The lock of atomic sections.
const SECTIONS: (i64, bool) = (0, true);

/// Removes the checks that cannot fail.
pub(super) fn drop_checks(code: &mut Code, contexts: &[Option<Context>]) {
    for instr in &mut code.instructions {
        let context = contexts[instr.from].as_ref();
        if let (Some(lock), Some(context)) = (instr.checks, context)
            && context.locks.iter().any(|&(held, _)| held == lock)
        {
            instr.op = Op::Skip;
            instr.ordering = Ordering::Relaxed;
        }
    }
}

/// What is certain at each location; `None` where control never gets.
pub(super) fn contexts(code: &Code) -> Vec<Option<Context>> {
    let mut contexts: Vec<Option<Context>> = vec![None; code.locations.len()];
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); code.locations.len()];
    for (index, instr) in code.instructions.iter().enumerate() {
        outgoing[instr.from].push(index);
    }
    contexts[0] = Some(Context::default());
    let mut open: Vec<Loc> = vec![0];
    while let Some(at) = open.pop() {
        let Some(before) = contexts[at].clone() else {
            continue;
        };
        for &index in &outgoing[at] {
            let instr = &code.instructions[index];
            let mut after = before.clone();
            if instr.op == Op::AtomicBegin && instr.ordering.acquires() {
                after.locks.insert(SECTIONS);
            } else if instr.op == Op::AtomicEnd {
                after.locks.remove(&SECTIONS);
            }
            match instr.holds {
                Some(Holds::Takes(lock, alone)) => {
                    after.locks.insert((lock, alone));
                }
                Some(Holds::Releases(Some(lock))) => after.locks.retain(|&(held, _)| held != lock),
                Some(Holds::Releases(None)) => after.locks.retain(|held| *held == SECTIONS),
                Some(Holds::Creates(thread)) => {
                    after.created.insert(thread);
                }
                Some(Holds::Joins(thread)) => {
                    after.joined.insert(thread);
                }
                None => {}
            }
            let merged = match &contexts[instr.to] {
                None => after,
                Some(other) => Context {
                    locks: other.locks.intersection(&after.locks).copied().collect(),
                    joined: other.joined.intersection(&after.joined).copied().collect(),
                    created: other.created.union(&after.created).copied().collect(),
                },
            };
            if contexts[instr.to].as_ref() != Some(&merged) {
                contexts[instr.to] = Some(merged);
                open.push(instr.to);
            }
        }
    }
    contexts
}
