//! Reports: answers as people and machines read them.
//!
//! An answer becomes a [`Report`], in which everything about it is decided, and a report is written in
//! a [`MessageFormat`]: [`text`] has the user's own lines, [`json`] the schema of the command line's
//! contract. A new format is a module here and a variant there. [`dot`] draws automata and
//! happens-before cycles, [`diff`] compares two texts, and [`core()`] turns a run into a litmus test. All
//! are functions from an answer to a string: where it goes is not decided here.
//!
//! **Absent.** Streams, files, clocks. Figures that only the command line can know (seconds,
//! memory) are handed in as [`Measured`].

mod code;
pub mod diff;
mod display;
pub mod dot;
mod evidence;
pub mod json;
mod litmus;
mod paper;
mod source;
mod table;
pub mod text;
mod view;

pub use code::instruction;
pub use evidence::RunStep;
pub use litmus::{core, litmus};
pub use source::Source;
pub use view::{
    CheckView, CorpusFile, CorpusLine, Fate, FencesView, RacesView, Repair, Report, RobustView,
};

/// The format of answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MessageFormat {
    /// Text for people.
    #[default]
    Text,
    /// One JSON object for each answer, on a line of its own.
    Json,
}

impl MessageFormat {
    /// The report in this format, each line ended.
    ///
    /// # Errors
    ///
    /// If the serializer refuses, which no value gives it a reason to.
    pub fn write(self, report: &Report<'_>, style: Style) -> Result<String, serde_json::Error> {
        match self {
            MessageFormat::Text => Ok(text::write(report, style)),
            MessageFormat::Json => json::write(report),
        }
    }

    /// Whether people read it. Then answers are set apart by blank lines, and sums may follow.
    pub fn is_for_people(self) -> bool {
        match self {
            MessageFormat::Text => true,
            MessageFormat::Json => false,
        }
    }
}

/// What only the command line can measure. Absent figures are not reported.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Measured {
    /// Wall clock seconds.
    pub seconds: Option<f64>,
    /// The largest resident set so far, in KiB.
    pub peak_rss_kib: Option<u64>,
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
