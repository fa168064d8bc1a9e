//! Findings: the result of analysing a program, or the expected result, as a value.

use crate::formats::{Expectation, ExpectationKind, Outcome};
use crate::verdict::Reason;
use std::fmt;

/// The result that an expectation refers to, either stated in the file or found. `Display` prints
/// it as the file would state it, if it can.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// No result: the line describes what the file is about.
    Nothing,
    /// The verdict on the program's properties.
    Check(Outcome),
    /// Whether the program is robust, or the predicate is observed.
    Answer(bool),
    /// The answer is no, but only within bounds, where an answer for all executions is expected.
    Within,
    /// The number of feasible attacks, and of all candidates.
    Attacks {
        /// The feasible ones.
        feasible: usize,
        /// All.
        candidates: usize,
    },
    /// The least cost of fences. If places are stated, fences there have this cost.
    Cost(u64),
    /// The least cost of fences, at other places than the stated ones.
    CostElsewhere(u64),
    /// Fences of this cost suffice, but cheaper ones may exist, or they suffice within bounds only.
    CostAtMost(u64),
    /// No fences help.
    NoFences,
    /// An error message with this text.
    Error(String),
    /// These error messages, none of which contains the stated text.
    OtherErrors(Vec<String>),
    /// There is no program.
    NoProgram,
    /// Undecided, for this reason.
    Open(Reason),
}

impl Finding {
    /// What an expectation states.
    pub fn expected(expectation: &Expectation) -> Self {
        match &expectation.kind {
            ExpectationKind::About(_) => Finding::Nothing,
            ExpectationKind::Check(_, outcome) => Finding::Check(*outcome),
            ExpectationKind::Robust(_, yes) | ExpectationKind::Observed(_, _, yes) => {
                Finding::Answer(*yes)
            }
            ExpectationKind::Attacks {
                feasible,
                candidates,
                ..
            } => Finding::Attacks {
                feasible: *feasible as usize,
                candidates: *candidates as usize,
            },
            ExpectationKind::Fence { cost, .. } => {
                cost.map_or(Finding::NoFences, |cost| Finding::Cost(cost.into()))
            }
            ExpectationKind::Error(text) => Finding::Error(text.clone()),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Nothing | Finding::Check(Outcome::Nothing) => f.write_str("nothing"),
            Finding::Check(Outcome::Holds) => f.write_str("holds"),
            Finding::Check(Outcome::Within) | Finding::Within => f.write_str("within"),
            Finding::Check(Outcome::Violated) => f.write_str("violated"),
            Finding::Answer(true) => f.write_str("yes"),
            Finding::Answer(false) => f.write_str("no"),
            Finding::Attacks {
                feasible,
                candidates,
            } => write!(f, "{feasible}/{candidates}"),
            Finding::Cost(cost) => write!(f, "cost {cost}"),
            Finding::CostElsewhere(cost) => write!(f, "cost {cost}, at other places"),
            Finding::CostAtMost(cost) => write!(f, "cost {cost} at most"),
            Finding::NoFences => f.write_str("none"),
            Finding::Error(text) => write!(f, "an error with `{text}`"),
            Finding::OtherErrors(messages) if messages.is_empty() => f.write_str("no errors"),
            Finding::OtherErrors(messages) => f.write_str(&messages.join("; ")),
            Finding::NoProgram => f.write_str("no program"),
            Finding::Open(reason) => write!(f, "unknown: {reason}"),
        }
    }
}
