//! What the source language promises about the order of each instruction.
//!
//! A program of automata has no data races: each access is one step. The language that it was written
//! in may allow compilers to reorder or merge some of its accesses. Whether the text has races in the
//! sense of that language depends on the orders that its operations ask for.

use super::{Addr, Program, Site};
use std::collections::{BTreeMap, BTreeSet};

/// The order that an instruction guarantees with other accesses of its thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ordering {
    /// An access that compilers may reorder, merge or repeat.
    Plain,
    /// A step of an operation of a library that promises nothing: it is not even seen by fences.
    Hidden,
    /// An access that is executed as written, but orders no other one.
    Relaxed,
    /// The same, volatile or by `READ_ONCE` and its kind: compilers also keep the order of a load and of
    /// what depends on it, as the kernel's memory model asks for.
    Once,
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
            Ordering::Plain
            | Ordering::Hidden
            | Ordering::Relaxed
            | Ordering::Once
            | Ordering::Release => false,
        }
    }

    /// Whether earlier accesses stay before it.
    pub fn releases(self) -> bool {
        match self {
            Ordering::Release | Ordering::AcqRel => true,
            Ordering::Plain
            | Ordering::Hidden
            | Ordering::Relaxed
            | Ordering::Once
            | Ordering::Acquire => false,
        }
    }
}

/// What an access is in the text, where the instruction is of another kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// A store, which machines execute as a locked exchange: it reads nothing.
    Store,
    /// A read-modify-write, of which the instruction is the store; an atomic block has the load, too.
    Update,
}

/// A cell on which plain accesses may conflict with those of other threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspect {
    /// The cell.
    pub cell: Addr,
    /// Two accesses that may conflict.
    pub pair: [Site; 2],
    /// All instructions that may access the cell.
    pub sites: Vec<Site>,
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
    /// The orders of compare-exchanges that fail: they only load.
    pub failures: BTreeMap<Site, Ordering>,
    /// The accesses that are written as something else than the instruction.
    pub written: BTreeMap<Site, Written>,
    /// What is certain before each instruction, by thread and instruction.
    pub contexts: Vec<Vec<Context>>,
    /// The number of each thread.
    pub numbers: Vec<usize>,
    /// By number: the number of the thread that creates this one, if it waits for that.
    pub creators: Vec<Option<usize>>,
}

/// What is certain where control is in a thread, on all paths.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Context {
    /// The locks that the thread holds, and whether no other thread can hold the same one.
    pub locks: BTreeSet<(i64, bool)>,
    /// The threads that have ended.
    pub joined: BTreeSet<usize>,
    /// The threads that it may have created. All others do not run yet, if it is their creator.
    pub created: BTreeSet<usize>,
}

impl Ordered {
    /// The order of an instruction.
    pub fn ordering(&self, site: Site) -> Ordering {
        self.orderings[site.thread.index()][site.instr.index()]
    }

    /// Whether one of two instructions of different threads certainly happens before the other:
    /// because of a lock, or of the beginning or end of a thread.
    pub fn is_ordered(&self, a: Site, b: Site) -> bool {
        let context = |site: Site| &self.contexts[site.thread.index()][site.instr.index()];
        let number = |site: Site| self.numbers[site.thread.index()];
        let outside = |one: Site, other: Site| {
            let before = self.creators[number(other)] == Some(number(one))
                && !context(one).created.contains(&number(other));
            before || context(one).joined.contains(&number(other))
        };
        let locked = context(a).locks.iter().any(|&(lock, alone)| {
            let other = &context(b).locks;
            other.contains(&(lock, true)) || alone && other.contains(&(lock, false))
        });
        locked || outside(a, b) || outside(b, a)
    }
}
