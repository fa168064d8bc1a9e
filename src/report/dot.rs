//! Drawings in the DOT language: automata and happens-before cycles.
//!
//! Entry locations have a bold border, end locations a double one. In a cycle, each thread is a cluster;
//! stores that are delayed are filled, and program order that is not kept is dashed.

use super::draw::{is_delayed, is_overtaken};
use super::{ShownRun, Source, code};
use crate::program::{LocId, Program, Site, ThreadId};
use crate::reference::Relation;
use crate::visible::visible_line;
use std::fmt::Write as _;

/// The threads as automata, each in its own cluster.
pub fn automata(program: &Program) -> String {
    let mut out = format!("digraph {} {{\n", quoted(program.name()));
    out.push_str("  node [shape=circle, fontname=\"monospace\"];\n");
    out.push_str("  edge [fontname=\"monospace\"];\n");
    for id in program.thread_ids() {
        let thread = program.thread(id);
        let _ = writeln!(out, "  subgraph \"cluster_{id}\" {{");
        let _ = writeln!(out, "    label={};", label(thread.name()));
        for index in 0..thread.locations().len() {
            let loc = LocId::from(index);
            let shape = if thread.is_end(loc) {
                ", shape=doublecircle"
            } else {
                ""
            };
            let border = if loc == thread.entry() {
                ", style=bold"
            } else {
                ""
            };
            let name = label(&thread.location(loc).name);
            let _ = writeln!(out, "    \"{id}.{loc}\" [label={name}{shape}{border}];");
        }
        for (index, instruction) in thread.instructions().iter().enumerate() {
            let label = label(&code::instruction(program, site(id, index)));
            let (from, to) = (instruction.from, instruction.to);
            let _ = writeln!(out, "    \"{id}.{from}\" -> \"{id}.{to}\" [label={label}];");
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

/// The happens-before cycle of a run; `None` if it has none.
pub fn cycle(shown: &ShownRun<'_>) -> Option<String> {
    let (source, run) = (&shown.source, shown.run);
    let before = run.happens_before();
    let cycle = before.cycle()?;
    let name = before.shape().map_or_else(
        || "happens-before cycle".to_owned(),
        |shape| shape.to_string(),
    );
    let mut out = format!("digraph {} {{\n", quoted(&name));
    out.push_str("  node [shape=box, fontname=\"monospace\"];\n");
    out.push_str("  edge [fontname=\"monospace\"];\n");
    for thread in source.program.thread_ids() {
        let mut own = cycle.iter().enumerate();
        let mut own = own
            .by_ref()
            .filter(|(_, (id, _))| before.thread(*id) == thread)
            .peekable();
        if own.peek().is_none() {
            continue;
        }
        let _ = writeln!(out, "  subgraph \"cluster_{thread}\" {{");
        let _ = writeln!(out, "    label={};", label(source.thread(thread)));
        for (number, &(id, _)) in own {
            let event = before.event(id);
            let filled = if is_delayed(&before, event) {
                ", style=filled, fillcolor=\"#fff1e5\""
            } else {
                ""
            };
            let label = label(&access(source, event.site));
            let _ = writeln!(out, "    e{number} [label={label}{filled}];");
        }
        out.push_str("  }\n");
    }
    for (number, &(from, relation)) in cycle.iter().enumerate() {
        let next = (number + 1) % cycle.len();
        let (from, to) = (before.event(from), before.event(cycle[next].0));
        let relation = match relation {
            Relation::Rf | Relation::Co | Relation::Fr => {
                format!("{relation}: {}", source.program.cell_name(from.addr))
            }
            Relation::Po | Relation::Block => relation.to_string(),
        };
        let dashed = if is_overtaken(from, to) {
            ", style=dashed"
        } else {
            ""
        };
        let relation = label(&relation);
        let _ = writeln!(out, "  e{number} -> e{next} [label={relation}{dashed}];");
    }
    out.push_str("}\n");
    Some(out)
}

/// An access in a cycle: `t0, line 4: x = 1;`
fn access(source: &Source<'_>, site: Site) -> String {
    let thread = source.thread(site.thread);
    format!(
        "{thread}, {}: {}",
        source.place(site),
        source.statement(site)
    )
}

fn site(thread: ThreadId, index: usize) -> Site {
    Site {
        thread,
        instr: index.into(),
    }
}

/// A quoted name in the DOT language.
fn quoted(text: &str) -> String {
    let escaped = visible_line(text)
        .replace('\\', "\\\\")
        .replace('"', "\\\"");
    format!("\"{escaped}\"")
}

/// A quoted label. `&` is escaped where DOT would interpret what follows as an HTML entity, such as
/// `&lt;`.
fn label(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for (index, part) in text.split('&').enumerate() {
        if index > 0 {
            let is_entity = part.split_once(';').is_some_and(|(name, _)| {
                let name = name.strip_prefix('#').unwrap_or(name);
                !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric())
            });
            shown.push_str(if is_entity { "&amp;" } else { "&" });
        }
        shown.push_str(part);
    }
    quoted(&shown)
}
