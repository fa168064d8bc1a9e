//! The results of a file's expectations as JSON: one object per expectation.

use super::certificate::CertificateJson;
use super::{SCHEMA, known};
use crate::expect::Judgement;
use crate::report::view::{CorpusFile, CorpusLine, LineResult};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(JsonSchema, Serialize)]
pub(super) struct LineJson<'a> {
    schema: u32,
    tool: &'static str,
    version: &'static str,
    command: &'static str,
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    expectation: &'a str,
    kind: &'a str,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    /// The certificate of the answer, if one was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<CertificateJson<'a>>,
}

/// The results of one file.
pub(super) fn lines(file: &CorpusFile) -> impl Iterator<Item = LineJson<'_>> {
    file.lines.iter().map(|line| line_json(&file.name, line))
}

fn line_json<'a>(file: &'a str, line: &'a CorpusLine) -> LineJson<'a> {
    let (result, reason) = match &line.result {
        LineResult::Judged(Judgement::Met) => ("met", None),
        LineResult::Judged(Judgement::Missed { .. }) | LineResult::Failed { .. } => {
            ("missed", None)
        }
        LineResult::NotRun(why) => ("not run", Some(why.as_str())),
    };
    let (expected, found) = line.result.missed().unzip();
    LineJson {
        schema: SCHEMA,
        tool: "fencepost",
        version: env!("CARGO_PKG_VERSION"),
        command: "corpus",
        file,
        line: known(line.number),
        expectation: &line.text,
        kind: &line.kind,
        result,
        expected,
        found,
        reason,
        certificate: line
            .certificate
            .as_ref()
            .map(|certificate| CertificateJson::new(None, certificate)),
    }
}
