//! Flags that front ends add for the lives of threads: what a step on one means, instead of its name.
//!
//! A thread that is joined raises a flag at its end, which the join waits for; one that another thread
//! creates waits for a flag at its start. The user has written neither.

use crate::program::{Addr, Op, Program, Role, ThreadId};
use crate::reference::Action;

/// What a flag stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flag {
    /// This thread has ended.
    Ended(ThreadId),
    /// This thread was created.
    Created(ThreadId),
}

/// The flag in this cell, if it is one: the end of a thread raises it, or the start of one reads it.
fn flag(program: &Program, addr: Addr) -> Option<Flag> {
    let is_start = || {
        let name = program.cell_name(addr);
        let name = name.split_once('#').map_or(&*name, |(name, _)| name);
        name.ends_with(".started")
    };
    program.sites().find_map(|(site, instruction)| {
        let flag = match (instruction.role, &instruction.op) {
            (Role::End, Op::Rmw { .. }) => Flag::Ended(site.thread),
            // Arguments are read at the start, too.
            (Role::Start, Op::Load { .. }) if is_start() => Flag::Created(site.thread),
            _ => return None,
        };
        let (at, _) = instruction.op.access()?;
        let here = program.cell_at(at.as_const()?)?;
        (here == addr).then_some(flag)
    })
}

/// What a step on a flag means; `None` for one on another cell.
pub(super) fn meaning(program: &Program, action: &Action) -> Option<String> {
    let name = |thread: ThreadId| program.thread(thread).name();
    match *action {
        Action::Load { addr, value, .. } => observed(program, addr, value),
        Action::Rmw { addr, .. } => Some(match flag(program, addr)? {
            // Its statement says so.
            Flag::Ended(_) => String::new(),
            Flag::Created(thread) => format!("creates {}", name(thread)),
        }),
        Action::Flush { .. }
        | Action::Issue { .. }
        | Action::Advance { .. }
        | Action::Fence
        | Action::Retire
        | Action::Local => None,
    }
}

/// What a value of a flag means; `None` for another cell.
pub(super) fn observed(program: &Program, addr: Addr, value: i32) -> Option<String> {
    let not = if value == 0 { "not " } else { "" };
    Some(match flag(program, addr)? {
        Flag::Ended(thread) => format!("{} has {not}ended", program.thread(thread).name()),
        Flag::Created(thread) => format!("{} was {not}created", program.thread(thread).name()),
    })
}
