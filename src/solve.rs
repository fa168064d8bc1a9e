//! Questions to a SAT solver: sessions, cores, proofs.
//!
//! A [`Session`] holds one formula that only grows, and answers any number of questions about it.
//! A question is a set of assumptions.
//!
//! ```text
//!   encode ──clauses──▶ Session ──▶ log of clauses ──when asked──▶ varisat | CaDiCaL
//!          ─assumptions▶   │                                              │
//!          ◀──answer───   └──◀── core, checked by a second call ◀── verdict, raw core
//! ```
//!
//! **Invariant.** No core leaves this room that a call under exactly that core has not confirmed,
//! whichever solver made it. varisat 0.2.2 returns wrong cores now and then, after the first core
//! of a single literal, while its verdicts and models are right; `agree.rs` keeps the sequences
//! that show it.
//!
//! **Invariant.** Same calls, same answers: no clock, no randomness, no iteration over a hash map.
//! Only *whether* a raised stop flag comes before an answer depends on time.
//!
//! **Absent.** Other rooms do not name a solver, and none sees a raw core. There is no removal of
//! clauses: retire an activation literal by a unit clause, and start a new session after some
//! hundreds of those. The number of conflicts is not reported, since neither solver's interface
//! tells it. A session stays in the thread that made it: varisat's solver is not `Send`.

#![allow(clippy::doc_markdown, reason = "CaDiCaL is a name, not an identifier")]

#[cfg(test)]
mod agree;
#[cfg(feature = "cadical")]
mod cadical;
mod certify;
mod cheapest;
mod clauses;
mod engine;
#[cfg(test)]
pub(crate) mod liar;
#[cfg(test)]
mod limits;
mod session;
mod varisat;

pub use certify::{CertifyError, certify, drat};
pub use cheapest::{Cheapest, Choice};
pub use clauses::Clauses;
pub use session::Session;

use rustsat::types::Lit;
use std::fmt;
use std::str::FromStr;

/// Which solver answers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum SolverKind {
    /// varisat: pure Rust, always there.
    #[default]
    Varisat,
    /// CaDiCaL: equal on easy questions, 5 to 16 times faster on hard refutations.
    #[cfg(feature = "cadical")]
    Cadical,
}

impl SolverKind {
    /// Every solver that this build has, the default one first.
    pub const ALL: &[SolverKind] = &[
        SolverKind::Varisat,
        #[cfg(feature = "cadical")]
        SolverKind::Cadical,
    ];

    /// The name that a person types.
    pub fn name(self) -> &'static str {
        match self {
            SolverKind::Varisat => "varisat",
            #[cfg(feature = "cadical")]
            SolverKind::Cadical => "cadical",
        }
    }
}

impl fmt::Display for SolverKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name is of no solver in this build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownSolver {
    name: String,
}

impl fmt::Display for UnknownSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no solver `{}`", self.name)?;
        if self.name == "cadical" {
            write!(f, " in this build (it needs the feature `cadical`)")?;
        }
        let names: Vec<&str> = SolverKind::ALL.iter().map(|kind| kind.name()).collect();
        write!(f, "; available: {}", names.join(", "))
    }
}

impl std::error::Error for UnknownSolver {}

impl FromStr for SolverKind {
    type Err = UnknownSolver;

    fn from_str(name: &str) -> Result<Self, UnknownSolver> {
        let known = SolverKind::ALL.iter().find(|kind| kind.name() == name);
        known.copied().ok_or_else(|| UnknownSolver {
            name: name.to_owned(),
        })
    }
}

/// What a solver says about the formula under assumptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model, and [`Session::value`] reads it.
    Sat,
    /// There is none, and these assumptions already suffice for that: a confirmed core.
    ///
    /// The core is a subset of the assumptions given, in the order given, without duplicates. It
    /// need not be minimal. An empty core: the formula has no model at all.
    Unsat(Vec<Lit>),
    /// Not known: the stop flag came first, or the solver broke down twice on this question
    /// ([`Stats::breakdowns`] tells which).
    Stopped,
}

/// What a session has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Questions of the caller.
    pub queries: u64,
    /// Further calls of the solver, made to confirm, repair or minimise cores.
    pub checks: u64,
    /// Cores of the solver that were none and had to be repaired.
    pub repaired_cores: u64,
    /// Panics inside the solver, after which it was rebuilt.
    pub breakdowns: u64,
    /// Variables: one more than the largest index in a clause.
    pub variables: usize,
    /// Clauses added.
    pub clauses: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_solver_is_found_by_its_name() {
        for &kind in SolverKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let error = "minisat".parse::<SolverKind>().expect_err("not a solver");
        let text = error.to_string();
        assert!(
            text.starts_with("there is no solver `minisat`; available: varisat"),
            "{text}"
        );
    }

    #[test]
    #[cfg(not(feature = "cadical"))]
    fn a_solver_left_out_of_the_build_is_named_as_such() {
        let error = "cadical".parse::<SolverKind>().expect_err("not built");
        assert!(error.to_string().contains("feature `cadical`"));
    }
}
