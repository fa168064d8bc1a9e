//! The happens-before relation of an execution: a lane for each thread, time downwards.
//!
//! ```text
//!      t0                        t1
//!   ┌─────────────┐
//!   │ 17: x = 1;  │◀╌╌╌╌╌ fr: x ╌╌╌╌╌┐
//!   └─────────┬───┘                  ╎
//!             ╎ po, dashed: reordered╎
//!   ┌─────────▼───┐           ┌──────┴──────┐
//! ```
//!
//! A box is an access, at the time of its execution, with its statement, its cell and its value. A store
//! that others overtake is highlighted, and so are those; a dotted line leads to where it reaches memory.
//! Edges of a cycle are drawn in another colour than the rest.

use super::svg::{MARGIN, Svg, Tip, cut, width};
use crate::program::ThreadId;
use crate::reference::{Event, EventId, HappensBefore, Relation, Run};
use crate::report::{ShownRun, Source};

/// The height of a box with its two lines.
const BOX: i32 = 42;
/// The space below a box.
const GAP: i32 = 26;
/// The space between lanes, which has the labels of the edges.
const BETWEEN: i32 = 120;
/// The height of the line where a store reaches memory.
const ARRIVAL: i32 = 26;
/// The longest text in a box, in characters.
const LONGEST: usize = 42;

/// Where an access is drawn.
struct Placed {
    lane: usize,
    x: i32,
    y: i32,
    width: i32,
}

/// The execution as an image; `None` if no thread accesses memory in it.
pub fn execution(shown: &ShownRun<'_>) -> Option<String> {
    let (source, run) = (&shown.source, shown.run);
    let before = run.happens_before();
    if before.events.is_empty() {
        return None;
    }
    let cycle = before.cycle();
    let mut svg = Svg::default();
    let shape = match (&cycle, before.shape()) {
        (Some(_), Some(shape)) => format!("{shape} under {}", run.model),
        (Some(_), None) => format!("a happens-before cycle under {}", run.model),
        (None, _) => format!("an execution under {} without a cycle", run.model),
    };
    svg.text("head", MARGIN, MARGIN + 10, &shape);
    let placed = place(source, run, &before, &mut svg);
    let cycle = cycle.unwrap_or_default();
    edges(source, &before, &cycle, &placed, &mut svg);
    for (event, at) in before.events.iter().zip(&placed) {
        let class = if is_delayed(&before, event) {
            "delayed"
        } else if overtakes(&before, event) {
            "overtaking"
        } else {
            "box"
        };
        svg.rect(class, (at.x, at.y), (at.width, BOX));
        let [statement, access] = words(source, event);
        svg.text("", at.x + 8, at.y + 17, &statement);
        svg.text("small", at.x + 8, at.y + 34, &access);
    }
    legend(&before, &mut svg);
    Some(svg.finish(&shape))
}

/// Whether later accesses of its thread take effect before this store.
pub(in crate::report) fn is_delayed(before: &HappensBefore, event: &Event) -> bool {
    before.events.iter().any(|later| is_overtaken(event, later))
}

/// Whether an access takes effect before an earlier store of its thread.
fn overtakes(before: &HappensBefore, event: &Event) -> bool {
    before
        .events
        .iter()
        .any(|earlier| is_overtaken(earlier, event))
}

/// Whether the second takes effect before the first, which was executed before it by the same thread.
pub(in crate::report) fn is_overtaken(earlier: &Event, later: &Event) -> bool {
    earlier.site.thread == later.site.thread
        && earlier.executed < later.executed
        && later.effective < earlier.effective
}

/// The statement, and what it does to which cell.
fn words(source: &Source<'_>, event: &Event) -> [String; 2] {
    let line = source.program.instruction(event.site).origin.line;
    let statement = source.statement(event.site);
    let statement = if line == 0 {
        statement
    } else {
        format!("{line}: {statement}")
    };
    let cell = source.program.cell_name(event.addr);
    let value = |value: i32| {
        if source.program.unwritten() == Some(value) {
            "never written".to_owned()
        } else {
            value.to_string()
        }
    };
    let access = match (event.loaded, event.stored) {
        (Some(old), Some(new)) => format!("{cell}: {} becomes {}", value(old), value(new)),
        (Some(loaded), None) => format!("load {cell} → {}", value(loaded)),
        (None, Some(stored)) => format!("store {cell} = {}", value(stored)),
        (None, None) => cell,
    };
    [cut(&statement, LONGEST), cut(&access, LONGEST)]
}

/// What is drawn at a time: an access, or where a delayed one reaches memory.
#[derive(Clone, Copy)]
enum Mark {
    Access(usize),
    Arrival(usize),
}

/// Places the boxes, and draws the heads of the lanes and where delayed stores reach memory.
fn place(source: &Source<'_>, run: &Run, before: &HappensBefore, svg: &mut Svg) -> Vec<Placed> {
    let mut threads: Vec<ThreadId> = before.events.iter().map(|e| e.site.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let arrives = |event: &Event| {
        format!("{} reaches memory", {
            let cell = source.program.cell_name(event.addr);
            event
                .stored
                .map_or(cell.clone(), |value| format!("{cell} = {value}"))
        })
    };
    // The left edge of each lane's boxes, and their width.
    let mut columns: Vec<(i32, i32)> = Vec::new();
    let mut x = MARGIN + 14;
    for &thread in &threads {
        let name = source.thread(thread);
        let own = before
            .events
            .iter()
            .filter(|event| event.site.thread == thread);
        let widths = own.map(|event| {
            let [statement, access] = words(source, event);
            let arrival = if is_delayed(before, event) {
                width(&arrives(event)) + 24
            } else {
                0
            };
            (width(&statement).max(width(&access)) + 16).max(arrival)
        });
        let wide = widths.max().unwrap_or(0).max(width(name)).max(120);
        svg.text("head", x, MARGIN + 38, name);
        columns.push((x, wide));
        x += wide + BETWEEN;
    }
    let mut marks: Vec<(usize, Mark)> = Vec::new();
    for (number, event) in before.events.iter().enumerate() {
        marks.push((event.executed, Mark::Access(number)));
        if is_delayed(before, event) && event.effective < run.moments.len() {
            marks.push((event.effective, Mark::Arrival(number)));
        }
    }
    marks.sort_by_key(|&(at, _)| at);
    let lane = |event: &Event| {
        threads
            .iter()
            .position(|&t| t == event.site.thread)
            .unwrap_or(0)
    };
    let mut placed: Vec<Placed> = Vec::new();
    let mut y = MARGIN + 52;
    for (_, mark) in marks {
        match mark {
            Mark::Access(number) => {
                let lane = lane(&before.events[number]);
                let (x, width) = columns[lane];
                placed.push(Placed { lane, x, y, width });
                y += BOX + GAP;
            }
            Mark::Arrival(number) => {
                let event = &before.events[number];
                let at = &placed[number];
                let (side, from) = (at.x - 9, at.y + BOX / 2);
                svg.path(
                    "line dotted",
                    &format!("M{} {from}H{side}V{}H{}", at.x, y + 6, at.x),
                );
                svg.text("small", at.x + 4, y + 10, &arrives(event));
                y += ARRIVAL;
            }
        }
    }
    placed
}

/// Draws program order inside the lanes, and the other relations between them.
fn edges(
    source: &Source<'_>,
    before: &HappensBefore,
    cycle: &[(EventId, Relation)],
    placed: &[Placed],
    svg: &mut Svg,
) {
    let next = cycle.iter().cycle().skip(1);
    let on_cycle: Vec<(EventId, Relation, EventId)> = cycle
        .iter()
        .zip(next)
        .map(|(&(from, relation), &(to, _))| (from, relation, to))
        .collect();
    let is_on_cycle = |from, to| on_cycle.iter().any(|&(a, _, b)| (a, b) == (from, to));
    for edge in &before.edges {
        let is_order = match edge.relation {
            Relation::Po => true,
            Relation::Rf | Relation::Co | Relation::Fr | Relation::Block => false,
        };
        let (hot, between) = (
            is_on_cycle(edge.from, edge.to),
            placed[edge.from.index()].lane != placed[edge.to.index()].lane,
        );
        if is_order {
            order(before, edge.from, edge.to, placed, hot, svg);
        } else if between && !hot {
            conflict(
                source,
                before,
                (edge.from, edge.relation, edge.to),
                placed,
                false,
                svg,
            );
        }
    }
    for &(from, relation, to) in &on_cycle {
        match relation {
            Relation::Po | Relation::Block => {
                let is_immediate = before
                    .edges
                    .iter()
                    .any(|e| e.relation == Relation::Po && (e.from, e.to) == (from, to));
                if !is_immediate {
                    around(before, from, relation, to, placed, svg);
                }
            }
            Relation::Rf | Relation::Co | Relation::Fr => {
                conflict(source, before, (from, relation, to), placed, true, svg);
            }
        }
    }
}

fn dashes(before: &HappensBefore, from: EventId, to: EventId) -> &'static str {
    if is_overtaken(before.event(from), before.event(to)) {
        " dashed"
    } else {
        ""
    }
}

/// Program order between neighbours: straight down, near the right side of the boxes.
fn order(
    before: &HappensBefore,
    from: EventId,
    to: EventId,
    placed: &[Placed],
    hot: bool,
    svg: &mut Svg,
) {
    let (a, b) = (&placed[from.index()], &placed[to.index()]);
    let x = a.x + a.width - 12;
    let (line, tip) = if hot {
        ("hot", "hottip")
    } else {
        ("line", "tip")
    };
    let dashes = dashes(before, from, to);
    svg.path(
        &format!("{line}{dashes}"),
        &format!("M{x} {}V{}", a.y + BOX, b.y - 5),
    );
    svg.tip(tip, x, b.y, Tip::Down);
    svg.text("label", x + 6, a.y + BOX + 14, "po");
}

/// Program order between accesses that are not neighbours: around those in between.
fn around(
    before: &HappensBefore,
    from: EventId,
    relation: Relation,
    to: EventId,
    placed: &[Placed],
    svg: &mut Svg,
) {
    let (a, b) = (&placed[from.index()], &placed[to.index()]);
    let right = a.x + a.width;
    let (y0, y1) = (a.y + BOX - 8, b.y + 8);
    let dashes = dashes(before, from, to);
    svg.path(
        &format!("hot{dashes}"),
        &format!(
            "M{right} {y0}C{} {y0} {} {y1} {} {y1}",
            right + 36,
            right + 36,
            right + 6
        ),
    );
    svg.tip("hottip", right, y1, Tip::Left);
    svg.widen(right + 60);
    svg.text(
        "label",
        right + 30,
        i32::midpoint(y0, y1),
        &relation.to_string(),
    );
}

/// A relation between accesses of two threads.
fn conflict(
    source: &Source<'_>,
    before: &HappensBefore,
    (from, relation, to): (EventId, Relation, EventId),
    placed: &[Placed],
    hot: bool,
    svg: &mut Svg,
) {
    let (a, b) = (&placed[from.index()], &placed[to.index()]);
    let rightwards = a.lane < b.lane;
    let (x0, x1, tip) = if rightwards {
        (a.x + a.width, b.x, Tip::Right)
    } else {
        (a.x, b.x + b.width, Tip::Left)
    };
    // What begins at a box, and what ends there, have heights of their own.
    let (y0, y1) = (a.y + BOX / 2 - 7, b.y + BOX / 2 + 7);
    let (line, head) = if hot {
        ("hot", "hottip")
    } else {
        ("line", "tip")
    };
    let bend = (x1 - x0) / 2;
    let end = if rightwards { x1 - 6 } else { x1 + 6 };
    svg.path(
        line,
        &format!(
            "M{x0} {y0}C{} {y0} {} {y1} {end} {y1}",
            x0 + bend,
            x1 - bend
        ),
    );
    svg.tip(head, x1, y1, tip);
    let cell = source.program.cell_name(before.event(from).addr);
    let label = cut(&format!("{relation}: {cell}"), 16);
    // A quarter of the way: in the middle, the edges of a cycle cross.
    let x = if rightwards {
        x0 + 14
    } else {
        x0 - 14 - width(&label)
    };
    svg.text("label", x, y0 + (y1 - y0) / 8 - 5, &label);
}

/// What the colours mean.
fn legend(before: &HappensBefore, svg: &mut Svg) {
    if !before.events.iter().any(|event| is_delayed(before, event)) {
        return;
    }
    let mut y = svg.bottom() + 20;
    for (class, meaning) in [
        ("delayed", "a store that is delayed"),
        ("overtaking", "an access that overtakes it"),
    ] {
        svg.rect(class, (MARGIN, y), (18, 12));
        svg.text("small", MARGIN + 26, y + 10, meaning);
        y += 20;
    }
    svg.path(
        "line dashed",
        &format!("M{MARGIN} {}H{}", y + 6, MARGIN + 18),
    );
    svg.text(
        "small",
        MARGIN + 26,
        y + 10,
        "program order that is not kept",
    );
}
