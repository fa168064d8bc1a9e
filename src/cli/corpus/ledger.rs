//! What a corpus run says: a line a file, what was missed, and the sums.

use super::{Global, Line, Outcome};
use crate::cli::Exit;
use crate::expect::Judgement;
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
            match line.judgement {
                Judgement::Met => self.met += 1,
                Judgement::Missed { .. } => {
                    self.missed += 1;
                    exit = Exit::Violated;
                }
                Judgement::Skipped => *self.skipped.entry(line.kind).or_default() += 1,
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
    let count = |wanted: fn(&Judgement) -> bool| {
        let lines = outcome.lines.iter();
        lines.filter(|line| wanted(&line.judgement)).count()
    };
    let missed = count(|judgement| matches!(judgement, Judgement::Missed { .. }));
    let failed = missed > 0 || outcome.defect;
    if global.quiet && !failed && outcome.blessed.is_empty() {
        return String::new();
    }
    let met = count(|judgement| matches!(judgement, Judgement::Met));
    let skipped = count(|judgement| matches!(judgement, Judgement::Skipped));
    let mut out = format!("{} {name}: {met} met", if failed { "FAIL" } else { "ok  " });
    for (number, word) in [(missed, "missed"), (skipped, "skipped")] {
        if number > 0 {
            let _ = write!(out, ", {number} {word}");
        }
    }
    out.push('\n');
    for line in &outcome.lines {
        if global.verbose || matches!(line.judgement, Judgement::Missed { .. }) {
            let _ = writeln!(out, "       {}", sentence(line));
        }
    }
    for change in &outcome.blessed {
        let _ = writeln!(out, "       rewritten: {change}");
    }
    out
}

fn sentence(line: &Line) -> String {
    let place = match line.number {
        0 => String::new(),
        number => format!("line {number}: "),
    };
    let text = &line.text;
    match &line.judgement {
        Judgement::Met => format!("{place}{text}: met"),
        Judgement::Missed { expected, found } => {
            format!("{place}{text}: expected {expected}, found {found}")
        }
        Judgement::Skipped => format!("{place}{text}: skipped (not yet supported)"),
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
}

fn json(file: &str, line: &Line) -> String {
    let (result, expected, found) = match &line.judgement {
        Judgement::Met => ("met", None, None),
        Judgement::Missed { expected, found } => {
            ("missed", Some(expected.as_str()), Some(found.as_str()))
        }
        Judgement::Skipped => ("skipped", None, None),
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
    });
    // Strings and numbers always serialize.
    json.map_or_else(|_| String::new(), |json| json + "\n")
}
