//! The step-by-step reference: store buffers exactly as in the papers, without optimisation.
//!
//! A configuration holds each thread's location and registers, the memory, and the buffers. One
//! step executes an instruction or moves a buffered item. The rules are those of [BDM13, Table 1]
//! for TSO, extended by locked instructions and atomic blocks, and of [DMS17, Fig. 3] for the
//! store-atomic framework.
//!
//! * `buffer`, `machine`: configurations, and predicates on them;
//! * `rules`: the transition rules, each in one place;
//! * `replay`: checks a given computation strictly, step by step;
//! * `happens_before`, `cycle`, `shape`: the trace of a replayed computation, its cycles and their names;
//! * `pack`, `store`: configurations as bytes, by the million;
//! * `explore`: every reachable configuration, unreduced;
//! * `wait`, `liveness`: threads that wait forever, and configurations in which all do;
//! * `starve`: a thread that waits forever while others may act.
//!
//! A thread that represents any number of copies is treated as one thread here; callers reject such
//! programs.
//!
//! **Invariant.** Nothing of the engines is used here, only programs, models and verdicts. It is the second
//! opinion: every violation found elsewhere is replayed here before it is reported.
//!
//! This crate is a part of `fencepost`, which is the interface for users: no promise of stability here.

#![allow(
    rustdoc::private_intra_doc_links,
    reason = "the pages of this crate are for contributors, who build them with private items"
)]

pub mod buffer;
mod cycle;
pub mod explore;
mod happens_before;
mod liveness;
pub mod machine;
pub mod pack;
pub mod replay;
pub mod rules;
mod shape;
pub mod starve;
pub mod store;
pub mod wait;

pub use explore::{explore, explore_halts};
pub use happens_before::{Edge, Event, EventId, HappensBefore, Relation};
pub use liveness::dead_registers;
pub use replay::{Replay, replay};
pub use shape::Shape;
pub use starve::starves;
pub use wait::{Waiter, arrival, have_arrived, waiters};

use crate::model::Model;
use crate::program::{Addr, Goal, InstrId, LocId, Site, ThreadId};
use crate::verdict::Reason;
use fencepost_base::{model, program, verdict};
use std::collections::{BTreeMap, BTreeSet};

/// One step of a computation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// A thread executes an instruction; a buffered store or lightweight fence is only issued, not
    /// completed.
    Execute {
        /// The thread.
        thread: ThreadId,
        /// The instruction; leaves the thread's location.
        instr: InstrId,
        /// The value that a `nondet` takes; `None` for every other instruction.
        choice: Option<i32>,
    },
    /// PGAS only: the oldest store in the per-address buffer moves to the thread's FIFO ("advance
    /// buffer" in [DMS17, Fig. 3]).
    Advance {
        /// The thread.
        thread: ThreadId,
        /// The cell.
        addr: Addr,
    },
    /// The oldest buffered store to this cell reaches memory. The model must allow this now: under
    /// TSO and PGAS the store must be the head of the FIFO.
    Flush {
        /// The thread.
        thread: ThreadId,
        /// The cell.
        addr: Addr,
    },
    /// PSO and PGAS: the oldest lightweight fence leaves the buffer.
    Retire {
        /// The thread.
        thread: ThreadId,
    },
}

impl Step {
    /// The thread that executes, or whose item moves.
    pub fn thread(self) -> ThreadId {
        match self {
            Step::Execute { thread, .. }
            | Step::Advance { thread, .. }
            | Step::Flush { thread, .. }
            | Step::Retire { thread } => thread,
        }
    }

    /// The step with its thread and cell renamed.
    #[must_use]
    pub fn renamed(
        mut self,
        name: impl Fn(ThreadId) -> ThreadId,
        cell: impl Fn(Addr) -> Addr,
    ) -> Step {
        match &mut self {
            Step::Execute { thread, .. } | Step::Retire { thread } => *thread = name(*thread),
            Step::Advance { thread, addr } | Step::Flush { thread, addr } => {
                *thread = name(*thread);
                *addr = cell(*addr);
            }
        }
        self
    }
}

/// A configuration in which nothing is buffered, as properties see it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Halt {
    /// Each thread's location.
    pub locations: Vec<LocId>,
    /// Each thread's registers.
    pub registers: Vec<Vec<i32>>,
    /// The memory, by [`Addr::index`].
    pub memory: Vec<i32>,
}

/// The effect of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A store entered the buffer.
    Issue {
        /// The cell.
        addr: Addr,
        /// The value to be stored.
        value: i32,
    },
    /// A buffered store reached memory, or a store wrote memory immediately (under SC or in an
    /// atomic block).
    Flush {
        /// The cell.
        addr: Addr,
        /// Its new value.
        value: i32,
    },
    /// A load; `early` if it read from the thread's own buffer.
    Load {
        /// The cell.
        addr: Addr,
        /// The value read.
        value: i32,
        /// Whether the value came from the thread's own buffer.
        early: bool,
    },
    /// A locked instruction.
    Rmw {
        /// The cell.
        addr: Addr,
        /// The old value.
        old: i32,
        /// The new value.
        new: i32,
    },
    /// A fence was passed, or a lightweight one issued.
    Fence,
    /// A store moved from a per-address buffer to the FIFO.
    Advance {
        /// The cell.
        addr: Addr,
        /// The value to be stored.
        value: i32,
    },
    /// A lightweight fence left the buffer.
    Retire,
    /// Assignment, assume, assert, skip, nondet, beginning or end of an atomic block or of an access of
    /// several cells.
    Local,
}

/// A buffered item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Buffered {
    /// A store that has not reached memory.
    Store {
        /// The cell.
        addr: Addr,
        /// The value to be stored.
        value: i32,
    },
    /// A lightweight fence.
    Fence {
        /// The cells whose earlier stores it orders; empty means all cells.
        cells: Vec<Addr>,
    },
}

/// A step and its effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The step.
    pub step: Step,
    /// The instruction that caused it: for `Flush`, `Advance` and `Retire`, the one that issued the
    /// buffered item.
    pub site: Site,
    /// The effect.
    pub action: Action,
    /// The atomic block, or the access of several cells, that the step belongs to, beginning and end included. They are counted
    /// from 0 in the order in which they are entered.
    pub block: Option<u32>,
    /// What it changes in the buffer of its thread.
    pub buffer: BufferChange,
}

/// What a step changes in a buffer: the list of what its thread has issued, oldest first, that has not
/// reached memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BufferChange {
    /// Nothing. A store that advances keeps its place.
    Kept,
    /// This item is issued, and is the youngest.
    Entered(Buffered),
    /// The item at this place leaves.
    Left(usize),
}

/// The contents of all buffers along a computation. A [`Moment`] has only the change: with the contents,
/// evidence would grow with the product of its steps and what is buffered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Buffers(BTreeMap<ThreadId, Vec<Buffered>>);

impl Buffers {
    /// Goes on to after the next moment.
    ///
    /// # Panics
    ///
    /// If an item leaves that is not there: the moments were not taken in order.
    pub fn advance(&mut self, moment: &Moment) {
        let thread = moment.site.thread;
        match &moment.buffer {
            BufferChange::Kept => {}
            BufferChange::Entered(item) => self.0.entry(thread).or_default().push(item.clone()),
            BufferChange::Left(place) => {
                let items = self.0.get_mut(&thread).expect("an item was issued");
                items.remove(*place);
                if items.is_empty() {
                    self.0.remove(&thread);
                }
            }
        }
    }

    /// The items of a thread, oldest first.
    pub fn of(&self, thread: ThreadId) -> &[Buffered] {
        self.0.get(&thread).map_or(&[], Vec::as_slice)
    }

    /// The threads with items, and these, oldest first.
    pub fn occupied(&self) -> impl Iterator<Item = (ThreadId, &[Buffered])> {
        self.0
            .iter()
            .map(|(&thread, items)| (thread, items.as_slice()))
    }
}

/// A replayed computation.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Run {
    /// The memory model.
    pub model: Model,
    /// The steps.
    #[doc(hidden)]
    pub moments: Vec<Moment>,
    /// The configuration at the end. If the computation stops inside an atomic block, the memory
    /// does not include stores that other threads still buffer.
    #[doc(hidden)]
    pub end: Halt,
    /// The goals that it reaches: assertions that failed along the way, accesses outside shared
    /// memory that are a next instruction of some thread at the end, and properties decided by the
    /// end.
    pub reached: Vec<Goal>,
    /// Whether a search has shown that no execution that reaches the same goal has fewer steps. False if
    /// nothing was searched for.
    pub shortest: bool,
}

impl Run {
    /// The steps alone: what [`replay`] takes.
    #[doc(hidden)]
    pub fn steps(&self) -> Vec<Step> {
        self.moments.iter().map(|moment| moment.step).collect()
    }
}

/// Why a computation is not possible under the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayError {
    /// The index of the step that cannot be taken, or the number of steps if the computation may
    /// not stop where it ends.
    pub at: usize,
    /// The reason.
    pub message: String,
}

/// The result of an exhaustive exploration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exploration {
    /// The halting configurations in which all threads have ended.
    pub finals: BTreeSet<Halt>,
    /// The number of configurations visited.
    pub states: usize,
    /// Why the exploration is incomplete, or `None` if it is complete.
    pub incomplete: Option<Reason>,
}
