//! The engines that model every store buffer: which goals of a program are reachable?
//!
//! The choice of engine affects the cost and never the meaning: every engine decides the same
//! relation. Every violation is replayed by the step-by-step reference before it leaves this
//! module.
//!
//! ```text
//! Program, Model, goals ──▶ engine ──steps──▶ replay ──▶ one answer per goal
//! ```
//!
//! To add an engine: write its module, name it in [`Engine`], add a [`Row`] to a table of
//! [`Engines`], and a line to the [entrants](crate::race::ENTRANTS) of the race that `auto` is.
//!
//! **Absent.** The lazy engine, which runs these engines under SC. It is a separate layer above
//! this one, and its row is in the table of `check`.

mod automatic;
mod bounded;
mod explicit;
mod inductive;
mod limits;
mod table;

pub(crate) use crate::problem::{
    Answer, Answered, Found, GoalShown, Problem, Steps, is_observation, reaches, replayed,
};
pub use crate::problem::{
    Attempt, CheckOptions, End, Engine, Extension, GoalAnswer, LazyHistory, QueryCost, Round,
    Stats, Until, Vacuity,
};
pub(crate) use bounded::{BMC, DEEPEST, SHALLOW};
pub(crate) use explicit::EXPLICIT;
pub(crate) use inductive::IC3;
pub(crate) use limits::{Limits, limits};
pub(crate) use table::{BUFFERED, Engines, Row};

use crate::reach;

impl From<reach::Effort> for Stats {
    fn from(effort: reach::Effort) -> Self {
        Stats {
            queries: Some(effort.queries),
            variables: Some(effort.variables as u64),
            clauses: Some(effort.clauses as u64),
            ..Stats::default()
        }
    }
}

/// Why programs with threads in any number of copies are not checked.
pub(crate) const PARAMETRIC: &str = "threads with any number of copies (`[*]`) are not decided by one engine: declare a number of copies, \
     as in `[3]`";
