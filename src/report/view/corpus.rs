//! The results of the expectations of a corpus file.

use super::CheckView;
use crate::certificate::Certificate;
use crate::expect::{Finding, Judgement};
use crate::report::{Measured, Source};
use std::borrow::Cow;
use std::fmt;

/// The results of one file.
#[derive(Debug, Default)]
pub struct CorpusFile {
    /// Its path within the directory.
    pub name: String,
    /// Its path as it was opened.
    pub path: String,
    /// The result of each expectation.
    pub lines: Vec<CorpusLine>,
    /// Whether there was an internal error.
    pub defect: bool,
    /// The rewritten expectations, with their new text.
    pub blessed: Vec<String>,
    /// The expectations that are stronger than the actual result, and were kept.
    pub kept: Vec<String>,
}

/// The result of one expectation, or of the file as a whole.
#[derive(Debug)]
pub struct CorpusLine {
    /// The line number; 0 for the file as a whole.
    pub number: u32,
    /// The text of the expectation.
    pub text: String,
    /// The kind of expectation.
    pub kind: Cow<'static, str>,
    /// How long it took, if that was measured.
    pub seconds: Option<f64>,
    /// The result.
    pub result: LineResult,
    /// The certificate of the answer, if one was requested and the answer can have one.
    pub certificate: Option<Certificate>,
}

/// The result of an expectation.
#[derive(Debug)]
pub enum LineResult {
    /// The expected result was found.
    Met,
    /// Something else happened.
    Missed {
        /// The expected result.
        expected: String,
        /// What happened instead.
        found: String,
        /// What threads wait for, if what happened is that they wait forever.
        waiting: Option<String>,
        /// The same as a finding, if it is one that an expectation can state.
        finding: Option<Finding>,
    },
    /// It was not run, for this reason: the run was interrupted, or memory was exhausted.
    NotRun(String),
}

impl LineResult {
    /// The result of an expectation about this program.
    pub fn judged(judgement: Judgement, source: Option<Source<'_>>) -> Self {
        let (expected, found, report) = match judgement {
            Judgement::Met => return LineResult::Met,
            Judgement::Missed {
                expected,
                found,
                report,
            } => (expected, found, report),
        };
        let waiting = source.zip(report).and_then(|(source, report)| {
            let view = CheckView::new(source, &report, Measured::default());
            view.waiting()
        });
        LineResult::Missed {
            expected: expected.to_string(),
            found: found.to_string(),
            waiting,
            finding: Some(found),
        }
    }

    /// That this happened, which no expectation can state.
    pub fn failed(expected: String, found: String) -> Self {
        LineResult::Missed {
            expected,
            found,
            waiting: None,
            finding: None,
        }
    }

    /// Whether the expected result was found.
    pub fn is_met(&self) -> bool {
        matches!(self, LineResult::Met)
    }

    /// The word for it.
    pub(in crate::report) fn word(&self) -> &'static str {
        match self {
            LineResult::Met => "met",
            LineResult::Missed { .. } => "missed",
            LineResult::NotRun(_) => "not run",
        }
    }
}

impl fmt::Display for LineResult {
    /// `expected holds, found violated`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineResult::Met => f.write_str(self.word()),
            LineResult::Missed {
                expected,
                found,
                waiting,
                ..
            } => {
                write!(f, "expected {expected}, found {found}")?;
                match waiting {
                    Some(waiting) => write!(f, ". {}", waiting.trim_end_matches('.')),
                    None => Ok(()),
                }
            }
            LineResult::NotRun(why) => write!(f, "{}: {why}", self.word()),
        }
    }
}
