//! Executions as JSON: their steps, and the cycle that the order of their accesses has.

use super::super::source::Caller;
use super::super::{ShownRun, Source, evidence};
use super::{Place, file, place, waits};
use crate::program::Op;
use crate::reference::{Action, Moment, Shape, Step};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(JsonSchema, Serialize)]
pub(super) struct Witness {
    steps: Vec<StepJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle: Option<Vec<EdgeJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<String>,
    /// The threads that wait forever at its end, if that is the goal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waiting: Vec<waits::WaitJson>,
    /// Whether no execution that reaches the same goal has fewer steps.
    minimal: bool,
    replayed: bool,
}

#[derive(JsonSchema, Serialize)]
struct StepJson {
    thread: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// The file of that line, if it is not that of the whole object.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    called_at: Vec<u32>,
    /// The files of these lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    called_in: Vec<String>,
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<i32>,
    /// Whether the value that is missing was never written: for a locked instruction, the old one.
    #[serde(skip_serializing_if = "Option::is_none")]
    never_written: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    early: Option<bool>,
}

#[derive(JsonSchema, Serialize)]
struct EdgeJson {
    from: Place,
    to: Place,
    relation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
}

pub(super) fn witness(of: &ShownRun<'_>) -> Witness {
    let (source, run) = (&of.source, of.run);
    let cycle = evidence::cycle(run);
    let shape = cycle
        .as_ref()
        .and_then(|cycle| cycle.shape)
        .map(Shape::words);
    let edges = cycle.map(|cycle| {
        let edges = cycle.edges.iter().map(|edge| EdgeJson {
            from: place(source, edge.from),
            to: place(source, edge.to),
            relation: edge.relation.to_string(),
            address: edge.addr.map(|addr| source.program.cell_name(addr)),
        });
        edges.collect()
    });
    Witness {
        steps: run.moments.iter().map(|m| step(source, m)).collect(),
        cycle: edges,
        shape,
        waiting: waits::waiting(source, evidence::waits(of)),
        minimal: run.shortest,
        // Only the reference constructs runs, by replay.
        replayed: true,
    }
}

fn step(source: &Source<'_>, moment: &Moment) -> StepJson {
    let program = source.program;
    let instruction = program.instruction(moment.site);
    let executed = match moment.step {
        Step::Execute { choice, .. } => Some(choice),
        Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => None,
    };
    let callers = source.callers(moment.site);
    let file_of = |caller: &Caller<'_>| caller.file.unwrap_or(source.file).to_owned();
    let mut json = StepJson {
        thread: program.thread(moment.site.thread).name().to_owned(),
        line: instruction.origin.known_line(),
        file: file(source, instruction.origin),
        called_at: callers.iter().map(|caller| caller.line).collect(),
        called_in: callers.iter().map(file_of).collect(),
        action: "local",
        address: None,
        value: None,
        old: None,
        never_written: None,
        early: None,
    };
    let touched = match &moment.action {
        Action::Issue { addr, value } => {
            json.action = "issue";
            Some((addr, value))
        }
        Action::Flush { addr, value } => {
            json.action = if executed.is_some() { "store" } else { "flush" };
            Some((addr, value))
        }
        Action::Load { addr, value, early } => {
            json.action = "load";
            json.early = Some(*early);
            Some((addr, value))
        }
        Action::Rmw { addr, old, new } => {
            json.action = "rmw";
            json.old = Some(*old);
            Some((addr, new))
        }
        Action::Advance { addr, value } => {
            json.action = "advance";
            Some((addr, value))
        }
        Action::Fence => {
            json.action = "fence";
            None
        }
        Action::Retire => {
            json.action = "retire";
            None
        }
        Action::Local => {
            if let Op::Havoc { .. } = instruction.op {
                json.value = executed.flatten();
            }
            None
        }
    };
    if let Some((addr, value)) = touched {
        json.address = Some(program.cell_name(*addr));
        json.value = Some(*value);
    }
    for value in [&mut json.value, &mut json.old] {
        if value.is_some() && *value == program.unwritten() {
            *value = None;
            json.never_written = Some(true);
        }
    }
    json
}
