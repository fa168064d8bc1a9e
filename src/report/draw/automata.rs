//! Threads as automata, side by side.
//!
//! ```text
//!   t0
//!  ┌────┐
//!  │ q0 │◀────────────────────┐
//!  └┬───┘                     │
//!   ├─ 19 assume r = 0 ───────┘      an edge to any location but the next: to its track, and back
//!   │  19 r <- mem[x]                the edge to the next location, beside its line
//!  ┌▼───┐
//!  │ q1 │
//! ```
//!
//! Each location has a row, and each edge another one below it, which has its line of the text and its label.
//! Lines pass to the left of labels, to their right, or in the rows of locations, so they strike through none.
//! Steps of a thread alone that follow each other are one edge: what happens between them is seen by nothing.

use super::svg::{MARGIN, Svg, Tip, cut, small_width, width};
use crate::program::{InstrId, LocId, Op, Site, Thread, ThreadId};
use crate::report::{Source, code};

/// The height of a row.
const ROW: i32 = 28;
/// The height of a location's box.
const BOX: i32 = 20;
/// The distance of the tracks of edges.
const TRACK: i32 = 12;
/// The space between threads.
const BETWEEN: i32 = 48;
/// The longest label, in characters.
const LONGEST: usize = 60;

/// The threads as automata in one image. Entry locations have a bold border, end locations a double one.
pub fn automata(source: &Source<'_>) -> String {
    let mut svg = Svg::default();
    let mut x = MARGIN;
    for thread in source.program.thread_ids() {
        x = automaton(source, thread, x, &mut svg) + BETWEEN;
    }
    svg.finish(source.program.name())
}

/// An edge: one instruction, or several local ones.
struct Edge {
    from: LocId,
    to: LocId,
    /// The number of its line; may be empty.
    line: String,
    label: String,
    /// The same in full, with the statements of the text.
    title: String,
}

impl Edge {
    fn new(source: &Source<'_>, thread: ThreadId, instrs: &[InstrId]) -> Self {
        let automaton = source.program.thread(thread);
        let (first, last) = (instrs[0], instrs[instrs.len() - 1]);
        let sites = instrs.iter().map(|&instr| Site { thread, instr });
        let labels = sites.clone();
        let labels = labels.map(|site| code::instruction(source.program, site));
        let label = labels.collect::<Vec<_>>().join("; ");
        let mut statements: Vec<String> = Vec::new();
        for site in sites {
            if source.program.instruction(site).origin.line > 0 {
                let statement = format!("{}: {}", source.place(site), source.statement(site));
                if !statements.contains(&statement) {
                    statements.push(statement);
                }
            }
        }
        let line = automaton.instruction(first).origin.line;
        Self {
            from: automaton.instruction(first).from,
            to: automaton.instruction(last).to,
            line: if line == 0 {
                String::new()
            } else {
                line.to_string()
            },
            title: [vec![label.clone()], statements].concat().join(" | "),
            label: cut(&label, LONGEST),
        }
    }
}

/// The edges of a thread, those that leave a location one after the other.
fn edges(source: &Source<'_>, id: ThreadId) -> Vec<Edge> {
    let thread = source.program.thread(id);
    let mut edges = Vec::new();
    for loc in (0..thread.locations().len()).map(LocId::from) {
        if is_inner(thread, loc) {
            continue;
        }
        for &instr in thread.outgoing(loc) {
            let mut path = vec![instr];
            let mut to = thread.instruction(instr).to;
            while is_inner(thread, to) {
                let next = thread.outgoing(to)[0];
                path.push(next);
                to = thread.instruction(next).to;
            }
            edges.push(Edge::new(source, id, &path));
        }
    }
    edges
}

/// Whether a location is between two local steps, of which the one always follows the other.
fn is_inner(thread: &Thread, loc: LocId) -> bool {
    let is_local = |instr: InstrId| {
        let op = &thread.instruction(instr).op;
        matches!(op, Op::Skip | Op::Assign { .. } | Op::Assume(_))
    };
    let instrs = (0..thread.instructions().len()).map(InstrId::from);
    let mut arriving = instrs.filter(|&instr| thread.instruction(instr).to == loc);
    let (Some(before), None) = (arriving.next(), arriving.next()) else {
        return false;
    };
    let &[after] = thread.outgoing(loc) else {
        return false;
    };
    let is_named = loc == thread.entry() || thread.location(loc).labelled || thread.is_end(loc);
    let is_loop = thread.instruction(after).to == loc;
    !is_named && !is_loop && is_local(before) && is_local(after)
}

/// Draws a thread, and returns where it ends.
fn automaton(source: &Source<'_>, id: ThreadId, left: i32, svg: &mut Svg) -> i32 {
    let thread = source.program.thread(id);
    let locations = (0..thread.locations().len()).map(LocId::from);
    let locations: Vec<LocId> = locations.filter(|&loc| !is_inner(thread, loc)).collect();
    let shown = |loc: LocId| locations.iter().position(|&other| other == loc);
    let edges = edges(source, id);
    let is_next = |edge: &Edge| {
        let (from, to) = (shown(edge.from), shown(edge.to));
        from.map(|from| from + 1) == to
    };
    svg.text("head", left, MARGIN + 10, thread.name());
    // The row of each location, and of each edge: the edge to the next location comes last.
    let mut y = MARGIN + 22;
    let mut rows: Vec<i32> = Vec::new();
    let mut placed: Vec<(&Edge, i32, bool)> = Vec::new();
    for &loc in &locations {
        rows.push(y);
        y += ROW;
        let mut outgoing: Vec<&Edge> = edges.iter().filter(|edge| edge.from == loc).collect();
        let straight = outgoing.iter().rposition(|edge| is_next(edge));
        if let Some(straight) = straight {
            let edge = outgoing.remove(straight);
            outgoing.push(edge);
        }
        let count = outgoing.len();
        for (number, edge) in outgoing.into_iter().enumerate() {
            placed.push((edge, y, straight.is_some() && number + 1 == count));
            y += ROW;
        }
    }
    let row = |loc: LocId| shown(loc).map_or(0, |at| rows[at]);
    let stem = left + 10;
    let numbers = left + 26;
    let widest = edges.iter().map(|edge| small_width(&edge.line)).max();
    let text = numbers + widest.filter(|&wide| wide > 0).map_or(0, |wide| wide + 8);
    let widest = edges.iter().map(|edge| width(&edge.label));
    let boxes = locations.iter().map(|&loc| {
        let name = &thread.location(loc).name;
        width(&cut(name, LONGEST)) + 20
    });
    let boxes: Vec<i32> = boxes.collect();
    let wide = |loc: LocId| shown(loc).map_or(0, |at| boxes[at]);
    let right = [
        text + widest.max().unwrap_or(0),
        left + boxes.iter().copied().max().unwrap_or(0),
        left + width(thread.name()),
    ];
    let right = right.into_iter().max().unwrap_or(left) + 10;
    // One track for each location that edges lead to.
    let mut targets: Vec<LocId> = Vec::new();
    for &(edge, y, is_straight) in &placed {
        let below = row(edge.from) + BOX;
        svg.open("edge", None, &edge.title);
        if !edge.line.is_empty() {
            svg.text("small", numbers, y + 14, &edge.line);
        }
        svg.text("", text, y + 14, &edge.label);
        if is_straight {
            let to = row(edge.to);
            svg.path("line", &format!("M{stem} {below}V{}", to - 5));
            svg.tip("tip", stem, to, Tip::Down);
            svg.close();
            continue;
        }
        let track = targets.iter().position(|&target| target == edge.to);
        let track = track.unwrap_or_else(|| {
            targets.push(edge.to);
            targets.len() - 1
        });
        let x = right + TRACK * track as i32;
        let (middle, target) = (y + 10, row(edge.to) + BOX / 2);
        svg.path("line", &format!("M{stem} {below}V{middle}H{}", numbers - 4));
        let arrives = left + wide(edge.to);
        svg.path(
            "line",
            &format!(
                "M{} {middle}H{x}V{target}H{}",
                text + width(&edge.label) + 4,
                arrives + 6
            ),
        );
        svg.tip("tip", arrives, target, Tip::Left);
        svg.close();
    }
    let end = right + TRACK * targets.len().saturating_sub(1) as i32;
    svg.widen(end);
    for (&loc, (&wide, &y)) in locations.iter().zip(boxes.iter().zip(&rows)) {
        let class = if loc == thread.entry() {
            "box bold"
        } else {
            "box"
        };
        svg.rect(class, (left, y), (wide, BOX));
        if thread.is_end(loc) {
            svg.rect("box", (left + 3, y + 3), (wide - 6, BOX - 6));
        }
        let name = cut(&thread.location(loc).name, LONGEST);
        svg.text("", left + 10, y + 14, &name);
    }
    end
}
