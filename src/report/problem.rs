//! What is wrong with a text that is no program, for formats that show results beside the code.

use crate::text::{Diagnostic, Lines, Parsed, Severity};
#[cfg(feature = "cli")]
use schemars::JsonSchema;
#[cfg(feature = "cli")]
use serde::Serialize;

/// An error or a warning about a text, in lines and columns.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "cli", derive(JsonSchema, Serialize))]
pub struct Problem {
    /// `error` or `warning`.
    pub(super) severity: &'static str,
    /// What is wrong, in a sentence without a full stop.
    pub(super) message: String,
    /// The file that the lines are of.
    pub(super) file: String,
    /// The first line, from 1; 0 for the file as a whole.
    pub(super) line: u32,
    /// The columns in characters, from 1; the end is one past the last character. 0 for the file as a
    /// whole.
    pub(super) column: u32,
    pub(super) end_line: u32,
    pub(super) end_column: u32,
    /// What is said at that place, such as what to write instead; may be empty.
    #[cfg_attr(feature = "cli", serde(skip_serializing_if = "String::is_empty"))]
    pub(super) label: String,
    /// Ways to mend it.
    #[cfg_attr(feature = "cli", serde(skip_serializing_if = "Vec::is_empty"))]
    pub(super) suggestions: Vec<String>,
}

impl Problem {
    /// The problems of this text, which was read from this file.
    pub fn all(parsed: &Parsed, given: &str, file: &str) -> Vec<Problem> {
        let text = parsed.text(given);
        let lines = Lines::new(text).of_files(&parsed.files);
        let problem = |diagnostic: &Diagnostic| {
            if diagnostic.nowhere {
                return Problem {
                    label: diagnostic.label.clone(),
                    suggestions: diagnostic.notes.clone(),
                    ..Problem::whole(file, &diagnostic.message)
                };
            }
            let span = &diagnostic.span;
            let start = lines.origin(span);
            let end = lines.origin(&(span.end..span.end));
            Problem {
                severity: match diagnostic.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                },
                message: diagnostic.message.clone(),
                file: parsed.files.name(span.start).unwrap_or(file).to_owned(),
                line: start.line,
                column: start.column,
                end_line: end.line,
                end_column: end.column,
                label: diagnostic.label.clone(),
                suggestions: diagnostic.notes.clone(),
            }
        };
        parsed.diagnostics.iter().map(problem).collect()
    }

    /// The first of these that is an error.
    pub fn first_error(all: &[Problem]) -> Option<&Problem> {
        all.iter().find(|problem| problem.severity == "error")
    }

    /// What is wrong, and where, in a sentence without a full stop.
    pub fn sentence(&self) -> String {
        match self.line {
            0 => self.message.clone(),
            line => format!("{} (line {line} of {})", self.message, self.file),
        }
    }

    /// An error about the file as a whole.
    pub fn whole(file: &str, message: &str) -> Problem {
        Problem {
            severity: "error",
            message: message.to_owned(),
            file: file.to_owned(),
            line: 0,
            column: 0,
            end_line: 0,
            end_column: 0,
            label: String::new(),
            suggestions: Vec::new(),
        }
    }

    pub(super) fn is_error(&self) -> bool {
        self.severity == "error"
    }
}

/// A file about which there is no result, because of a defect of Fencepost, which has been reported.
#[derive(Debug)]
pub struct Failed<'a> {
    /// The command.
    pub command: &'static str,
    /// The file.
    pub file: &'a str,
}

impl Failed<'_> {
    /// What people and machines read instead of a result.
    pub(super) const MESSAGE: &'static str =
        "internal error: there is no verdict; please report this with the input";

    /// The same as a problem of the file as a whole.
    pub(super) fn problems(&self) -> [Problem; 1] {
        [Problem::whole(self.file, Self::MESSAGE)]
    }
}

/// A file that is no program.
#[derive(Debug)]
pub struct Unread<'a> {
    /// The command that needed it.
    pub command: &'static str,
    /// The file.
    pub file: &'a str,
    /// What is wrong.
    pub problems: &'a [Problem],
}
