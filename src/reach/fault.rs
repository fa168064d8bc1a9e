//! What must never happen: a formula, a solver or a witness that contradicts what is known.
//!
//! Each of these is a defect of this program. The answer is withheld, for it would rest on the
//! defect; the command line ends with an exit code of its own.

use crate::trace::Mismatch;
use crate::verdict::{Defect, Stop};
use std::fmt;

/// Why an answer is withheld.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A computation that the formula claims is refused by the step-by-step reference.
    Replay(Mismatch),
    /// The events that are always ordered have a cyclic order, so that no execution satisfies the
    /// formula.
    Order,
    /// The formula has no execution at all, although the initial configuration is always reachable.
    NoExecution,
    /// The proof of a "no" is refused, or there is a model after all; says which.
    Proof(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Replay(mismatch) => mismatch.fmt(f),
            Fault::Order => write!(f, "the encoding orders events in a circle"),
            Fault::NoExecution => write!(f, "the encoding has no execution at all"),
            Fault::Proof(why) => write!(f, "a proof was not confirmed: {why}"),
        }
    }
}

impl std::error::Error for Fault {}

impl From<Fault> for Defect {
    fn from(fault: Fault) -> Self {
        Defect::new(fault)
    }
}

impl From<Stop<Fault>> for Stop {
    fn from(stop: Stop<Fault>) -> Self {
        match stop {
            Stop::Cancelled => Stop::Cancelled,
            Stop::Defect(fault) => Stop::Defect(fault.into()),
        }
    }
}

impl From<Mismatch> for Fault {
    fn from(mismatch: Mismatch) -> Self {
        Fault::Replay(mismatch)
    }
}
