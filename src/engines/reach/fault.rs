//! Internal faults: a formula, a solver or a witness that contradicts a known fact.
//!
//! Each of these is a defect of Fencepost. The result is withheld, because it would depend on the
//! defect; the command line has a separate exit code for this.

use crate::trace::Mismatch;
use crate::verdict::Defect;
use std::fmt;

/// Why a result is withheld.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The step-by-step reference rejects a computation that the formula claims.
    Replay(Mismatch),
    /// The unconditional order of events has a cycle, so no execution satisfies the formula.
    Order,
    /// The formula has no execution at all, although the initial configuration is always reachable.
    NoExecution,
    /// The proof of a "no" is rejected, or there is a model after all; the text says which.
    Proof(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Replay(mismatch) => mismatch.fmt(f),
            Fault::Order => write!(f, "the encoding orders events cyclically"),
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

impl From<Mismatch> for Fault {
    fn from(mismatch: Mismatch) -> Self {
        Fault::Replay(mismatch)
    }
}
