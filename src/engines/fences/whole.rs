//! Parts of a text that store and then load, and that nothing can be inserted into: what a macro stands for
//! is one part.

use crate::facts::Flow;
use crate::program::{FencePlace, Instruction, Op, Origin, Program, Thread};

/// Where such parts are, in the order of the text.
pub fn inseparable(program: &Program) -> Vec<Origin> {
    let mut found = Vec::new();
    for thread in program.threads() {
        let flow = Flow::forward(thread);
        let stores = thread.instructions().iter().filter(|i| i.op.is_store());
        for store in stores.filter(|store| store.origin.line > 0) {
            if loads_within(thread, &flow, store) {
                found.push(store.origin);
            }
        }
    }
    found.sort_by_key(|origin| (origin.start, origin.end));
    found.dedup();
    found
}

/// Whether a load of the same part of the text follows a store, before a place for a fence and before anything
/// that drains the buffer.
fn loads_within(thread: &Thread, flow: &Flow<'_, Thread>, store: &Instruction) -> bool {
    let is_load = |i: &Instruction| matches!(i.op, Op::Load { .. });
    let is_within = |i: &Instruction| {
        i.origin == store.origin && i.place == FencePlace::Forbidden && !i.op.drains()
    };
    let reached = flow.reached([store.to.index()], |i| is_within(i) && !is_load(i));
    let mut after = thread
        .instructions()
        .iter()
        .filter(|i| reached[i.from.index()]);
    after.any(|i| is_within(i) && is_load(i))
}
