//! What is asked about a program: properties of configurations, and goals.
//!
//! A property is what a text states, a goal what an engine can be asked: can this happen? Whether
//! the answer is good news depends on the property's kind.

use super::{Addr, Expr, LocId, Origin, RegId, Site, ThreadId};

/// What a property's predicate can look at in a halting configuration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Observable {
    /// The value of a register.
    Register(ThreadId, RegId),
    /// 1 if the thread is at the location, else 0.
    At(ThreadId, LocId),
    /// The value of a cell in memory, all buffers drained.
    Cell(Addr),
}

/// How a predicate is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PropertyKind {
    /// No reachable configuration satisfies it.
    Forbid,
    /// Every configuration where all threads have ended satisfies it.
    FinalAssert,
    /// Some configuration where all threads have ended satisfies it: an observation, reported
    /// as observed or not, and never a violation.
    Exists,
}

/// A property of configurations. Properties inside threads are
/// [`Op::Assert`](super::Op::Assert) instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// How the predicate is meant.
    pub kind: PropertyKind,
    /// The predicate; true where not 0.
    pub predicate: Expr<Observable>,
    /// Where it was written.
    pub origin: Origin,
}

/// One question about a program: can this happen?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Goal {
    /// The `assert` at this site is reached with value 0.
    Assert(Site),
    /// The access at this site is reached with an address that is no declared cell. The access
    /// is not executed then: the thread halts there.
    Outside(Site),
    /// The property of this position in [`Program::properties`](super::Program::properties)
    /// decides: its predicate is true in a halting configuration (`forbid`, `exists`), or false in
    /// one where all threads have ended (`final assert`).
    Property(usize),
}
