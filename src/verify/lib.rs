//! The checker of certificates: small, separate, and meant to be read.
//!
//! A certificate claims that a program is safe, robust, or repaired as cheaply as possible, and brings the
//! evidence along (the module `certificate` of `fencepost` makes them). This module believes nothing of it. It
//! has its own reader of the automaton form, its own step functions of the memory models, and its own
//! check of each kind of evidence:
//!
//! ```text
//!   text ──▶ program ──▶ machine: buffers, step by step      ◀── closed set: the goals are unreachable
//!               │   └──▶ witness: one thread delays stores   ◀── closed set: no attack has a witness
//!               │                 the same two, seen by copies ◀── views: … with any number of copies
//!               ├──────▶ fixed: pairs that no attack can use (nothing to bring along)
//!               └──────▶ run: a computation, step by step    ◀── no set without these fences suffices
//! ```
//!
//! To trust an answer, read this module and believe that the printed automaton is the program, and for
//! robustness the theorem that one delaying thread is enough [BDM13, Theorem 1], [DMS17, Theorem 1]. A
//! leaf of another kind is one more module and one more row of `leaves::KINDS`.
//!
//! **Invariant.** Nothing here uses another crate of Fencepost: the standard library and `serde_json`
//! only. No input makes it panic, or takes memory or time without bound.

mod attack;
mod closed;
mod codec;
mod copies;
mod envelope;
mod expr;
mod fence;
mod inductive;
mod json;
mod leaves;
mod machine;
mod optimal;
mod places;
mod program;
mod refuted;
mod run;
mod rup;
mod text;
mod views;

pub use attack::Witness;
pub use closed::{System, encoded};
pub use codec::{number_string, pack, strings};
pub use envelope::{Claim, Verified, is_same_program, verify};
pub use fence::{cheaper, cut_of};
pub use leaves::{Evidence, check_invariant};
pub use machine::{Buffer, Cells, Config, Item, Leaving, Machine, Model, Step};
pub use places::useful;
pub use program::Program;
pub use run::Replayed;
pub use rup::{Refuted, refutes};
pub use views::{Family, MOST_COPIES, Moves, Needs, Packed, Stepper, multisets};

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It is no certificate that can be read.
    Unreadable(String),
    /// It can be read, and does not prove what it claims.
    Refuted(String),
}

impl Refusal {
    /// A certificate that does not prove its claim, for this reason.
    fn refuted(why: impl Into<String>) -> Self {
        Refusal::Refuted(why.into())
    }

    /// A certificate that cannot be read, for this reason.
    fn unreadable(why: impl Into<String>) -> Self {
        Refusal::Unreadable(why.into())
    }
}
