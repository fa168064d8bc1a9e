//! `--bless`: replaces expectations by the actual results.
//!
//! Files are rewritten after all of them have been checked, and only if the run was not interrupted,
//! because the results of an interrupted run are incomplete. No expectation is weakened without
//! `--force`: if a proof becomes "nothing found within bounds", the cause is usually a regression or a
//! time limit that is too short.

use super::Outcome;
use crate::cli::exit::Exit;
use crate::cli::limits::is_interrupted;
use crate::cli::{input, output, streams};
use crate::expect::{self, Finding};
use crate::formats::Parsed;
use crate::report::{CorpusLine, LineResult};
use std::path::Path;

/// The old and the new contents of a file.
pub(super) struct Rewriting {
    /// The contents when the file was read.
    old: Vec<u8>,
    /// The new contents.
    new: Vec<u8>,
    /// The changed lines: the number of each, and a description of the change.
    changes: Vec<(u32, String)>,
}

/// Computes the new contents of a checked file, without writing anything.
pub(super) fn prepare(
    bytes: Vec<u8>,
    text: &str,
    parsed: &Parsed,
    force: bool,
    outcome: &mut Outcome,
) {
    let mut blessed = text.to_owned();
    let mut changes = Vec::new();
    // From the end backwards, so that earlier positions remain valid.
    for expectation in parsed.expectations.iter().rev() {
        let number = expectation.origin.line;
        let line = outcome.file.lines.iter().find(|line| line.number == number);
        let Some((line, Some(found))) = line.map(|line| (line, found(line))) else {
            continue;
        };
        let Some((place, words)) = expect::blessable(text, expectation, found) else {
            continue;
        };
        if expect::weakens(expectation, found) && !force {
            outcome.file.kept.push(format!(
                "line {number}: {}: `{words}` is weaker (`--force` writes it)",
                line.text
            ));
            continue;
        }
        blessed.replace_range(place, &words);
        changes.push((
            number,
            format!("line {number}: {} is now {words}", line.text),
        ));
    }
    outcome.file.kept.reverse();
    if changes.is_empty() {
        return;
    }
    changes.reverse();
    // A byte order mark before the text is preserved.
    let mark = bytes.len().saturating_sub(text.len());
    let new = [&bytes[..mark], blessed.as_bytes()].concat();
    outcome.rewriting = Some(Rewriting {
        old: bytes,
        new,
        changes,
    });
}

fn found(line: &CorpusLine) -> Option<&Finding> {
    match &line.result {
        LineResult::Missed { finding, .. } => finding.as_ref(),
        LineResult::Met | LineResult::NotRun(_) => None,
    }
}

/// Writes the files that change, unless the run was interrupted.
pub(super) fn write_all<'o>(outcomes: impl Iterator<Item = (&'o Path, &'o mut Outcome)>) -> Exit {
    let mut exit = Exit::Holds;
    if is_interrupted() {
        streams::print_message("interrupted: no file was rewritten");
        return Exit::Undecided;
    }
    for (file, outcome) in outcomes {
        let Some(Rewriting { old, new, changes }) = outcome.rewriting.take() else {
            continue;
        };
        // The file may have been edited while the corpus was checked.
        let written = if input::bytes(file).as_ref() == Ok(&old) {
            output::replace(file, &new).map_err(|error| output::cannot_write(file, &error))
        } else {
            let file = file.display();
            Err(format!(
                "`{file}` has changed since it was read: not rewritten"
            ))
        };
        if let Err(message) = written {
            streams::print_message(&message);
            exit = exit.worst(Exit::Usage);
            continue;
        }
        for (number, change) in changes {
            let lines = outcome.file.lines.iter_mut();
            for line in lines.filter(|line| line.number == number) {
                line.result = LineResult::Met;
            }
            outcome.file.blessed.push(change);
        }
    }
    exit
}
