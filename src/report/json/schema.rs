//! The schema of what `--json` prints, made from the types that are printed.

use super::CheckJson;
use super::corpus::LineJson;
use super::error::ErrorJson;
use super::fences::FencesJson;
use super::program::{AttacksJson, ProgramJson};
use super::races::RacesJson;
use super::robust::RobustJson;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

/// One line of output: the result of a command about a program and a model, an expectation of a corpus,
/// or a file that is no program. `command` and `verdict` say which.
#[derive(JsonSchema)]
#[schemars(untagged, title = "fencepost", rename = "Line")]
#[allow(dead_code, reason = "only its schema is used")]
enum Line<'a> {
    Check(CheckJson<'a>),
    Robust(RobustJson<'a>),
    TriangularRaces(RacesJson<'a>),
    Fence(FencesJson<'a>),
    Show(ProgramJson<'a>),
    Instrument(AttacksJson<'a>),
    Expectation(LineJson<'a>),
    Error(ErrorJson<'a>),
}

/// The schema as JSON (JSON Schema, draft 2020-12).
///
/// # Errors
///
/// If serialization fails, which no value is expected to cause.
pub fn schema() -> Result<String, serde_json::Error> {
    let generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let schema = generator.into_root_schema_for::<Line<'_>>();
    serde_json::to_string_pretty(&schema).map(|text| text + "\n")
}
