//! The results of the expectations of a corpus file.

use crate::certificate::Certificate;
use crate::expect::{Finding, Judgement};
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
        /// The same as a finding, if it is one that an expectation can state.
        finding: Option<Finding>,
    },
    /// It was not run, for this reason: the run was interrupted, or memory was exhausted.
    NotRun(String),
}

impl From<Judgement> for LineResult {
    fn from(judgement: Judgement) -> Self {
        match judgement {
            Judgement::Met => LineResult::Met,
            Judgement::Missed { expected, found } => LineResult::Missed {
                expected: expected.to_string(),
                found: found.to_string(),
                finding: Some(found),
            },
        }
    }
}

impl LineResult {
    /// That this happened, which no expectation can state.
    pub fn failed(expected: String, found: String) -> Self {
        LineResult::Missed {
            expected,
            found,
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
                expected, found, ..
            } => write!(f, "expected {expected}, found {found}"),
            LineResult::NotRun(why) => write!(f, "{}: {why}", self.word()),
        }
    }
}
