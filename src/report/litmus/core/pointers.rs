//! Which cells of a run hold addresses.
//!
//! Programs contain only numbers. A number counts as an address if it is used in the address of an
//! access, directly or through registers. So a cell holds addresses if a register that is used that way
//! is loaded from it or stored to it.
//!
//! **Incomplete:** an address that is never used to access memory is not recognised.

use crate::program::{AccessKind, Addr, Expr, Op, Program, RegId, Thread};
use crate::reference::HappensBefore;
use std::collections::BTreeSet;

/// The cells that hold addresses in the run with this trace.
pub(super) fn pointers(program: &Program, before: &HappensBefore) -> BTreeSet<Addr> {
    let threads: Vec<BTreeSet<RegId>> = program.threads().iter().map(into_addresses).collect();
    let events = before.events.iter();
    events
        .filter(|event| {
            let registers = &threads[event.site.thread.index()];
            let access = program.instruction(event.site).op.access();
            access.is_some_and(|(_, access)| match access {
                AccessKind::Load { into } | AccessKind::Rmw { into, .. } => {
                    registers.contains(&into)
                }
                AccessKind::Store { value } => {
                    matches!(value, Expr::Var(register) if registers.contains(register))
                }
            })
        })
        .map(|event| event.addr)
        .collect()
}

/// The registers of a thread that are used in the address of an access, directly or through other
/// registers.
fn into_addresses(thread: &Thread) -> BTreeSet<RegId> {
    let mut found = BTreeSet::new();
    loop {
        let known = found.len();
        for instruction in thread.instructions() {
            let from = if let Op::Assign { into, value } = &instruction.op {
                found.contains(into).then_some(value)
            } else {
                instruction.op.address()
            };
            let Some(from) = from else {
                continue;
            };
            found.extend(from.vars());
        }
        if found.len() == known {
            return found;
        }
    }
}
