//! Reports in the formats of the command line, one after the other.

use super::{Report, Style, github, json, sarif, text};
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
