//! Threads as automata, side by side.
//!
//! ```text
//!   t0
//!  ┌────┐
//!  │ q0 │◀────────────────┐
//!  └┬───┘                 │
//!   ├─ assume r = 0 ──────┘      an edge to any location but the next: to its track, and back
//!   │  r <- mem[x]               the edge to the next location, beside its line
//!  ┌▼───┐
//!  │ q1 │
//! ```
//!
//! Each location has a row, and each edge another one below it, which has its label. Lines pass to the left
//! of labels, to their right, or in the rows of locations, so they strike through none.

use super::svg::{MARGIN, Svg, Tip, cut, width};
use crate::program::{InstrId, LocId, Program, Site, ThreadId};
use crate::report::code;

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
pub fn automata(program: &Program) -> String {
    let mut svg = Svg::default();
    let mut x = MARGIN;
    for thread in program.thread_ids() {
        x = automaton(program, thread, x, &mut svg) + BETWEEN;
    }
    svg.finish(program.name())
}

/// Draws a thread, and returns where it ends.
fn automaton(program: &Program, id: ThreadId, left: i32, svg: &mut Svg) -> i32 {
    let thread = program.thread(id);
    let label = |instr: InstrId| {
        let text = code::instruction(program, Site { thread: id, instr });
        cut(&text, LONGEST)
    };
    let locations: Vec<LocId> = (0..thread.locations().len()).map(LocId::from).collect();
    let is_next =
        |loc: LocId, instr: InstrId| thread.instruction(instr).to.index() == loc.index() + 1;
    svg.text("head", left, MARGIN + 10, thread.name());
    // The row of each location, and of each edge: the edge to the next location comes last.
    let mut y = MARGIN + 22;
    let mut rows: Vec<i32> = Vec::new();
    let mut edges: Vec<(LocId, InstrId, i32, bool)> = Vec::new();
    for &loc in &locations {
        rows.push(y);
        y += ROW;
        let mut outgoing = thread.outgoing(loc).to_vec();
        let straight = outgoing.iter().rposition(|&instr| is_next(loc, instr));
        if let Some(straight) = straight {
            let instr = outgoing.remove(straight);
            outgoing.push(instr);
        }
        let count = outgoing.len();
        for (number, instr) in outgoing.into_iter().enumerate() {
            let is_straight = straight.is_some() && number + 1 == count;
            edges.push((loc, instr, y, is_straight));
            y += ROW;
        }
    }
    let stem = left + 10;
    let text = left + 26;
    let widest = edges.iter().map(|&(_, instr, _, _)| width(&label(instr)));
    let boxes = locations.iter().map(|&loc| {
        let name = &thread.location(loc).name;
        width(&cut(name, LONGEST)) + 20
    });
    let boxes: Vec<i32> = boxes.collect();
    let right = [
        text + widest.max().unwrap_or(0),
        left + boxes.iter().copied().max().unwrap_or(0),
        left + width(thread.name()),
    ];
    let right = right.into_iter().max().unwrap_or(left) + 10;
    // One track for each location that edges lead to.
    let mut targets: Vec<LocId> = Vec::new();
    for &(_, instr, y, is_straight) in &edges {
        let instruction = thread.instruction(instr);
        let (from, to) = (instruction.from, instruction.to);
        let below = rows[from.index()] + BOX;
        if is_straight {
            svg.path("line", &format!("M{stem} {below}V{}", rows[to.index()] - 5));
            svg.tip("tip", stem, rows[to.index()], Tip::Down);
            svg.text("", text, y + 14, &label(instr));
            continue;
        }
        let track = targets.iter().position(|&target| target == to);
        let track = track.unwrap_or_else(|| {
            targets.push(to);
            targets.len() - 1
        });
        let x = right + TRACK * track as i32;
        let (middle, target) = (y + 10, rows[to.index()] + BOX / 2);
        let label = label(instr);
        svg.path("line", &format!("M{stem} {below}V{middle}H{}", text - 4));
        svg.text("", text, y + 14, &label);
        let arrives = left + boxes[to.index()];
        svg.path(
            "line",
            &format!(
                "M{} {middle}H{x}V{target}H{}",
                text + width(&label) + 4,
                arrives + 6
            ),
        );
        svg.tip("tip", arrives, target, Tip::Left);
    }
    let end = right + TRACK * targets.len().saturating_sub(1) as i32;
    svg.widen(end);
    for (&loc, &wide) in locations.iter().zip(&boxes) {
        let y = rows[loc.index()];
        let class = if loc == thread.entry() {
            "box bold"
        } else {
            "box"
        };
        svg.rect(class, (left, y), (wide, BOX));
        if thread.is_end(loc) {
            svg.rect("box", (left + 3, y + 3), (wide - 6, BOX - 6));
        }
        svg.text(
            "",
            left + 10,
            y + 14,
            &cut(&thread.location(loc).name, LONGEST),
        );
    }
    end
}
