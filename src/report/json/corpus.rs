//! What became of a file's expectations, as machines read it: one object for each line.

use super::{SCHEMA, known};
use crate::expect::Judgement;
use crate::report::view::{CorpusFile, CorpusLine, Fate};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct LineJson<'a> {
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
    expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

/// The lines of a file.
pub(super) fn lines(file: &CorpusFile) -> impl Iterator<Item = LineJson<'_>> {
    file.lines.iter().map(|line| line_json(&file.name, line))
}

fn line_json<'a>(file: &'a str, line: &'a CorpusLine) -> LineJson<'a> {
    let (result, reason) = match &line.fate {
        Fate::Judged(Judgement::Met) => ("met", None),
        Fate::Judged(Judgement::Missed { .. }) | Fate::Failed { .. } => ("missed", None),
        Fate::NotRun(why) => ("not run", Some(why.as_str())),
    };
    let (expected, found) = line.fate.missed().unzip();
    LineJson {
        schema: SCHEMA,
        tool: "fencepost",
        version: env!("CARGO_PKG_VERSION"),
        command: "corpus",
        file,
        line: known(line.number),
        expectation: &line.text,
        kind: line.kind,
        result,
        expected,
        found,
        reason,
    }
}
