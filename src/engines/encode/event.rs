//! Events: the instructions of a thread that take part in the memory order.

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

/// The kind of an event: how it takes part in the order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum EventKind {
    /// Reads memory or the thread's own buffer.
    Load,
    /// Writes memory at some later time.
    Store,
    /// A locked instruction: reads and writes in one step. No event of its thread is reordered
    /// across it.
    Rmw,
    /// A full fence, or an atomic block as a whole. No event of its thread is reordered across it.
    Full,
    /// As `Full`, and no store of another thread is buffered at this point.
    Barrier,
    /// Stores to these cells before it stay before stores after it.
    Light(Vec<Addr>),
}

/// The address of an access: the cells that it may access, each with the literal of "it is this
/// one".
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
    pub(crate) fn cells(&self) -> impl Iterator<Item = Addr> + Clone {
        self.0.iter().map(|&(cell, _)| cell)
    }

    /// Whether some cell is in both.
    pub(crate) fn meets(&self, other: &Address) -> bool {
        self.cells()
            .any(|cell| other.0.iter().any(|&(addr, _)| addr == cell))
    }
}

/// One copy of an instruction, as an event of the memory order.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// The thread.
    pub(crate) thread: ThreadId,
    /// The instruction; `None` for a fence that a switch inserts.
    pub(crate) instr: Option<InstrId>,
    /// Its kind.
    pub(crate) kind: EventKind,
    /// True if it is executed.
    pub(crate) guard: Lit,
    /// Its node in the order. All events of an atomic block share one node.
    pub(crate) node: NodeId,
    /// Whether it is an access inside an atomic block.
    pub(crate) inside: bool,
    /// The copy before it.
    pub(crate) from: usize,
    /// The copy after it. A fence that a switch inserts is at a copy, which is before and after it.
    pub(crate) to: usize,
    /// Whether it is the fence after a store that a switch makes an exchange. It is at the copy where
    /// the store leads to, before the fences of that copy.
    pub(crate) trails: bool,
    /// The address, for accesses.
    pub(crate) address: Option<Address>,
    /// The value read, if any.
    pub(crate) read: Option<Bits>,
    /// The value written, if any.
    pub(crate) write: Option<Bits>,
    /// For a read: its thread's own stores, such that on each path to the read one of them is the
    /// last own store to the cell. `None` if some path may have no such store, or if the cell is
    /// not fixed.
    pub(crate) own: Option<Vec<EventId>>,
}

impl Event {
    /// Whether it is a store that goes through the buffer.
    pub(crate) fn is_buffered(&self) -> bool {
        self.kind == EventKind::Store && !self.inside
    }
}
