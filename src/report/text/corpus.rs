//! The results of a file's expectations: a line for the file, and the expectations that were missed.

use super::super::Detail;
use super::super::view::{CorpusFile, CorpusLine, LineResult};
use crate::certificate::Certificate;
use crate::visible::visible_line;
use std::fmt::Write as _;

/// The report on one file, each line terminated; with `-q`, empty if all expectations were met.
pub(super) fn corpus(file: &CorpusFile, detail: Detail) -> String {
    let count = |wanted: fn(&LineResult) -> bool| {
        let lines = file.lines.iter();
        lines.filter(|line| wanted(&line.result)).count()
    };
    let missed = count(|result| matches!(result, LineResult::Missed { .. }));
    let not_run = count(|result| matches!(result, LineResult::NotRun(_)));
    let failed = missed > 0 || file.defect;
    let relevant = failed || not_run > 0 || !file.blessed.is_empty();
    if detail == Detail::Verdict && !relevant {
        return String::new();
    }
    let met = count(LineResult::is_met);
    let word = match (failed, not_run) {
        (true, _) => "FAIL",
        (false, 1..) => "open",
        (false, 0) => "ok  ",
    };
    let mut out = format!("{word} {}: {met} met", visible_line(&file.name));
    for (number, word) in [(missed, "missed"), (not_run, "not run")] {
        if number > 0 {
            let _ = write!(out, ", {number} {word}");
        }
    }
    out.push('\n');
    for line in &file.lines {
        if !line.result.is_met() || detail == Detail::Everything {
            let _ = writeln!(out, "       {}", visible_line(&sentence(line)));
        }
    }
    for line in &file.lines {
        if let Some(Certificate::None(why)) = &line.certificate
            && detail != Detail::Verdict
        {
            let text = format!("no certificate: {}: {why}", line.text);
            let _ = writeln!(out, "       {}", visible_line(&text));
        }
    }
    for change in &file.blessed {
        let _ = writeln!(out, "       rewritten: {}", visible_line(change));
    }
    for line in &file.kept {
        let _ = writeln!(out, "       kept: {}", visible_line(line));
    }
    out
}

/// The result of an expectation as a sentence, with its line.
pub(in crate::report) fn sentence(line: &CorpusLine) -> String {
    let place = match line.number {
        0 => String::new(),
        number => format!("line {number}: "),
    };
    format!("{place}{}: {}", line.text, line.result)
}
