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
pub mod diff;
mod display;
pub mod dot;
pub mod draw;
mod evidence;
mod finding;
mod github;
mod idiom;
pub mod json;
mod junit;
mod litmus;
pub mod page;
mod problem;
mod sarif;
mod shown;
mod source;
mod table;
pub mod text;
mod view;
mod writer;

pub use code::instruction;
pub use evidence::RunStep;
pub use idiom::Idiom;
pub use junit::junit;
pub use litmus::{core, litmus};
pub use problem::{Failed, Problem, Unread};
pub use shown::ShownRun;
pub use source::Caller;
pub use source::Source;
pub use view::{
    Certified, CheckView, CorpusFile, CorpusLine, Edited, FencesView, Fix, LineResult, RacesView,
    Repair, Report, RobustView,
};

use crate::verdict::Reached;
use std::fmt;

/// The output format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MessageFormat {
    /// Text for people.
    #[default]
    Text,
    /// JSON, one object per line.
    Json,
    /// One SARIF log of all results.
    Sarif,
    /// Annotations for GitHub Actions, one per line.
    Github,
}

impl MessageFormat {
    /// All formats.
    pub const ALL: [MessageFormat; 4] = [
        MessageFormat::Text,
        MessageFormat::Json,
        MessageFormat::Sarif,
        MessageFormat::Github,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            MessageFormat::Text => "text",
            MessageFormat::Json => "json",
            MessageFormat::Sarif => "sarif",
            MessageFormat::Github => "github",
        }
    }

    /// Whether the format is for people. If so, blank lines separate results, and totals may follow.
    pub fn is_for_people(self) -> bool {
        match self {
            MessageFormat::Text => true,
            MessageFormat::Json | MessageFormat::Sarif | MessageFormat::Github => false,
        }
    }

    /// Whether the format shows the change to the text for each fence.
    pub fn has_fixes(self) -> bool {
        match self {
            MessageFormat::Sarif => true,
            MessageFormat::Text | MessageFormat::Json | MessageFormat::Github => false,
        }
    }
}

impl fmt::Display for MessageFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Writes reports in a format, one after the other.
#[derive(Debug)]
pub struct ReportWriter {
    format: MessageFormat,
    style: Style,
    /// The results so far, if the format has one text for all of them.
    log: sarif::Log,
}

impl ReportWriter {
    /// A writer without reports.
    pub fn new(format: MessageFormat, style: Style) -> Self {
        Self {
            format,
            style,
            log: sarif::Log::default(),
        }
    }

    /// Adds a report, and returns the text to print now: each line is terminated.
    ///
    /// # Errors
    ///
    /// If serialization fails, which no value is expected to cause.
    pub fn add(&mut self, report: &Report<'_>) -> Result<String, serde_json::Error> {
        match self.format {
            MessageFormat::Text => Ok(text::write(report, self.style)),
            MessageFormat::Json => json::write(report),
            MessageFormat::Github => Ok(github::write(report)),
            MessageFormat::Sarif => {
                self.log.add(report);
                Ok(String::new())
            }
        }
    }

    /// The text to print after the last report; `completed` is whether there is a report for everything.
    ///
    /// # Errors
    ///
    /// If serialization fails, which no value is expected to cause.
    pub fn finish(self, completed: bool) -> Result<String, serde_json::Error> {
        match self.format {
            MessageFormat::Text | MessageFormat::Json | MessageFormat::Github => Ok(String::new()),
            MessageFormat::Sarif => self.log.finish(completed),
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
