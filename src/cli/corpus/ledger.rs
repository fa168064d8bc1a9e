//! What a corpus run says: a line a file, what was missed, and the sums.

use super::{Fate, Global, Line, Outcome};
use crate::cli::Exit;
use crate::expect::Judgement;
use crate::visible::visible_line;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// The sums over all files.
#[derive(Debug, Default)]
pub(super) struct Totals {
    files: usize,
    failed_files: usize,
    met: usize,
    missed: usize,
    not_run: usize,
    skipped: BTreeMap<&'static str, usize>,
    blessed: usize,
}

impl Totals {
    /// Adds a file and returns what it means for the exit code.
    pub(super) fn add(&mut self, outcome: &Outcome) -> Exit {
        self.files += 1;
        self.blessed += outcome.blessed.len();
        let mut exit = Exit::Holds;
        for line in &outcome.lines {
            match line.fate {
                Fate::Judged(Judgement::Met) => self.met += 1,
                Fate::Judged(Judgement::Missed { .. }) => {
                    self.missed += 1;
                    exit = exit.worst(Exit::Violated);
                }
                Fate::Judged(Judgement::Skipped) => {
                    *self.skipped.entry(line.kind).or_default() += 1;
                }
                Fate::NotRun(_) => {
                    self.not_run += 1;
                    exit = exit.worst(Exit::Undecided);
                }
            }
        }
        if exit == Exit::Violated {
            self.failed_files += 1;
        }
        if outcome.defect {
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
        let skipped: usize = self.skipped.values().sum();
        if skipped > 0 {
            let kinds: Vec<String> = self
                .skipped
                .iter()
                .map(|(kind, count)| format!("{count} {kind}"))
                .collect();
            let kinds = kinds.join(", ");
            write!(f, ", {skipped} skipped (not yet supported: {kinds})")?;
        }
        Ok(())
    }
}

/// The report on one file, each line ended.
pub(super) fn report(name: &str, outcome: &Outcome, global: &Global) -> String {
    if global.json {
        let lines = outcome.lines.iter().map(|line| json(name, line));
        return lines.collect();
    }
    let count = |wanted: fn(&Fate) -> bool| {
        let lines = outcome.lines.iter();
        lines.filter(|line| wanted(&line.fate)).count()
    };
    let missed = count(|fate| matches!(fate, Fate::Judged(Judgement::Missed { .. })));
    let not_run = count(|fate| matches!(fate, Fate::NotRun(_)));
    let failed = missed > 0 || outcome.defect;
    if global.quiet && !failed && not_run == 0 && outcome.blessed.is_empty() {
        return String::new();
    }
    let met = count(|fate| matches!(fate, Fate::Judged(Judgement::Met)));
    let skipped = count(|fate| matches!(fate, Fate::Judged(Judgement::Skipped)));
    let word = match (failed, not_run) {
        (true, _) => "FAIL",
        (false, 1..) => "open",
        (false, 0) => "ok  ",
    };
    let mut out = format!("{word} {}: {met} met", visible_line(name));
    for (number, word) in [
        (missed, "missed"),
        (not_run, "not run"),
        (skipped, "skipped"),
    ] {
        if number > 0 {
            let _ = write!(out, ", {number} {word}");
        }
    }
    out.push('\n');
    for line in &outcome.lines {
        let telling = match line.fate {
            Fate::Judged(Judgement::Missed { .. }) | Fate::NotRun(_) => true,
            Fate::Judged(Judgement::Met | Judgement::Skipped) => global.verbose,
        };
        if telling {
            let _ = writeln!(out, "       {}", visible_line(&sentence(line)));
        }
    }
    for change in &outcome.blessed {
        let _ = writeln!(out, "       rewritten: {}", visible_line(change));
    }
    for line in &outcome.kept {
        let _ = writeln!(out, "       kept: {}", visible_line(line));
    }
    out
}

fn sentence(line: &Line) -> String {
    let place = match line.number {
        0 => String::new(),
        number => format!("line {number}: "),
    };
    let text = &line.text;
    match &line.fate {
        Fate::Judged(Judgement::Met) => format!("{place}{text}: met"),
        Fate::Judged(Judgement::Missed { expected, found }) => {
            format!("{place}{text}: expected {expected}, found {found}")
        }
        Fate::Judged(Judgement::Skipped) => {
            format!("{place}{text}: skipped (not yet supported)")
        }
        Fate::NotRun(why) => format!("{place}{text}: not run: {why}"),
    }
}

#[derive(Serialize)]
struct LineJson<'a> {
    schema: u32,
    tool: &'static str,
    version: &'static str,
    command: &'static str,
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    expectation: &'a str,
    kind: &'static str,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

fn json(file: &str, line: &Line) -> String {
    let (result, expected, found, reason) = match &line.fate {
        Fate::Judged(Judgement::Met) => ("met", None, None, None),
        Fate::Judged(Judgement::Missed { expected, found }) => (
            "missed",
            Some(expected.as_str()),
            Some(found.as_str()),
            None,
        ),
        Fate::Judged(Judgement::Skipped) => ("skipped", None, None, None),
        Fate::NotRun(why) => ("not run", None, None, Some(why.as_str())),
    };
    let json = serde_json::to_string(&LineJson {
        schema: crate::report::json::SCHEMA,
        tool: "fencepost",
        version: env!("CARGO_PKG_VERSION"),
        command: "corpus",
        file,
        line: (line.number > 0).then_some(line.number),
        expectation: &line.text,
        kind: line.kind,
        result,
        expected,
        found,
        reason,
    });
    // Strings and numbers always serialize.
    json.map_or_else(|_| String::new(), |json| json + "\n")
}
