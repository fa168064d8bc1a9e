//! The totals of a corpus run.

use crate::certificate::Certificate;
use crate::cli::exit::Exit;
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
    /// The answers with a certificate, and those without one.
    certified: [usize; 2],
}

impl Totals {
    /// Adds a file and returns its exit code.
    pub(super) fn add(&mut self, file: &CorpusFile) -> Exit {
        self.files += 1;
        self.blessed += file.blessed.len();
        let mut exit = Exit::Holds;
        for line in &file.lines {
            match line.certificate {
                Some(Certificate::Made { .. }) => self.certified[0] += 1,
                Some(Certificate::None(_)) => self.certified[1] += 1,
                None => {}
            }
            match line.result {
                LineResult::Met => self.met += 1,
                LineResult::Missed { .. } => {
                    self.missed += 1;
                    exit = exit.worst(Exit::Violated);
                }
                LineResult::NotRun(_) => {
                    self.not_run += 1;
                    exit = exit.worst(Exit::Undecided);
                }
            }
        }
        // As the line about the file says.
        if exit == Exit::Violated || file.defect {
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
        if let [made, none] = self.certified
            && made + none > 0
        {
            write!(f, ", {made} answers certified, {none} not")?;
        }
        if self.blessed > 0 {
            write!(f, ", {} rewritten", self.blessed)?;
        }
        Ok(())
    }
}
