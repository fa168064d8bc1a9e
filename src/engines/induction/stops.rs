//! Stops: the locations between macro-steps.
//!
//! A macro-step of a thread begins at a stop, takes any number of local instructions, and ends with
//! the first *visible* one: an access to memory, or a whole atomic block. The local instructions come
//! *before* the visible one. So a thread that blocks at a false assumption still has done everything
//! that others could see.
//!
//! ```text
//!   stop ── local ── local ── access ──▶ stop
//!   stop ── local ── [ atomic block ] ──▶ stop
//! ```
//!
//! **Theorem.** A goal is reachable if and only if it is reachable by macro-steps, where a goal inside
//! a thread counts as reached at a stop from which local instructions lead to it. For local
//! instructions of one thread commute with all steps of the others: move each to the next visible
//! one of its thread, and drop those that have none. What a property observes does not change, because
//! instructions that write an observed register, or enter or leave an observed location, are visible.
//!
//! **Invariant.** Each cycle of a thread contains a visible instruction or enters a *forced* stop,
//! where every macro-step ends. Inside an atomic block a stop is forced only by a cycle; while a
//! thread is at such a stop, no other thread moves.

use crate::facts::Flow;
use crate::program::{
    Goal, InstrId, LocId, Observable, Op, Program, PropertyKind, RegId, Thread, ThreadId,
};
use std::collections::BTreeSet;

/// How far a step of a thread goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stride {
    /// Up to the first visible instruction.
    Macro,
    /// One instruction.
    Single,
}

/// The stops of one thread.
#[derive(Clone, Debug)]
pub(super) struct Stops {
    /// By instruction.
    visible: Vec<bool>,
    /// By location.
    forced: Vec<bool>,
    /// Ascending; the code of a stop is its index.
    pub(super) list: Vec<LocId>,
}

/// What the goals observe of one thread.
#[derive(Default)]
struct Observed {
    registers: BTreeSet<RegId>,
    locations: BTreeSet<LocId>,
    /// Whether some goal asks whether the thread has ended.
    end: bool,
}

impl Observed {
    fn of(program: &Program, thread: ThreadId, goals: &[Goal]) -> Self {
        let mut observed = Self::default();
        for goal in goals {
            let Goal::Property(number) = *goal else {
                continue;
            };
            let property = &program.properties()[number];
            let at_end = match property.kind {
                PropertyKind::Forbid | PropertyKind::Stuck | PropertyKind::Starved(_) => false,
                PropertyKind::FinalAssert | PropertyKind::Exists => true,
            };
            observed.end |= at_end;
            property.predicate.for_each_var(&mut |var| match var {
                // After the end nothing changes any more.
                Observable::Register(of, reg) if of == thread && !at_end => {
                    observed.registers.insert(reg);
                }
                Observable::At(of, loc) if of == thread => {
                    observed.locations.insert(loc);
                }
                Observable::Register(..) | Observable::At(..) | Observable::Cell(_) => {}
            });
        }
        observed
    }
}

impl Stops {
    /// The stops of a thread, for these goals.
    pub(super) fn of(program: &Program, id: ThreadId, goals: &[Goal], stride: Stride) -> Self {
        let thread = program.thread(id);
        let observed = Observed::of(program, id, goals);
        let visible: Vec<bool> = (0..thread.instructions().len())
            .map(|instr| is_visible(thread, instr.into(), &observed))
            .collect();
        let forced = (0..thread.locations().len()).map(LocId::from);
        let forced = forced.map(|loc| {
            stride == Stride::Single
                || observed.locations.contains(&loc)
                || observed.end && thread.is_end(loc)
        });
        let mut stops = Self {
            visible,
            forced: forced.collect(),
            list: Vec::new(),
        };
        stops.cut(thread);
        stops.list = stops.reached(thread);
        stops
    }

    /// Whether a macro-step that takes this instruction ends after it.
    pub(super) fn ends_after(&self, thread: &Thread, instr: InstrId) -> bool {
        self.visible[instr.index()] || self.forced[thread.instruction(instr).to.index()]
    }

    /// The code of a stop; `None` if no macro-step ends at the location.
    pub(super) fn code(&self, loc: LocId) -> Option<usize> {
        self.list.binary_search(&loc).ok()
    }

    /// The locations that local instructions reach from a stop, each before those that follow it.
    pub(super) fn walk(&self, thread: &Thread, from: LocId) -> Vec<LocId> {
        let flow = Flow::forward(thread);
        let search = flow.search([from.index()], |instr, _| {
            !self.ends_after(thread, instr.into())
        });
        search.left.into_iter().rev().map(LocId::from).collect()
    }

    /// Forces a stop on each cycle of local instructions.
    fn cut(&mut self, thread: &Thread) {
        let all = 0..thread.locations().len();
        let flow = Flow::forward(thread);
        let search = flow.search(all, |instr, _| !self.ends_after(thread, instr.into()));
        for (forced, closes) in self.forced.iter_mut().zip(search.closes) {
            *forced |= closes;
        }
    }

    /// The entry, and every location where a macro-step from another stop ends.
    fn reached(&self, thread: &Thread) -> Vec<LocId> {
        let mut stops = BTreeSet::from([thread.entry()]);
        let mut work = vec![thread.entry()];
        while let Some(stop) = work.pop() {
            for loc in self.walk(thread, stop) {
                for &instr in thread.outgoing(loc) {
                    let to = thread.instruction(instr).to;
                    if self.ends_after(thread, instr) && stops.insert(to) {
                        work.push(to);
                    }
                }
            }
        }
        stops.into_iter().collect()
    }
}

/// Whether others may notice an instruction. The instructions of an atomic block are noticed together,
/// when it ends.
fn is_visible(thread: &Thread, instr: InstrId, observed: &Observed) -> bool {
    let instruction = thread.instruction(instr);
    let inside = |loc: LocId| thread.location(loc).atomic;
    if inside(instruction.to) {
        return false;
    }
    let touches = |loc: LocId| observed.locations.contains(&loc);
    let writes = instruction.op.target();
    inside(instruction.from)
        || instruction.op.access().is_some()
        || matches!(instruction.op, Op::AtomicEnd)
        || writes.is_some_and(|reg| observed.registers.contains(&reg))
        || touches(instruction.from)
        || touches(instruction.to)
}
