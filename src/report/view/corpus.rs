//! What became of the expectations of a corpus file.

use crate::expect::Judgement;

/// What became of one file.
#[derive(Debug, Default)]
pub struct CorpusFile {
    /// Its path below the directory.
    pub name: String,
    /// What became of each line.
    pub lines: Vec<CorpusLine>,
    /// Whether Fencepost itself failed.
    pub defect: bool,
    /// Lines that were rewritten, as they are now.
    pub blessed: Vec<String>,
    /// Lines that say more than what was found, and stay.
    pub kept: Vec<String>,
}

/// What became of one line, or of the file as a whole.
#[derive(Debug)]
pub struct CorpusLine {
    /// Which line; 0 for the file as a whole.
    pub number: u32,
    /// What it says.
    pub text: String,
    /// The kind of expectation.
    pub kind: &'static str,
    /// What became of it.
    pub fate: Fate,
}

/// What became of an expectation.
#[derive(Debug)]
pub enum Fate {
    /// It was executed.
    Judged(Judgement),
    /// There was no finding to compare with.
    Failed {
        /// What was expected.
        expected: String,
        /// What there was instead.
        found: String,
    },
    /// There was no time for it, or no memory; says what it was.
    NotRun(String),
}

impl Fate {
    /// What was expected and what was found, if that is not the same.
    pub fn missed(&self) -> Option<(String, String)> {
        match self {
            Fate::Judged(Judgement::Missed { expected, found }) => {
                Some((expected.to_string(), found.to_string()))
            }
            Fate::Failed { expected, found } => Some((expected.clone(), found.clone())),
            Fate::Judged(Judgement::Met) | Fate::NotRun(_) => None,
        }
    }
}
