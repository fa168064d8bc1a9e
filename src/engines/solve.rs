//! SAT solving: sessions, cores, proofs.
//!
//! A [`Session`] holds one formula that only grows, and answers any number of queries about it. A
//! query is a set of assumptions.
//!
//! ```text
//!   encode ──clauses──▶ Session ──▶ log of clauses ──on a query──▶ varisat | CaDiCaL
//!          ─assumptions▶   │                                              │
//!          ◀──answer───   └──◀── core, checked by a second call ◀── verdict, raw core
//! ```
//!
//! **Invariant.** No core leaves this module unless a solver call under exactly that core has
//! confirmed it. This holds for every solver. varisat 0.2.2 sometimes returns wrong cores, after
//! the first core of a single literal, while its verdicts and models are right; `agree.rs` keeps
//! the sequences that show it.
//!
//! **Invariant.** The same calls give the same answers: no clock, no randomness, no iteration over
//! a hash map. Only *whether* a raised stop flag takes effect before an answer depends on time.
//!
//! **Absent.** Other modules do not name a solver and never see a raw core. Clauses cannot be
//! removed: retire an activation literal by a unit clause, and start a new session after some
//! hundreds of those. The number of conflicts is not reported, since neither solver's interface
//! exposes it. A session stays in the thread that created it: varisat's solver is not `Send`.

#![allow(clippy::doc_markdown, reason = "CaDiCaL is a name, not an identifier")]

#[cfg(test)]
mod agree;
mod backend;
#[cfg(feature = "cadical")]
mod cadical;
mod certify;
mod cheapest;
mod clauses;
#[cfg(test)]
pub(crate) mod liar;
#[cfg(test)]
mod limits;
mod outside;
mod session;
mod varisat;

pub use certify::{CertifyError, certify, drat};
pub use cheapest::{Cheapest, Choice};
pub use clauses::Clauses;
pub use session::Session;

use rustsat::types::Lit;
use std::fmt;
use std::str::FromStr;

/// A SAT solver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum SolverKind {
    /// varisat: pure Rust, always available.
    #[default]
    Varisat,
    /// CaDiCaL: as fast on easy queries, 5 to 16 times faster on hard refutations.
    #[cfg(feature = "cadical")]
    Cadical,
}

impl SolverKind {
    /// Every solver in this build, the default one first.
    pub const ALL: &[SolverKind] = &[
        SolverKind::Varisat,
        #[cfg(feature = "cadical")]
        SolverKind::Cadical,
    ];

    /// The name on the command line.
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

/// No solver in this build has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownSolver {
    name: String,
}

impl fmt::Display for UnknownSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown solver `{}`", self.name)?;
        if self.name == "cadical" {
            write!(f, " (this build does not have the feature `cadical`)")?;
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

/// The result of a query: is the formula satisfiable under the assumptions?
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverAnswer {
    /// There is a model; [`Session::value`] reads it.
    Sat,
    /// There is no model, and these assumptions suffice for that: a confirmed core.
    ///
    /// The core is a subset of the assumptions given, in the order given, without duplicates. It
    /// need not be minimal. An empty core means that the formula itself is unsatisfiable.
    Unsat(Vec<Lit>),
    /// Not known: the stop flag was raised first, or the solver broke down twice on this query
    /// ([`SessionStats::breakdowns`] distinguishes the two).
    Stopped,
}

/// Counters of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SessionStats {
    /// Queries by the caller.
    pub queries: u64,
    /// Further solver calls, made to confirm or repair cores.
    pub checks: u64,
    /// Cores returned by the solver that were wrong and had to be repaired.
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
    fn an_unknown_solver_is_rejected_with_a_list_of_the_known_ones() {
        let error = "minisat".parse::<SolverKind>().expect_err("not a solver");
        let text = error.to_string();
        assert!(
            text.starts_with("unknown solver `minisat`; available: varisat"),
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
