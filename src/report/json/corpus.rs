//! The results of a file's expectations as JSON: one object per expectation.

use super::certificate::CertificateJson;
use super::{SCHEMA, known};
use crate::report::view::{CorpusFile, CorpusLine, LineResult};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(JsonSchema, Serialize, Deserialize)]
pub(super) struct LineJson<'a> {
    schema: u32,
    tool: Cow<'a, str>,
    version: Cow<'a, str>,
    command: Cow<'a, str>,
    file: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    expectation: Cow<'a, str>,
    kind: Cow<'a, str>,
    result: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<Cow<'a, str>>,
    /// What threads wait for, if what was found is that they wait forever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    waiting: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Cow<'a, str>>,
    /// The certificate of the answer, if one was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<CertificateJson<'a>>,
}

/// The results of one file.
pub(super) fn lines(file: &CorpusFile) -> impl Iterator<Item = LineJson<'_>> {
    file.lines.iter().map(|line| line_json(&file.name, line))
}

fn line_json<'a>(file: &'a str, line: &'a CorpusLine) -> LineJson<'a> {
    let (expected, found, reason) = match &line.result {
        LineResult::Met => (None, None, None),
        LineResult::Missed {
            expected, found, ..
        } => (Some(expected.into()), Some(found.into()), None),
        LineResult::NotRun(why) => (None, None, Some(why.into())),
    };
    let waiting = match &line.result {
        LineResult::Missed { waiting, .. } => waiting.as_deref(),
        LineResult::Met | LineResult::NotRun(_) => None,
    };
    LineJson {
        schema: SCHEMA,
        tool: "fencepost".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        command: "corpus".into(),
        file: file.into(),
        line: known(line.number),
        expectation: (&line.text).into(),
        kind: (&*line.kind).into(),
        result: line.result.word().into(),
        expected,
        found,
        waiting: waiting.map(Cow::Borrowed),
        reason,
        certificate: line
            .certificate
            .as_ref()
            .map(|certificate| CertificateJson::new(None, certificate)),
    }
}

/// The name of the file and the result of an expectation that was written as this line; `None` instead of the
/// result if there is none.
///
/// # Errors
///
/// If it is no such line.
pub(in crate::report) fn corpus_line(
    line: &str,
) -> Result<(String, Option<CorpusLine>), serde_json::Error> {
    let read: LineJson<'_> = serde_json::from_str(line)?;
    let result = match &*read.result {
        "met" => Some(LineResult::Met),
        "missed" => {
            let both = read.expected.zip(read.found);
            both.map(|(expected, found)| LineResult::Missed {
                expected: expected.into_owned(),
                found: found.into_owned(),
                waiting: read.waiting.map(Cow::into_owned),
                finding: None,
            })
        }
        "not run" => read.reason.map(|why| LineResult::NotRun(why.into_owned())),
        _ => None,
    };
    let line = result.map(|result| CorpusLine {
        number: read.line.unwrap_or_default(),
        text: read.expectation.into_owned(),
        kind: read.kind.into_owned().into(),
        seconds: None,
        result,
        certificate: read.certificate.map(CertificateJson::read),
    });
    Ok((read.file.into_owned(), line))
}
