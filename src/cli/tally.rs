//! The summary of a call about several programs.

use super::exit::Exit;
use std::collections::BTreeMap;

/// How many programs had which result.
#[derive(Default)]
pub(super) struct Tally {
    /// The worst result.
    pub(super) worst: Exit,
    /// By exit code.
    counts: BTreeMap<i32, usize>,
    /// The programs for which no time was left.
    left: usize,
}

impl Tally {
    /// Counts a result.
    pub(super) fn add(&mut self, exit: Exit) {
        *self.counts.entry(exit.code()).or_default() += 1;
        self.worst = self.worst.worst(exit);
    }

    /// Counts programs that are left.
    pub(super) fn leave(&mut self, left: usize) {
        self.left = left;
        self.worst = self.worst.worst(Exit::Undecided);
    }

    /// Takes the result of printing into account.
    pub(super) fn print(&mut self, printed: Exit) {
        self.worst = self.worst.worst(printed);
    }

    /// How many there were of each, after a blank line.
    pub(super) fn sentence(&self, programs: usize) -> String {
        let words = [
            (Exit::Holds, "good"),
            (Exit::Violated, "bad"),
            (Exit::Undecided, "undecided"),
            (Exit::Usage, "with errors"),
            (Exit::Internal, "with internal errors"),
        ];
        let counted = words.iter().filter_map(|(exit, word)| {
            let count = self.counts.get(&exit.code())?;
            Some(format!("{count} {word}"))
        });
        let left = (self.left > 0).then(|| format!("{} not run", self.left));
        let counted: Vec<String> = counted.chain(left).collect();
        let noun = if programs == 1 { "program" } else { "programs" };
        format!("\n{programs} {noun}: {}\n", counted.join(", "))
    }
}
