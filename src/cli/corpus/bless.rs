//! `--bless`: what was found becomes what is expected.
//!
//! Files are rewritten after all of them have been executed, and only if the run was not interrupted: a
//! run that was cut off has found less than there is. Nor is an expectation weakened without
//! `--force`: that a proof became "nothing found within bounds" is a regression, or a time limit too
//! short, more often than news.

use super::Outcome;
use crate::cli::exit::Exit;
use crate::cli::limits::is_interrupted;
use crate::cli::{input, output, streams};
use crate::expect::{self, Finding, Judgement};
use crate::formats::Parsed;
use crate::report::{CorpusLine, Fate};
use std::path::Path;

/// What is to become of a file.
pub(super) struct Rewriting {
    /// What it held when it was read.
    old: Vec<u8>,
    /// What it is to hold.
    new: Vec<u8>,
    /// The lines that change: their numbers, and what each is afterwards.
    changes: Vec<(u32, String)>,
}

/// Works out what blessing makes of a file that was executed, without writing anything.
pub(super) fn prepare(
    bytes: Vec<u8>,
    text: &str,
    parsed: &Parsed,
    force: bool,
    outcome: &mut Outcome,
) {
    let mut blessed = text.to_owned();
    let mut changes = Vec::new();
    // From the end on, so that places before stay where they are.
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
    // What stands before the text is a byte order mark, which stays.
    let mark = bytes.len().saturating_sub(text.len());
    let new = [&bytes[..mark], blessed.as_bytes()].concat();
    outcome.rewriting = Some(Rewriting {
        old: bytes,
        new,
        changes,
    });
}

fn found(line: &CorpusLine) -> Option<&Finding> {
    match &line.fate {
        Fate::Judged(Judgement::Missed { found, .. }) => Some(found),
        Fate::Judged(Judgement::Met) | Fate::Failed { .. } | Fate::NotRun(_) => None,
    }
}

/// Writes the files that change, unless the run was interrupted.
pub(super) fn write_all<'o>(outcomes: impl Iterator<Item = (&'o Path, &'o mut Outcome)>) -> Exit {
    let mut exit = Exit::Holds;
    if is_interrupted() {
        streams::complain("interrupted: no file was rewritten");
        return Exit::Undecided;
    }
    for (file, outcome) in outcomes {
        let Some(Rewriting { old, new, changes }) = outcome.rewriting.take() else {
            continue;
        };
        // The run took a while, and the file may have been edited since.
        let written = if input::bytes(file).as_ref() == Ok(&old) {
            output::replace(file, &new).map_err(|error| output::cannot_write(file, &error))
        } else {
            let file = file.display();
            Err(format!(
                "`{file}` has changed since it was read: not rewritten"
            ))
        };
        if let Err(message) = written {
            streams::complain(&message);
            exit = exit.worst(Exit::Usage);
            continue;
        }
        for (number, change) in changes {
            let lines = outcome.file.lines.iter_mut();
            for line in lines.filter(|line| line.number == number) {
                line.fate = Fate::Judged(Judgement::Met);
            }
            outcome.file.blessed.push(change);
        }
    }
    exit
}
