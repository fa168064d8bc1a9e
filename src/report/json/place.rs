//! Places in a program as JSON: of instructions, of fences, and of code that no execution reaches.

use crate::check::Vacuity;
use crate::program::{Origin, Site};
use crate::report::Source;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(JsonSchema, Serialize)]
pub(super) struct Place {
    pub(super) thread: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<u32>,
    /// The file of that line, if it is not that of the whole object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ends: Option<bool>,
}

pub(super) fn place(source: &Source<'_>, site: Site) -> Place {
    let thread = source.program.thread(site.thread);
    let instruction = thread.instruction(site.instr);
    Place {
        thread: thread.name().to_owned(),
        label: Some(thread.location(instruction.from).name.clone()),
        line: instruction.origin.known_line(),
        file: file(source, instruction.origin),
        ends: None,
    }
}

pub(super) fn vacuous(source: &Source<'_>, vacuity: &Vacuity) -> Vec<Place> {
    let ends = vacuity.never_end.iter().map(|&thread| Place {
        thread: source.thread(thread).to_owned(),
        label: None,
        line: None,
        file: None,
        ends: Some(false),
    });
    let executed = source.unreachable(vacuity);
    let executed = executed.into_iter().map(|site| place(source, site));
    ends.chain(executed).collect()
}

pub(super) fn file(source: &Source<'_>, origin: Origin) -> Option<String> {
    source.program.file(origin).map(str::to_owned)
}

pub(super) fn known(line: u32) -> Option<u32> {
    (line > 0).then_some(line)
}
