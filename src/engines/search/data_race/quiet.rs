//! Which steps need no interleaving: those of a thread that does something local, or accesses plainly a
//! cell on which no race is known. Such cells are *quiet*.
//!
//! Plain accesses are most of what programs do, and in a program without races no thread can see in which
//! order others execute them. But the search has to find the races. Let `a` be a quiet step of thread `t`
//! in a configuration `s`, and `w` a computation from `s` that ends with the first race.
//!
//! * If `w` has no step that conflicts with `a` before `t` moves, `a` can be taken first: the rest of `w`
//!   is possible after it, with the same clocks, and ends with the same race.
//! * Otherwise let `b` be the first one. `t` takes no step before `b`, so it acquires and publishes nothing
//!   there: neither of the two happens before the other, and after `a` the steps up to `b` are possible
//!   and end with a race of `a` and `b`. The cell of `a` is quiet, so the search for races on *that* cell,
//!   which skips the same steps, finds it.
//!
//! So if the searches for all quiet cells find nothing, then no execution has a race on one of them. If one
//! of them finds something, its cell is not quiet, and the others have to be repeated: then the steps
//! that were skipped matter. What is found is a race in any case. A cell is quiet from the beginning if a
//! lock, or the beginning or end of threads, orders all accesses that conflict there.
//!
//! No step is postponed forever: every cycle of such steps of a thread contains a location where its steps
//! are not chosen.

use crate::program::{Addr, LocId, Op, Ordered, Ordering, Site, ThreadId};
use crate::reference::machine::{Config, Machine};
use crate::search::reduce::{Reduce, back_edges};

pub(super) struct Quiet {
    /// By [`Addr::index`].
    cells: Vec<bool>,
    /// By thread and location: whether other threads have to be able to go on here.
    open: Vec<Vec<bool>>,
}

impl Quiet {
    /// All cells.
    pub(super) fn new(ordered: &Ordered) -> Self {
        let program = &ordered.program;
        let threads = program.thread_ids().zip(program.threads());
        let open = threads.map(|(thread, automaton)| {
            let waits = |loc: LocId| {
                !automaton.location(loc).atomic
                    && automaton.outgoing(loc).iter().any(|&instr| {
                        let plain = ordered.ordering(Site { thread, instr }) == Ordering::Plain;
                        match automaton.instruction(instr).op {
                            Op::Load { .. } | Op::Store { .. } => !plain,
                            Op::Rmw { .. } | Op::AtomicBegin | Op::WordBegin(_) => true,
                            Op::Skip
                            | Op::Assign { .. }
                            | Op::Havoc { .. }
                            | Op::Assume(_)
                            | Op::Assert(_)
                            | Op::Fence(_)
                            | Op::AtomicEnd => false,
                        }
                    })
            };
            back_edges(automaton, |loc| !waits(loc))
        });
        Self {
            cells: vec![true; program.cell_count()],
            open: open.collect(),
        }
    }

    /// A race on this cell is known, or possible.
    pub(super) fn remove(&mut self, cell: Addr) {
        self.cells[cell.index()] = false;
    }

    /// A thread whose steps are the only ones that need to be taken.
    pub(super) fn thread(
        &self,
        (machine, reduce): (&Machine<'_>, &Reduce),
        ordered: &Ordered,
        config: &Config,
    ) -> Option<ThreadId> {
        let is_open =
            |thread: ThreadId| self.open[thread.index()][config.locations[thread.index()].index()];
        if let Some(thread) = machine.inside(config) {
            return Some(thread).filter(|&thread| !is_open(thread));
        }
        let mut threads = machine.program.thread_ids();
        threads.find(|&thread| {
            !is_open(thread)
                && (self.is_plain(machine, ordered, config, thread)
                    || reduce
                        .only_local(machine, config, |which| which == thread)
                        .is_some())
        })
    }

    /// Whether the next step of a thread is a plain access to a quiet cell.
    fn is_plain(
        &self,
        machine: &Machine<'_>,
        ordered: &Ordered,
        config: &Config,
        thread: ThreadId,
    ) -> bool {
        let automaton = machine.program.thread(thread);
        let [instr] = *automaton.outgoing(config.locations[thread.index()]) else {
            return false;
        };
        let addr = match &automaton.instruction(instr).op {
            Op::Load { addr, .. } | Op::Store { addr, .. } => addr,
            Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Rmw { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => return false,
        };
        let cell = machine.cell(config, thread, addr);
        ordered.ordering(Site { thread, instr }) == Ordering::Plain
            && cell.is_ok_and(|cell| self.cells[cell.index()])
    }
}
