//! Reports: results as text for people and as JSON for programs.
//!
//! A result becomes a [`Report`], which decides what is shown, and the report is written in a
//! [`MessageFormat`]: [`text`] quotes the user's source lines, [`json`] follows the documented schema.
//! A new format is a module here and a variant of that enum. [`dot`] draws automata and happens-before
//! cycles, [`diff`] compares two texts, and [`core()`] turns a run into a litmus test. All are functions
//! from a result to a string; the caller decides where the string goes.
//!
//! **Absent.** Streams, files, clocks. Figures that only the command line can measure (seconds,
//! memory) are passed in as [`Measured`].

mod code;
pub mod diff;
mod display;
pub mod dot;
mod evidence;
pub mod json;
mod litmus;
mod source;
mod table;
pub mod text;
mod view;
mod writer;

pub use code::instruction;
pub use evidence::RunStep;
pub use litmus::{core, litmus};
pub use source::Caller;
pub use source::Source;
pub use view::{
    CheckView, CorpusFile, CorpusLine, FencesView, LineResult, RacesView, Repair, Report,
    RobustView,
};

/// The output format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MessageFormat {
    /// Text for people.
    #[default]
    Text,
    /// JSON, one object per line.
    Json,
}

impl MessageFormat {
    /// The report in this format, each line terminated.
    ///
    /// # Errors
    ///
    /// If serialization fails, which no value is expected to cause.
    pub fn write(self, report: &Report<'_>, style: Style) -> Result<String, serde_json::Error> {
        match self {
            MessageFormat::Text => Ok(text::write(report, style)),
            MessageFormat::Json => json::write(report),
        }
    }

    /// Whether the format is for people. If so, blank lines separate results, and totals may follow.
    pub fn is_for_people(self) -> bool {
        match self {
            MessageFormat::Text => true,
            MessageFormat::Json => false,
        }
    }
}

/// Figures that only the command line can measure. `None` is not reported.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Measured {
    /// Wall-clock seconds.
    pub seconds: Option<f64>,
    /// The peak resident set size, in KiB.
    pub peak_rss_kib: Option<u64>,
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
