//! The totals of a corpus run.

use crate::cli::exit::Exit;
use crate::expect::Judgement;
use crate::report::{CorpusFile, LineResult};
use std::fmt;

/// The totals over all files.
#[derive(Debug, Default)]
pub(super) struct Totals {
    files: usize,
    failed_files: usize,
    met: usize,
    missed: usize,
    not_run: usize,
    blessed: usize,
}

impl Totals {
    /// Adds a file and returns its exit code.
    pub(super) fn add(&mut self, file: &CorpusFile) -> Exit {
        self.files += 1;
        self.blessed += file.blessed.len();
        let mut exit = Exit::Holds;
        for line in &file.lines {
            match line.result {
                LineResult::Judged(Judgement::Met) => self.met += 1,
                LineResult::Judged(Judgement::Missed { .. }) | LineResult::Failed { .. } => {
                    self.missed += 1;
                    exit = exit.worst(Exit::Violated);
                }
                LineResult::NotRun(_) => {
                    self.not_run += 1;
                    exit = exit.worst(Exit::Undecided);
                }
            }
        }
        if exit == Exit::Violated {
            self.failed_files += 1;
        }
        if file.defect {
            exit = Exit::Internal;
        }
        exit
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = if self.files == 1 { "file" } else { "files" };
        write!(
            f,
            "{} {files}, {} failed: {} expectations met, {} missed",
            self.files, self.failed_files, self.met, self.missed
        )?;
        if self.not_run > 0 {
            write!(f, ", {} not run", self.not_run)?;
        }
        if self.blessed > 0 {
            write!(f, ", {} rewritten", self.blessed)?;
        }
        Ok(())
    }
}
