//! Reports: results as text for people and as JSON for programs.
//!
//! A result becomes a [`Report`], which decides what is shown, and the report is written in a
//! [`MessageFormat`]: [`text`] quotes the user's source lines, [`json`] follows the documented schema, and
//! `sarif` and `github` show findings beside the code. A new format is a module here and a variant of that
//! enum. [`dot`] and [`draw`] draw automata and executions,
//! [`page`] writes a result as a page of HTML, [`diff`] compares two texts, and [`core()`] turns a run into a litmus test. All are functions
//! from a result to a string; the caller decides where the string goes.
//!
//! **Absent.** Streams, files, clocks. Figures that only the command line can measure (seconds,
//! memory) are passed in as [`Measured`].

mod code;
#[cfg(feature = "cli")]
pub mod diff;
mod display;
#[cfg(feature = "cli")]
pub mod dot;
#[cfg(feature = "cli")]
pub mod draw;
mod evidence;
#[cfg(feature = "cli")]
mod finding;
#[cfg(feature = "cli")]
mod github;
mod idiom;
#[cfg(feature = "cli")]
pub mod json;
#[cfg(feature = "cli")]
mod junit;
mod litmus;
#[cfg(feature = "cli")]
mod output;
#[cfg(feature = "cli")]
pub mod page;
mod problem;
#[cfg(feature = "cli")]
mod sarif;
#[cfg(feature = "cli")]
mod shards;
mod shown;
mod source;
mod table;
pub mod text;
mod view;
mod writer;

pub use crate::formats::Idiom;
pub use code::instruction;
pub use display::Answer;
pub use evidence::RunStep;
#[cfg(feature = "cli")]
pub use junit::junit;
#[cfg(feature = "cli")]
pub use litmus::core;
pub use litmus::litmus;
#[cfg(feature = "cli")]
pub use output::{MessageFormat, ReportWriter};
pub use problem::{Failed, Problem, Unread};
#[cfg(feature = "cli")]
pub use shards::{
    CorpusShard, RobustResult, RobustShard, Shard, ShardOutput, WrittenVerdict, joined,
    joined_corpus, read_shard,
};
pub use shown::ShownRun;
pub use source::Caller;
pub use source::Source;
pub use view::{
    Certified, CheckView, CorpusFile, CorpusLine, Edited, FencesView, Fix, LineResult, RacesView,
    Repair, Report, RobustView,
};

use crate::verdict::Reached;

/// Figures that only the command line can measure. `None` is not reported.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Measured {
    /// Wall-clock seconds.
    pub seconds: Option<f64>,
    /// The peak resident set size, in KiB.
    pub peak_rss_kib: Option<u64>,
    /// What the search has reached.
    pub reached: Option<Reached>,
}

/// How text is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// The maximum line width, in columns.
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
    /// Also local steps and statistics.
    Everything,
}
