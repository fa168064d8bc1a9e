//! Drawings: automata and happens-before cycles in the DOT language, automata as SVG.
//!
//! Entry locations have a bold border, end locations a double one. The SVG is laid out here, with the
//! threads side by side; no external program is needed.

use super::{Source, code, evidence};
use crate::explicit::Run;
use crate::program::{LocId, Program, Site, ThreadId};
use crate::visible::visible_line;
use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element, ShapeKind};
use layout::topo::layout::VisualGraph;
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
pub fn cycle(source: &Source<'_>, run: &Run) -> Option<String> {
    let cycle = evidence::cycle(run)?;
    let name = cycle.shape.map_or_else(
        || "happens-before cycle".to_owned(),
        |shape| shape.to_string(),
    );
    let mut out = format!("digraph {} {{\n", quoted(&name));
    out.push_str("  node [shape=box, fontname=\"monospace\"];\n");
    for (number, edge) in cycle.edges.iter().enumerate() {
        let label = label(&access(source, edge.from));
        let _ = writeln!(out, "  e{number} [label={label}];");
    }
    for (number, edge) in cycle.edges.iter().enumerate() {
        let next = (number + 1) % cycle.edges.len();
        let relation = label(&edge.relation.to_string());
        let _ = writeln!(out, "  e{number} -> e{next} [label={relation}];");
    }
    out.push_str("}\n");
    Some(out)
}

/// The threads as automata in one SVG image.
pub fn svg(program: &Program) -> String {
    let mut graph = VisualGraph::new(Orientation::TopToBottom);
    for id in program.thread_ids() {
        let thread = program.thread(id);
        let nodes: Vec<_> = (0..thread.locations().len())
            .map(LocId::from)
            .map(|loc| {
                let name = format!("{}: {}", thread.name(), thread.location(loc).name);
                let element = if thread.is_end(loc) {
                    node(&name, ShapeKind::new_double_circle)
                } else {
                    node(&name, ShapeKind::new_box)
                };
                graph.add_node(element)
            })
            .collect();
        for (index, instruction) in thread.instructions().iter().enumerate() {
            let label = visible_line(&code::instruction(program, site(id, index)));
            let (from, to) = (instruction.from.index(), instruction.to.index());
            graph.add_edge(Arrow::simple(&label), nodes[from], nodes[to]);
        }
    }
    drawn(graph)
}

/// The happens-before cycle of a run as an SVG image; `None` if it has none.
pub fn cycle_svg(source: &Source<'_>, run: &Run) -> Option<String> {
    let cycle = evidence::cycle(run)?;
    let mut graph = VisualGraph::new(Orientation::LeftToRight);
    let nodes: Vec<_> = cycle
        .edges
        .iter()
        .map(|edge| graph.add_node(node(&access(source, edge.from), ShapeKind::new_box)))
        .collect();
    for (number, edge) in cycle.edges.iter().enumerate() {
        let next = (number + 1) % nodes.len();
        let label = edge.relation.to_string();
        graph.add_edge(Arrow::simple(&label), nodes[number], nodes[next]);
    }
    Some(drawn(graph))
}

/// An access in a cycle: `t0, line 4: x = 1;`
fn access(source: &Source<'_>, site: Site) -> String {
    let thread = source.program.thread(site.thread).name();
    format!(
        "{thread}, {}: {}",
        source.place(site),
        source.statement(site)
    )
}

fn node(label: &str, shape: impl Fn(&str) -> ShapeKind) -> Element {
    let label = visible_line(label);
    let letters = u16::try_from(label.chars().count()).unwrap_or(u16::MAX);
    let size = Point::new(12.0 + 9.0 * f64::from(letters), 36.0);
    Element::create(
        shape(&label),
        StyleAttr::simple(),
        Orientation::TopToBottom,
        size,
    )
}

fn drawn(mut graph: VisualGraph) -> String {
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
