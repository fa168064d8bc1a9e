//! Files about which there is no result, as JSON: they are no programs, or Fencepost has a defect.

use super::SCHEMA;
use crate::report::{Failed, Problem, Unread};
use schemars::JsonSchema;
use serde::Serialize;

/// A file that is no program, or whose verification met a defect of Fencepost.
#[derive(JsonSchema, Serialize)]
pub(super) struct ErrorJson<'a> {
    schema: u32,
    tool: &'static str,
    version: &'static str,
    command: &'static str,
    file: &'a str,
    verdict: &'static str,
    diagnostics: &'a [Problem],
}

/// A file that is no program.
pub(super) fn error<'a>(unread: &Unread<'a>) -> ErrorJson<'a> {
    without_result(unread.command, unread.file, unread.problems)
}

/// A file without a result because of a defect, with these problems.
pub(super) fn failed<'a>(failed: &Failed<'a>, problems: &'a [Problem]) -> ErrorJson<'a> {
    without_result(failed.command, failed.file, problems)
}

fn without_result<'a>(
    command: &'static str,
    file: &'a str,
    diagnostics: &'a [Problem],
) -> ErrorJson<'a> {
    ErrorJson {
        schema: SCHEMA,
        tool: "fencepost",
        version: env!("CARGO_PKG_VERSION"),
        command,
        file,
        verdict: "error",
        diagnostics,
    }
}
