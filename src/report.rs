//! Reports: answers as people and machines read them.
//!
//! [`text`] speaks the user's own lines, [`json`] the schema of the command line's contract, and
//! [`dot`] draws automata and happens-before cycles. All three are functions from an answer to a
//! string: where it goes is not decided here. [`diff`] compares two texts.
//!
//! **Absent.** Streams, files, clocks. Figures that only the command line can know (seconds,
//! memory) are handed in as [`Measured`].

mod code;
mod core;
pub mod diff;
pub mod dot;
mod evidence;
pub mod json;
mod litmus;
mod paper;
mod source;
mod table;
pub mod text;

pub use code::instruction;
pub use core::core;
pub use litmus::{FinalStates, litmus};
pub use source::Source;

/// What only the command line can measure. Absent figures are not reported.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Measured {
    /// Wall clock seconds.
    pub seconds: Option<f64>,
    /// The largest resident set so far, in KiB.
    pub peak_rss_kib: Option<u64>,
}

/// What became of the fences found, besides the report on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Repair<'a> {
    /// What they change in the text, in the unified format, if somebody asked; empty if nothing.
    pub diff: Option<&'a str>,
    /// Where the changed program was written, if it was.
    pub written: Option<&'a str>,
}

/// How text is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// The widest line, in columns.
    pub width: usize,
    /// Whether escape sequences for colour may be used.
    pub color: bool,
    /// How much is shown.
    pub detail: Detail,
}

/// How much a text report shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Detail {
    /// The verdict alone.
    Verdict,
    /// The verdict and its evidence.
    Evidence,
    /// Local steps and figures too.
    Everything,
}
