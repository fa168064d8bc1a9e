//! The results of the expectations of a corpus file.

use crate::certificate::Certificate;
use crate::expect::Judgement;
use std::borrow::Cow;

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
    /// It was executed.
    Judged(Judgement),
    /// It failed without a finding to compare with.
    Failed {
        /// The expected finding.
        expected: String,
        /// What happened instead.
        found: String,
    },
    /// It was not run, for this reason: the run was interrupted, or memory was exhausted.
    NotRun(String),
}

impl LineResult {
    /// The expected and the actual result, if they differ.
    pub fn missed(&self) -> Option<(String, String)> {
        match self {
            LineResult::Judged(Judgement::Missed { expected, found }) => {
                Some((expected.to_string(), found.to_string()))
            }
            LineResult::Failed { expected, found } => Some((expected.clone(), found.clone())),
            LineResult::Judged(Judgement::Met) | LineResult::NotRun(_) => None,
        }
    }
}
