//! What the source language promises about the order of each instruction.
//!
//! A program of automata has no data races: each access is one step. The language that it was written
//! in may allow compilers to reorder or merge some of its accesses. Whether the text has races in the
//! sense of that language depends on the orders that its operations ask for.

use super::{Program, Site};

/// The order that an instruction guarantees with other accesses of its thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ordering {
    /// An access that compilers may reorder, merge or repeat.
    Plain,
    /// An access that is executed as written, but orders no other one.
    Relaxed,
    /// It stays before later accesses.
    Acquire,
    /// It stays after earlier accesses.
    Release,
    /// Both.
    AcqRel,
}

impl Ordering {
    /// Whether later accesses stay after it.
    pub fn acquires(self) -> bool {
        match self {
            Ordering::Acquire | Ordering::AcqRel => true,
            Ordering::Plain | Ordering::Relaxed | Ordering::Release => false,
        }
    }

    /// Whether earlier accesses stay before it.
    pub fn releases(self) -> bool {
        match self {
            Ordering::Release | Ordering::AcqRel => true,
            Ordering::Plain | Ordering::Relaxed | Ordering::Acquire => false,
        }
    }
}

/// A program with the orders of its instructions.
///
/// A fence of the language that no machine needs is a step that does nothing, with an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ordered {
    /// The program.
    pub program: Program,
    /// The order of each instruction, by thread and instruction.
    pub orderings: Vec<Vec<Ordering>>,
}

impl Ordered {
    /// The order of an instruction.
    pub fn ordering(&self, site: Site) -> Ordering {
        self.orderings[site.thread.index()][site.instr.index()]
    }
}
