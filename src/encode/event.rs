//! Events: what of a thread's instructions the order of memory knows.

use crate::cnf::{Bits, Cnf, NodeId};
use crate::program::{Addr, InstrId, ThreadId};
use rustsat::types::Lit;
use std::fmt;

/// An event of an encoding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EventId(pub(crate) u32);

impl EventId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{}", self.0)
    }
}

/// How an event takes part in the order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Reads memory or the own buffer.
    Load,
    /// Writes memory at some later time.
    Store,
    /// A locked instruction: reads and writes in one step, nothing of its thread crosses it.
    Rmw,
    /// Nothing of its thread crosses it: a full fence, or an atomic block as a whole.
    Full,
    /// As `Full`, and no store of another thread is under way at it.
    Barrier,
    /// Stores to these cells before it stay before stores after it.
    Light(Vec<Addr>),
}

/// Where an access goes: the cells it may touch, each with the literal of "this one".
#[derive(Clone, Debug)]
pub(crate) struct Address(pub(crate) Vec<(Addr, Lit)>);

impl Address {
    /// The literal of "the access is to this cell".
    pub(crate) fn at(&self, cell: Addr) -> Lit {
        self.0
            .binary_search_by_key(&cell, |&(addr, _)| addr)
            .map_or(Cnf::FALSE, |index| self.0[index].1)
    }

    /// The cell, if there is only one.
    pub(crate) fn fixed(&self) -> Option<Addr> {
        match self.0[..] {
            [(cell, Cnf::TRUE)] => Some(cell),
            _ => None,
        }
    }

    /// The cells.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Addr> {
        self.0.iter().map(|&(cell, _)| cell)
    }

    /// Whether some cell is in both.
    pub(crate) fn meets(&self, other: &Address) -> bool {
        self.cells()
            .any(|cell| other.0.iter().any(|&(addr, _)| addr == cell))
    }
}

/// One copy of an instruction, as the order of memory sees it.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// The thread.
    pub(crate) thread: ThreadId,
    /// The instruction; absent for a fence that a switch puts before a location's instructions.
    pub(crate) instr: Option<InstrId>,
    /// How it takes part.
    pub(crate) kind: Kind,
    /// True where it is executed.
    pub(crate) guard: Lit,
    /// Its place in the order. All events of an atomic block share one.
    pub(crate) node: NodeId,
    /// Whether it is an access inside an atomic block.
    pub(crate) inside: bool,
    /// The copy before it.
    pub(crate) from: usize,
    /// The copy after it.
    pub(crate) to: usize,
    /// Where it goes, for accesses.
    pub(crate) address: Option<Address>,
    /// What it reads.
    pub(crate) read: Option<Bits>,
    /// What it writes.
    pub(crate) write: Option<Bits>,
    /// For a read: the own stores of which each path to it has one as its last store to the cell.
    /// Absent if some path may have none, or if the cell is not fixed.
    pub(crate) own: Option<Vec<EventId>>,
}

impl Event {
    /// Whether it is a store that passes through the buffer.
    pub(crate) fn is_buffered(&self) -> bool {
        self.kind == Kind::Store && !self.inside
    }
}
