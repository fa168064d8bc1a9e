//! Files that are no programs, as JSON.

use super::SCHEMA;
use crate::report::{Problem, Unread};
use schemars::JsonSchema;
use serde::Serialize;

/// A file that is no program.
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

pub(super) fn error<'a>(unread: &Unread<'a>) -> ErrorJson<'a> {
    ErrorJson {
        schema: SCHEMA,
        tool: "fencepost",
        version: env!("CARGO_PKG_VERSION"),
        command: unread.command,
        file: unread.file,
        verdict: "error",
        diagnostics: unread.problems,
    }
}
