//! Switches: assumptions with a meaning outside the encoder.

use crate::facts::LoopId;
use crate::program::{FencePoint, Site, ThreadId};

/// An assumption with a meaning. Cores consist of switches.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Switch {
    /// Every store stays before later loads of its thread.
    KeepStoreLoad,
    /// Every store stays before later stores of its thread.
    KeepStoreStore,
    /// The executions of the first statement stay before those of the second.
    Order(Site, Site),
    /// At most this many pairs of the plan are free to be reordered; pairs that are kept in order
    /// are not counted [JK15, section 5].
    AtMost(usize),
    /// There is a fence here.
    Fence(FencePoint),
    /// Control does not return to the head of this loop more often than its bound allows.
    Frontier(ThreadId, LoopId),
}

impl Switch {
    /// The loop whose frontier it is.
    pub fn frontier(&self) -> Option<(ThreadId, LoopId)> {
        match self {
            Switch::Frontier(thread, id) => Some((*thread, *id)),
            Switch::KeepStoreLoad
            | Switch::KeepStoreStore
            | Switch::Order(..)
            | Switch::AtMost(_)
            | Switch::Fence(_) => None,
        }
    }

    /// Whether it excludes executions only to bound the search. A result without such a switch in
    /// its core holds beyond the bound.
    pub fn is_bound(&self) -> bool {
        match self {
            Switch::Frontier(..) | Switch::AtMost(_) => true,
            Switch::KeepStoreLoad
            | Switch::KeepStoreStore
            | Switch::Order(..)
            | Switch::Fence(_) => false,
        }
    }
}
