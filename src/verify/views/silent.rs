//! Silent locations: where a copy need not be seen, as what it does next makes no difference to others.
//!
//! All instructions that leave a silent location compute with the copy's own registers only; no property
//! mentions it, nor where they lead, nor any register of the copies; and it is on no cycle of such locations.
//!
//! *Why a copy that gets there may go on at once.* Steps of others neither enable such a step nor change what
//! it does, and are not changed by it. So in an execution that ends with something bad, each of these steps
//! can be moved to the front, to where the copy got there; and those that the execution does not contain
//! can be added, as the bad thing remains: it is an assertion of the copy itself, which is looked at on the
//! way, or a property, which does not mention what changes. There is no cycle, so this ends: where an access,
//! a block or the end comes next, or where the copy cannot go on. Where a property is about threads that
//! wait, no location is silent.

use crate::expr::Var;
use crate::program::{Kind, Op, Program, Thread};

/// By location of a thread with `[*]`: whether it is silent.
pub(super) fn silent(program: &Program, class: usize) -> Vec<bool> {
    let thread = &program.threads[class];
    let mut silent: Vec<bool> = (0..thread.locations.len())
        .map(|at| !thread.inside[at] && !thread.ends(at) && is_local(thread, at))
        .collect();
    let mut mentioned = vec![false; silent.len()];
    for (kind, predicate) in &program.properties {
        let mut mentions = matches!(kind, Kind::Stuck | Kind::Starved);
        predicate.each_var(&mut |var| match var {
            Var::Of(t, _) => mentions |= program.class_of(t) == Some(class),
            Var::At(t, at) if program.class_of(t) == Some(class) => mentioned[at] = true,
            Var::At(..) | Var::Own(_) | Var::Cell(_) => {}
        });
        if mentions {
            silent.fill(false);
        }
    }
    for instruction in &thread.instructions {
        silent[instruction.from] &= !mentioned[instruction.from] && !mentioned[instruction.to];
    }
    // What is left after all locations without a silent one after them were taken away is on a cycle, or
    // leads to one.
    let mut left = silent.clone();
    let mut changed = true;
    while changed {
        changed = false;
        for at in 0..left.len() {
            let mut after = thread.leaving[at].iter();
            let goes_on = after.any(|&number| left[thread.instructions[number].to]);
            changed |= left[at] && !goes_on;
            left[at] &= goes_on;
        }
    }
    silent
        .iter()
        .zip(&left)
        .map(|(silent, left)| *silent && !left)
        .collect()
}

fn is_local(thread: &Thread, at: usize) -> bool {
    let mut leaving = thread.leaving[at].iter();
    leaving.all(|&number| match thread.instructions[number].op {
        Op::Skip | Op::Assign(..) | Op::Choose(..) | Op::Assume(_) | Op::Assert(_) => true,
        Op::Load(..)
        | Op::Store(..)
        | Op::Locked(..)
        | Op::Fence
        | Op::LightFence(_)
        | Op::Barrier
        | Op::Lock
        | Op::Word(_)
        | Op::Unlock => false,
    })
}
