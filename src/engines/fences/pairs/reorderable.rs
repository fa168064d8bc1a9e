//! The statement pairs that a memory model may reorder, and those that a computation reorders.
//!
//! ```text
//! RO(a,b)   a is a store, b a load, or under PSO another store [JK15, Def. 2],
//!           a path leads from a to b that nothing on it orders, and the two cells may differ
//! ```
//!
//! **Invariant.** With all these pairs kept in order the program behaves as under SC. A store and a
//! load of its own cell are not a pair: the load reads the store or something newer, and any access
//! to another cell after the load forms a pair with the store itself.

use crate::facts::{Candidates, Flow, Values};
use crate::model::Model;
use crate::program::{Op, Program, Site, Thread};
use crate::reference::Run;

/// A statement and a later one of its thread.
pub type Pair = (Site, Site);

/// The pairs that the model may reorder, in ascending order. A statement in a loop may come after
/// itself.
pub fn statement_pairs(program: &Program, model: Model) -> Vec<Pair> {
    let mut pairs = Vec::new();
    if !model.relaxes_store_load() {
        return pairs;
    }
    let values = Values::of(program);
    let flows: Vec<Flow<'_, Thread>> = program.threads().iter().map(Flow::forward).collect();
    for (first, instruction) in program.sites() {
        let thread = program.thread(first.thread);
        if !instruction.op.is_store() || thread.location(instruction.from).is_locked() {
            continue;
        }
        let written = values.addresses(program, first);
        // Pairs with all statements of a kind to which a path leads on which nothing orders.
        let mut add = |is_second: fn(&Op) -> bool, orders: &dyn Fn(&Op) -> bool| {
            let flow = &flows[first.thread.index()];
            let after = flow.reached([instruction.to.index()], |i| !orders(&i.op));
            let seconds = thread.instructions().iter().enumerate();
            let seconds = seconds.filter(|(_, i)| is_second(&i.op) && after[i.from.index()]);
            let seconds = seconds.map(|(instr, _)| Site {
                instr: instr.into(),
                ..first
            });
            let differ = |&second: &Site| may_differ(&written, &values.addresses(program, second));
            pairs.extend(seconds.filter(differ).map(|second| (first, second)));
        };
        add(|op| matches!(op, Op::Load { .. }), &Op::drains);
        if model.relaxes_store_store() {
            let orders = |op: &Op| op.drains() || op.orders_stores_to(&written.cells);
            add(Op::is_store, &orders);
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The pairs of statements whose first was executed earlier and took effect later, in ascending
/// order [JK15, Def. 1].
pub fn reordered(run: &Run) -> Vec<Pair> {
    let events = run.happens_before().events;
    let mut pairs = Vec::new();
    for (at, a) in events.iter().enumerate() {
        let overtaking = events[at + 1..]
            .iter()
            .take_while(|b| b.executed < a.effective)
            .filter(|b| b.site.thread == a.site.thread && b.effective < a.effective);
        pairs.extend(overtaking.map(|b| (a.site, b.site)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Whether the two may be accesses to different shared cells.
fn may_differ(a: &Candidates, b: &Candidates) -> bool {
    let same = a.cells.len() == 1 && a.cells == b.cells;
    !a.cells.is_empty() && !b.cells.is_empty() && !same
}
