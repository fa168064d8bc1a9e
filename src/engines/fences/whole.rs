//! Parts of a text that store and then load, and that nothing can be inserted into: what a macro stands for
//! is one part.

use crate::program::{FencePlace, LocId, Op, Origin, Program, Thread};

/// Where such parts are, in the order of the text.
pub fn inseparable(program: &Program) -> Vec<Origin> {
    let mut found = Vec::new();
    for thread in program.threads() {
        let stores = thread.instructions().iter().filter(|i| i.op.is_store());
        for store in stores.filter(|store| store.origin.line > 0) {
            if loads_within(thread, store.to, store.origin) {
                found.push(store.origin);
            }
        }
    }
    found.sort_by_key(|origin| (origin.start, origin.end));
    found.dedup();
    found
}

/// Whether a load of this part of the text follows, before a place for a fence and before anything that
/// drains the buffer.
fn loads_within(thread: &Thread, from: LocId, part: Origin) -> bool {
    let mut seen = vec![false; thread.locations().len()];
    let mut work = vec![from];
    while let Some(at) = work.pop() {
        if std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        for &instr in thread.outgoing(at) {
            let instruction = thread.instruction(instr);
            let is_closed = instruction.place == FencePlace::Forbidden;
            if instruction.origin != part || !is_closed || instruction.op.drains() {
                continue;
            }
            if matches!(instruction.op, Op::Load { .. }) {
                return true;
            }
            work.push(instruction.to);
        }
    }
    false
}
