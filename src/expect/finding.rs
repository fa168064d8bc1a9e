//! What is found of a program, or expected of it, as a value.

use crate::formats::{Expectation, ExpectationKind, Outcome};
use crate::verdict::Reason;
use std::fmt;

/// The result of what an expectation asks: stated in the file, or found. Prints as the file would
/// state it, where it can.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// There is nothing to find: the line says what the file is about.
    Nothing,
    /// The verdict on the program's properties.
    Check(Outcome),
    /// Whether it is so: robust, observed.
    Answer(bool),
    /// No, within bounds only, of what is expected to be answered for all executions.
    Within,
    /// How many attacks are feasible, of how many.
    Attacks {
        /// The feasible ones.
        feasible: usize,
        /// All.
        candidates: usize,
    },
    /// The least cost of fences, which may be at the places that were stated, if any were.
    Cost(u64),
    /// The least cost, of fences at other places than those that were stated.
    CostElsewhere(u64),
    /// Fences of this cost suffice; there may be cheaper ones, or they suffice within bounds only.
    CostAtMost(u64),
    /// No fences help.
    NoFences,
    /// An error message with this text.
    Error(String),
    /// These error messages, none of which has the text that was stated.
    OtherErrors(Vec<String>),
    /// No program.
    NoProgram,
    /// No answer, for this reason.
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
            Finding::Nothing => f.write_str("nothing"),
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
