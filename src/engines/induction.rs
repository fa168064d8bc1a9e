//! Induction: proofs for all executions under SC by an invariant that a SAT solver finds.
//!
//! The procedure is IC3, also called PDR [Bradley11, EMB11]. It never unrolls the program. It keeps
//! *frames*: frame `i` is a set of clauses that every state satisfies that is reached in up to `i`
//! steps. A state that leads to a goal is blocked by a clause that excludes it and as many similar
//! states as possible, and for which the clauses of the frame before it suffice. When two frames are
//! equal, their clauses are an *inductive invariant*.
//!
//! ```text
//!   Program ─stops─▶ macro-steps ─system─▶ gates ─frames─▶ invariant ─verify─▶ three proofs
//!                                                └─▶ path of states ─trace─▶ steps, to be replayed
//! ```
//!
//! It pays off where private or wide data multiply the configurations but do not matter: the clauses
//! do not mention them. Where each configuration matters, the explicit engine is much faster.
//!
//! **Invariant.** No invariant leaves this module whose initiation, consecution and safety three
//! separate queries have not shown, in fresh sessions, each with a proof that a checker has followed.
//!
//! **Absent.** Weak memory models: robustness is a query about derived programs under SC, and a robust
//! program does nothing else. Replay: callers replay the steps that are returned. k-induction, which
//! proved none of the programs that it was tried on.

mod frames;
mod generalise;
mod invariant;
mod search;
mod solver;
mod stops;
mod system;
mod trace;
mod verify;
mod walk;

pub use invariant::{Excluded, Invariant, Part, StopSet};
pub(crate) use search::Aside;
pub use search::{Finding, Search};

use crate::program::{Addr, RegId, ThreadId};

/// What a variable of the transition system stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Subject {
    /// Where the thread is.
    Thread(ThreadId),
    /// The value of a register.
    Register(ThreadId, RegId),
    /// The value of a cell.
    Cell(Addr),
}

/// Why there is no transition system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The program is not supported; the text gives the reason.
    Unsupported(String),
    /// The stop flag was raised first.
    Stopped,
}
