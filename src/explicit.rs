//! The step-by-step reference: store buffers as the papers draw them, and nothing clever.
//!
//! A configuration holds each thread's location and registers, the memory, and the buffers. One
//! step executes an instruction or moves a buffered store on. The rules are those of
//! [BDM13, Table 1] for TSO, extended by locked instructions and atomic blocks, and of
//! [DMS17, Fig. 3] for the store-atomic framework.
//!
//! * `buffer`, `machine`: the configuration and the questions about it;
//! * `rules`: how one follows another, each rule in one place;
//! * `replay`: a given computation, strictly, step by step;
//! * `happens_before`, `cycle`, `shape`: the trace of a replayed computation, its cycles and their names;
//! * `pack`, `explore`: every reachable configuration, unreduced;
//! * `reduce`, `check`: the same breadth first, with what need not be visited left out, and with
//!   a computation for each goal that is reached;
//! * `traces`: every computation with its trace, for cycles of happens-before.
//!
//! A thread that stands for any number of copies counts as one here; callers refuse such programs.
//!
//! **Invariant.** This room shares nothing with the SAT road but the program type. It is the second
//! opinion: every violation found elsewhere is replayed here before anybody sees it.

mod buffer;
mod check;
mod cycle;
mod explore;
mod happens_before;
mod machine;
mod pack;
mod reduce;
mod replay;
mod rules;
mod shape;
mod shorten;
mod traces;

pub use check::{Answers, check, check_all, check_all_with};
pub use explore::{explore, explore_halts};
pub use happens_before::{Edge, Event, EventId, HappensBefore, Relation};
pub use reduce::Reduction;
pub use replay::{Replay, replay};
pub use shape::Shape;
pub use shorten::{shorten, shorten_while};
pub use traces::cyclic;

use crate::model::Model;
use crate::program::{Addr, Goal, InstrId, LocId, Site, ThreadId};
use crate::verdict::Reason;
use std::collections::BTreeSet;

/// One step of a computation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// A thread executes an instruction; a store or lightweight fence is only issued by this.
    Execute {
        /// The thread.
        thread: ThreadId,
        /// The instruction; leaves the thread's location.
        instr: InstrId,
        /// The value that a `nondet` takes; absent for every other instruction.
        choice: Option<i32>,
    },
    /// PGAS only: the oldest store in the per-address buffer moves on to the FIFO of the thread
    /// ("advance buffer" in [DMS17, Fig. 3]).
    Advance {
        /// The thread.
        thread: ThreadId,
        /// The cell.
        addr: Addr,
    },
    /// A buffered store reaches memory: the oldest one to this cell. It must be one that the model
    /// lets go now: under TSO and PGAS the head of the FIFO.
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

/// What a step did, for people and for machines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A store entered the buffer.
    Issue {
        /// The cell.
        addr: Addr,
        /// The value to be stored.
        value: i32,
    },
    /// A buffered store reached memory, or (under SC, in an atomic block) a store did at once.
    Flush {
        /// The cell.
        addr: Addr,
        /// Its new value.
        value: i32,
    },
    /// A load; `early` if it was answered by the own buffer.
    Load {
        /// The cell.
        addr: Addr,
        /// The value read.
        value: i32,
        /// Whether the own buffer answered.
        early: bool,
    },
    /// A locked instruction.
    Rmw {
        /// The cell.
        addr: Addr,
        /// The value before.
        old: i32,
        /// The value after.
        new: i32,
    },
    /// A fence was passed, or a lightweight one issued.
    Fence,
    /// A store moved from a per-address buffer to the FIFO.
    Advance {
        /// The cell.
        addr: Addr,
        /// The value on its way.
        value: i32,
    },
    /// A lightweight fence left the buffer.
    Retire,
    /// Assignment, assume, assert, skip, nondet, begin or end of an atomic block.
    Local,
}

/// A buffered item, oldest first in [`Moment::buffers`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Buffered {
    /// A store on its way.
    Store {
        /// The cell.
        addr: Addr,
        /// The value on its way.
        value: i32,
    },
    /// A lightweight fence.
    Fence {
        /// The cells whose earlier stores it orders; empty means all.
        cells: Vec<Addr>,
    },
}

/// A step with what it did and what the buffers hold after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The step.
    pub step: Step,
    /// The instruction behind it: for `Flush`, `Advance` and `Retire`, the one that was issued.
    pub site: Site,
    /// What it did.
    pub action: Action,
    /// Which atomic block the step belongs to, its begin and end included; they are counted from 0
    /// in the order in which they are entered.
    pub block: Option<u32>,
    /// Each thread's buffered items after the step, oldest first.
    pub buffers: Vec<Vec<Buffered>>,
}

/// A replayed computation.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Run {
    /// The model under which it ran.
    pub model: Model,
    /// Step by step.
    #[doc(hidden)]
    pub moments: Vec<Moment>,
    /// The configuration at the end. Where the computation stops inside an atomic block, without
    /// what other threads then still buffer.
    #[doc(hidden)]
    pub end: Halt,
    /// The goals that it reaches: failed assertions on the way, an access outside shared memory
    /// as the next instruction of some thread at the end, properties decided by the end.
    pub reached: Vec<Goal>,
}

/// Why a computation is not one of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayError {
    /// The position of the step that cannot be taken, or the number of steps if the end is no
    /// halting configuration.
    pub at: usize,
    /// What forbids it.
    pub message: String,
}

/// What an exhaustive exploration found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exploration {
    /// The halting configurations in which all threads have ended.
    pub finals: BTreeSet<Halt>,
    /// How many configurations were visited.
    pub states: usize,
    /// Why the exploration is not complete, if it is not.
    pub incomplete: Option<Reason>,
}
