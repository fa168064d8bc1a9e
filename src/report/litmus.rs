//! The final states of a litmus test, in the format of herd7's output, which existing scripts parse.
//!
//! ```text
//! Test SB Allowed                       Allowed for exists, Required for forall, Forbidden for ~exists
//! States 4
//! 0:EAX=0; 1:EAX=0;                     registers by thread, then cells; states in ascending order
//! …
//! Ok                                    whether the quantified condition holds
//! Witnesses
//! Positive: 1 Negative: 3               final states that satisfy the proposition, and that do not
//! Condition exists (0:EAX=0 /\ 1:EAX=0)
//! Observation SB Sometimes 1 3
//! Model TSO                             our own line, after those that scripts parse
//! ```
//!
//! There is no `Hash=` line, since the hash is that of another tool's internal form. The numbers
//! count states, not executions.

#[cfg(feature = "cli")]
mod core;

#[cfg(feature = "cli")]
pub use core::core;

use crate::formats::{LitmusTest, Quantifier};
use crate::litmus::FinalStates;
use crate::model::Model;
use crate::program::Program;
use std::fmt::Write as _;

/// The block of lines, each terminated.
pub fn litmus(program: &Program, test: &LitmusTest, states: &FinalStates, model: Model) -> String {
    let mut out = String::new();
    let kind = match test.quantifier {
        Quantifier::Exists => "Allowed",
        Quantifier::NotExists => "Forbidden",
        Quantifier::ForAll => "Required",
    };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "Test {} {kind}\nStates {}", test.name, states.count());
    for values in states.values() {
        let parts: Vec<String> = test
            .named(values)
            .into_iter()
            .map(|(shown, value)| {
                let written = if shown.pointer {
                    address(program, value)
                } else {
                    value.to_string()
                };
                format!("{}={written};", shown.name)
            })
            .collect();
        let _ = writeln!(out, "{}", parts.join(" "));
    }
    let verdict = match states.holds(test.quantifier) {
        Some(true) => "Ok",
        Some(false) => "No",
        None => "Undecided",
    };
    let (positive, negative) = (states.positive(), states.negative());
    let _ = writeln!(
        out,
        "{verdict}\nWitnesses\nPositive: {positive} Negative: {negative}\nCondition {}",
        test.condition
    );
    out.push_str(&sentence(test, states));
    if let Some(reason) = &states.incomplete {
        let _ = writeln!(out, "Incomplete: there may be more states: {reason}");
    }
    let _ = writeln!(out, "Model {model}");
    out
}

/// The `Observation` line, terminated; empty if the observation is not decided.
pub(super) fn sentence(test: &LitmusTest, states: &FinalStates) -> String {
    let (name, positive, negative) = (&test.name, states.positive(), states.negative());
    match states.observation(test.quantifier) {
        Some(word) => format!("Observation {name} {word} {positive} {negative}\n"),
        None => String::new(),
    }
}

/// An address as litmus tests write it: the name of its cell.
fn address(program: &Program, value: i64) -> String {
    let cell = i32::try_from(value).ok();
    match cell.and_then(|value| program.cell_at(value)) {
        Some(cell) => program.cell_name(cell),
        None => value.to_string(),
    }
}
