//! What an assumption means to those above the encoder.

use crate::analysis::LoopId;
use crate::program::{FencePoint, Site, ThreadId};

/// An assumption with a meaning. Answers name the ones they needed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Switch {
    /// Every store stays before later loads of its thread.
    KeepStoreLoad,
    /// Every store stays before later stores of its thread.
    KeepStoreStore,
    /// The executions of the first statement stay before those of the second.
    Order(Site, Site),
    /// At most so many pairs of the plan are free to be reordered, those that are kept in order not
    /// counted [JK15, section 5].
    AtMost(usize),
    /// A fence stands here.
    Fence(FencePoint),
    /// Nobody returns to the head of this loop more often than it is granted.
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

    /// Whether it leaves out executions only for the sake of the search. An answer without such a
    /// switch in its core holds beyond the bound.
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
