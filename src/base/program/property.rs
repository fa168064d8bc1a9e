//! Properties of configurations, and the goals that engines search for.
//!
//! A text states properties; an engine decides whether a goal is reachable. Whether a reachable
//! goal is a violation depends on the kind of the property.

use super::{Addr, Expr, LocId, Origin, RegId, Site, ThreadId};

/// What a property's predicate can refer to in a halting configuration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Observable {
    /// The value of a register.
    Register(ThreadId, RegId),
    /// 1 if the thread is at the location, else 0.
    At(ThreadId, LocId),
    /// The value of a cell in memory, all buffers drained.
    Cell(Addr),
}

/// How a predicate is interpreted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PropertyKind {
    /// No reachable configuration satisfies it.
    Forbid,
    /// Every configuration where all threads have ended satisfies it.
    FinalAssert,
    /// Some configuration where all threads have ended satisfies it. It is reported as observed or
    /// not, and is never a violation.
    Exists,
    /// No reachable configuration that satisfies it is *stuck*: nothing is buffered, no thread is
    /// inside an atomic block, some thread has not ended, and each thread that has not ended *waits*.
    /// A thread waits if, run alone from here, it never changes memory and never ends, and it can go
    /// on forever. (One that has to stop at a false [`assume`](super::Op::Assume) is no execution at
    /// all, and does not wait.)
    Stuck,
    /// No configuration is reachable from which this thread waits forever, although others may act: in
    /// every halting configuration that is reachable from there it waits, in the same loop. (Two loops
    /// are the same if there is a location to which the thread keeps returning in both.)
    Starved(ThreadId),
}

impl PropertyKind {
    /// How a property of this kind begins in the native language.
    pub fn keyword(self) -> &'static str {
        match self {
            PropertyKind::Forbid => "forbid",
            PropertyKind::FinalAssert => "final assert",
            PropertyKind::Exists => "exists",
            PropertyKind::Stuck | PropertyKind::Starved(_) => "forbid stuck",
        }
    }

    /// Whether it forbids configurations in which a thread waits forever.
    pub fn is_about_waiting(self) -> bool {
        match self {
            PropertyKind::Stuck | PropertyKind::Starved(_) => true,
            PropertyKind::Forbid | PropertyKind::FinalAssert | PropertyKind::Exists => false,
        }
    }
}

/// A property of configurations. Properties inside threads are
/// [`Op::Assert`](super::Op::Assert) instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// How the predicate is interpreted.
    pub kind: PropertyKind,
    /// The predicate; true if not 0.
    pub predicate: Expr<Observable>,
    /// Where it was written.
    pub origin: Origin,
}

/// An event or a configuration that an execution may reach.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Goal {
    /// The `assert` at this site is reached with value 0.
    Assert(Site),
    /// The access at this site is reached with an address that is not a declared cell. The access
    /// is then not executed, and the thread halts there.
    Outside(Site),
    /// The property at this index of [`Program::properties`](super::Program::properties): its
    /// predicate is true in a halting configuration (`forbid`, `exists`), or false in one where all
    /// threads have ended (`final assert`), or some threads wait forever (`forbid stuck`).
    Property(usize),
}
