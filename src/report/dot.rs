//! Drawings: automata and happens-before cycles in the DOT language, automata as SVG.
//!
//! Entry locations have a bold border, ends a double one. The SVG is laid out here, thread beside
//! thread, and needs no other program.

use super::{Source, code, evidence};
use crate::explicit::Run;
use crate::program::{LocId, Program, Site, ThreadId};
use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element, ShapeKind};
use layout::topo::layout::VisualGraph;
use std::fmt::Write as _;

/// The threads as automata, each in a cluster of its own.
pub fn automata(program: &Program) -> String {
    let mut out = format!("digraph {} {{\n", quoted(program.name()));
    out.push_str("  node [shape=circle, fontname=\"monospace\"];\n");
    out.push_str("  edge [fontname=\"monospace\"];\n");
    for id in program.thread_ids() {
        let thread = program.thread(id);
        let _ = writeln!(out, "  subgraph \"cluster_{id}\" {{");
        let _ = writeln!(out, "    label={};", quoted(thread.name()));
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
            let name = quoted(&thread.location(loc).name);
            let _ = writeln!(out, "    \"{id}.{loc}\" [label={name}{shape}{border}];");
        }
        for (index, instruction) in thread.instructions().iter().enumerate() {
            let label = quoted(&code::instruction(program, site(id, index)));
            let (from, to) = (instruction.from, instruction.to);
            let _ = writeln!(out, "    \"{id}.{from}\" -> \"{id}.{to}\" [label={label}];");
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

/// The happens-before cycle of a run; `None` if it has none.
pub fn cycle(source: &Source<'_>, run: &Run) -> Option<String> {
    let cycle = evidence::cycle(run)?;
    let name = cycle.shape.map_or_else(
        || "happens-before cycle".to_owned(),
        |shape| shape.to_string(),
    );
    let mut out = format!("digraph {} {{\n", quoted(&name));
    out.push_str("  node [shape=box, fontname=\"monospace\"];\n");
    for (number, edge) in cycle.edges.iter().enumerate() {
        let thread = source.program.thread(edge.from.thread).name();
        let place = source.place(edge.from);
        let label = format!("{thread}, {place}: {}", source.statement(edge.from));
        let _ = writeln!(out, "  e{number} [label={}];", quoted(&label));
    }
    for (number, edge) in cycle.edges.iter().enumerate() {
        let next = (number + 1) % cycle.edges.len();
        let relation = quoted(&edge.relation.to_string());
        let _ = writeln!(out, "  e{number} -> e{next} [label={relation}];");
    }
    out.push_str("}\n");
    Some(out)
}

/// The threads as automata in one SVG picture.
pub fn svg(program: &Program) -> String {
    let mut graph = VisualGraph::new(Orientation::TopToBottom);
    for id in program.thread_ids() {
        let thread = program.thread(id);
        let nodes: Vec<_> = (0..thread.locations().len())
            .map(LocId::from)
            .map(|loc| {
                let name = format!("{}: {}", thread.name(), thread.location(loc).name);
                let shape = if thread.is_end(loc) {
                    ShapeKind::new_double_circle(&name)
                } else {
                    ShapeKind::new_box(&name)
                };
                let letters = u16::try_from(name.chars().count()).unwrap_or(u16::MAX);
                let size = Point::new(12.0 + 9.0 * f64::from(letters), 36.0);
                let element =
                    Element::create(shape, StyleAttr::simple(), Orientation::TopToBottom, size);
                graph.add_node(element)
            })
            .collect();
        for (index, instruction) in thread.instructions().iter().enumerate() {
            let label = code::instruction(program, site(id, index));
            let (from, to) = (instruction.from.index(), instruction.to.index());
            graph.add_edge(Arrow::simple(&label), nodes[from], nodes[to]);
        }
    }
    let mut writer = SVGWriter::new();
    graph.do_it(false, false, false, &mut writer);
    writer.finalize()
}

fn site(thread: ThreadId, index: usize) -> Site {
    Site {
        thread,
        instr: index.into(),
    }
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}
