//! The happens-before relation of an execution: a lane for each thread, time downwards.
//!
//! ```text
//!      t0                        t1
//!   ┌─────────────┐
//!   │ 17: x = 1;  │◀─────╮
//!   └─────────┬───┘      │
//!             ╎ po, dashed: reordered
//!   ┌─────────▼───┐      │ fr: x ┌─────────────┐
//!   │             │      ╰───────┤ 4: r = x;   │
//! ```
//!
//! A box is an access, at the time of its execution, with its statement, its cell and its value. A store
//! that others overtake is highlighted, and so are those; a dotted line leads to where it reaches memory.
//! Edges of a cycle are drawn in a colour of their own and have labels. The other edges have the colours of
//! their relations; what they are about is their title, which viewers show where one points. [`routes`] keeps
//! lines and texts apart.
//!
//! `data-at` is the step of an access, by its position in the run, so that pages can highlight it.

mod routes;

use super::svg::{MARGIN, Svg, Tip, cut, width};
use crate::program::ThreadId;
use crate::reference::{Event, EventId, HappensBefore, Relation, Run};
use crate::report::{ShownRun, Source};
use routes::{Column, Route};

/// The height of a box with its two lines.
const BOX: i32 = 42;
/// The space below a box.
const GAP: i32 = 26;
/// The space to the left of boxes, which has the lines of delayed stores.
const BESIDE: i32 = 14;
/// The height of the line where a store reaches memory.
const ARRIVAL: i32 = 26;
/// The longest text in a box, in characters.
const LONGEST: usize = 42;
/// The longest label of an edge, in characters.
const LONGEST_LABEL: usize = 20;

/// Where an access is drawn: its lane, and the top of its box.
#[derive(Clone, Copy, Debug)]
struct Row {
    lane: usize,
    y: i32,
}

/// The execution as an image; `None` if no thread accesses memory in it.
pub fn execution(shown: &ShownRun<'_>) -> Option<String> {
    let (source, run) = (&shown.source, shown.run);
    let before = run.happens_before();
    if before.events.is_empty() {
        return None;
    }
    let cycle = before.cycle();
    let shape = match (&cycle, before.shape()) {
        (Some(_), Some(shape)) => format!("{shape} under {}", run.model),
        (Some(_), None) => format!("a happens-before cycle under {}", run.model),
        (None, _) => format!("an execution under {} without a cycle", run.model),
    };
    let picture = Picture::new(*source, run, &before, &cycle.unwrap_or_default());
    let mut svg = Svg::default();
    svg.text("head", MARGIN, MARGIN + 10, &shape);
    picture.draw(&mut svg);
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
    [statement, access]
}

/// `x = 1 reaches memory`
fn arrival(source: &Source<'_>, event: &Event) -> String {
    let cell = source.program.cell_name(event.addr);
    let value = event.stored.map(|value| format!(" = {value}"));
    format!("{cell}{} reaches memory", value.unwrap_or_default())
}

/// The places of everything, before it is drawn.
struct Picture<'a> {
    source: Source<'a>,
    before: &'a HappensBefore,
    threads: Vec<ThreadId>,
    rows: Vec<Row>,
    /// The heights at which delayed stores reach memory.
    arrivals: Vec<(EventId, i32)>,
    /// The edges that are not straight.
    routes: Vec<Route>,
    /// The edges of the cycle.
    cycle: Vec<(EventId, Relation, EventId)>,
    columns: Vec<Column>,
    /// Where the tracks of each gutter begin.
    tracks: Vec<i32>,
    right: i32,
    bottom: i32,
}

impl<'a> Picture<'a> {
    fn new(
        source: Source<'a>,
        run: &Run,
        before: &'a HappensBefore,
        cycle: &[(EventId, Relation)],
    ) -> Self {
        let mut threads: Vec<ThreadId> = before.events.iter().map(|e| e.site.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        let (rows, arrivals, bottom) = rows(run, before, &threads);
        let next = cycle.iter().cycle().skip(1);
        let pairs = cycle.iter().zip(next);
        let cycle: Vec<(EventId, Relation, EventId)> = pairs
            .map(|(&(from, relation), &(to, _))| (from, relation, to))
            .collect();
        let on_cycle: Vec<(EventId, EventId)> = cycle.iter().map(|&(a, _, b)| (a, b)).collect();
        let mut routes = routes::conflicts(before, &on_cycle);
        routes.extend(cycle.iter().filter_map(|&(from, relation, to)| {
            let label = match relation {
                Relation::Po | Relation::Block => {
                    // Neighbours have a straight line.
                    let is_edge = |e: &crate::reference::Edge| {
                        (e.from, e.relation, e.to) == (from, Relation::Po, to)
                    };
                    if before.edges.iter().any(is_edge) {
                        return None;
                    }
                    relation.to_string()
                }
                Relation::Rf | Relation::Co | Relation::Fr => {
                    let cell = source.program.cell_name(before.event(from).addr);
                    format!("{relation}: {cell}")
                }
            };
            let label = cut(&label, LONGEST_LABEL);
            Some(Route::new(from, relation, to, true).labelled(label))
        }));
        let widths: Vec<i32> = threads
            .iter()
            .map(|&thread| wide(&source, before, thread))
            .collect();
        let (columns, tracks, right) = routes::route(&mut routes, &rows, &widths, MARGIN);
        Self {
            source,
            before,
            threads,
            rows,
            arrivals,
            routes,
            cycle,
            columns,
            tracks,
            right,
            bottom,
        }
    }

    /// Lines first, so that boxes are above them.
    fn draw(&self, svg: &mut Svg) {
        for (&thread, column) in self.threads.iter().zip(&self.columns) {
            let name = self.source.thread(thread);
            svg.text("head", column.x, MARGIN + 38, name);
        }
        for edge in &self.before.edges {
            if edge.relation == Relation::Po {
                self.order(edge.from, edge.to, svg);
            }
        }
        // What belongs to the cycle is above the rest.
        for hot in [false, true] {
            for route in self.routes.iter().filter(|route| route.hot == hot) {
                self.route(route, svg);
            }
        }
        for &(store, y) in &self.arrivals {
            let event = self.before.event(store);
            let (x, top) = self.corner(store);
            let (side, from) = (x - 9, top + BOX / 2);
            let words = arrival(&self.source, event);
            svg.open("event", Some(event.effective), &words);
            svg.path("line dotted", &format!("M{x} {from}H{side}V{}H{x}", y + 6));
            svg.text("small", x + 4, y + 10, &cut(&words, LONGEST));
            svg.close();
        }
        for (event, number) in self.before.events.iter().zip(0..) {
            self.access(event, EventId(number), svg);
        }
        svg.widen(self.right);
        self.legend(svg);
    }

    fn corner(&self, id: EventId) -> (i32, i32) {
        let row = self.rows[id.index()];
        (self.columns[row.lane].x, row.y)
    }

    fn access(&self, event: &Event, id: EventId, svg: &mut Svg) {
        let class = if is_delayed(self.before, event) {
            "delayed"
        } else if overtakes(self.before, event) {
            "overtaking"
        } else {
            "box"
        };
        let (x, y) = self.corner(id);
        let wide = self.columns[self.rows[id.index()].lane].width;
        let [statement, access] = words(&self.source, event);
        svg.open("event", Some(event.executed), &self.described(event, id));
        svg.rect(class, (x, y), (wide, BOX));
        svg.text("", x + 8, y + 17, &cut(&statement, LONGEST));
        svg.text("small", x + 8, y + 34, &cut(&access, LONGEST));
        svg.close();
    }

    /// An access with what it reads, for the title.
    fn described(&self, event: &Event, id: EventId) -> String {
        let [statement, access] = words(&self.source, event);
        let thread = self.source.thread(event.site.thread);
        let reads = match (event.loaded, self.before.source[id.index()]) {
            (None, _) => String::new(),
            (Some(_), None) => ", the initial value".to_owned(),
            (Some(_), Some(store)) => format!(", from {}", self.named(store)),
        };
        format!("{thread}, {statement} ({access}{reads})")
    }

    /// `t0 line 4`
    fn named(&self, id: EventId) -> String {
        let site = self.before.event(id).site;
        let (thread, place) = (self.source.thread(site.thread), self.source.place(site));
        format!("{thread} {place}")
    }

    /// Program order between neighbours: straight down, near the right side of the boxes.
    fn order(&self, from: EventId, to: EventId, svg: &mut Svg) {
        let (x, top) = self.corner(from);
        let (_, bottom) = self.corner(to);
        let x = x + self.columns[self.rows[from.index()].lane].width - 12;
        let hot = self.cycle.iter().any(|&(a, _, b)| (a, b) == (from, to));
        let (line, tip) = if hot {
            ("hot", "hottip")
        } else {
            ("line", "tip")
        };
        let dashes = self.dashes(from, to);
        svg.open("edge", None, &self.about(from, Relation::Po, to));
        svg.path(
            &format!("{line}{dashes}"),
            &format!("M{x} {}V{}", top + BOX, bottom - 5),
        );
        svg.tip(tip, x, bottom, Tip::Down);
        svg.close();
    }

    fn dashes(&self, from: EventId, to: EventId) -> &'static str {
        if is_overtaken(self.before.event(from), self.before.event(to)) {
            " dashed"
        } else {
            ""
        }
    }

    /// An edge in words, for its title.
    fn about(&self, from: EventId, relation: Relation, to: EventId) -> String {
        let cell = match relation {
            Relation::Po | Relation::Block => String::new(),
            Relation::Rf | Relation::Co | Relation::Fr => {
                let addr = self.before.event(from).addr;
                format!(" on {}", self.source.program.cell_name(addr))
            }
        };
        format!(
            "{relation}{cell}: {} → {}",
            self.named(from),
            self.named(to)
        )
    }

    fn route(&self, route: &Route, svg: &mut Svg) {
        let drawn = route.drawn(&self.rows, &self.columns, &self.tracks);
        let (line, tip) = match (route.hot, route.relation) {
            (true, _) => ("hot", "hottip"),
            (false, Relation::Rf) => ("line rf", "rftip"),
            (false, Relation::Co) => ("line co", "cotip"),
            (false, Relation::Fr) => ("line fr", "frtip"),
            (false, Relation::Po | Relation::Block) => ("line", "tip"),
        };
        let dashes = match route.relation {
            Relation::Po => self.dashes(route.from, route.to),
            Relation::Rf | Relation::Co | Relation::Fr | Relation::Block => "",
        };
        let about = self.about(route.from, route.relation, route.to);
        svg.open("edge", None, &about);
        svg.path(&format!("{line}{dashes}"), &drawn.line);
        let side = if drawn.to_right {
            Tip::Right
        } else {
            Tip::Left
        };
        svg.tip(tip, drawn.tip.0, drawn.tip.1, side);
        if !route.label.is_empty() {
            svg.text("label", drawn.label.0, drawn.label.1, &route.label);
        }
        svg.close();
    }

    /// What the colours and lines mean that occur.
    fn legend(&self, svg: &mut Svg) {
        let mut y = self.bottom + 8;
        let entry = |y: &mut i32, class: &str, meaning: &str, svg: &mut Svg| {
            if class == "delayed" || class == "overtaking" {
                svg.rect(class, (MARGIN, *y), (18, 12));
            } else {
                let line = format!("M{MARGIN} {}H{}", *y + 6, MARGIN + 18);
                svg.path(class, &line);
            }
            svg.text("small", MARGIN + 26, *y + 10, meaning);
            *y += 20;
        };
        let has = |relation: Relation| {
            let mut cold = self.routes.iter().filter(|route| !route.hot);
            cold.any(|route| route.relation == relation)
        };
        let mut delays = self.before.events.iter();
        let delays = delays.any(|event| is_delayed(self.before, event));
        let mut orders = self.before.edges.iter();
        let orders = orders.any(|edge| edge.relation == Relation::Po);
        let entries = [
            (delays, "delayed", "a store that is delayed"),
            (delays, "overtaking", "an access that overtakes it"),
            (
                !self.arrivals.is_empty(),
                "line dotted",
                "until it reaches memory",
            ),
            (!self.cycle.is_empty(), "hot", "the happens-before cycle"),
            (orders, "line", "po: program order"),
            (delays, "line dashed", "program order that is not kept"),
            (
                has(Relation::Rf),
                "line rf",
                "rf: reads what that store wrote",
            ),
            (
                has(Relation::Fr),
                "line fr",
                "fr: reads before that store overwrites it",
            ),
            (
                has(Relation::Co),
                "line co",
                "co: reaches memory before that store",
            ),
        ];
        for (occurs, class, meaning) in entries {
            if occurs {
                entry(&mut y, class, meaning, svg);
            }
        }
    }
}

/// The rows of all accesses, the heights at which delayed stores reach memory, and where the last row ends.
fn rows(
    run: &Run,
    before: &HappensBefore,
    threads: &[ThreadId],
) -> (Vec<Row>, Vec<(EventId, i32)>, i32) {
    // By time: an access or, where it is delayed, its arrival in memory.
    let mut marks: Vec<(usize, EventId, bool)> = Vec::new();
    for (event, number) in before.events.iter().zip(0..) {
        marks.push((event.executed, EventId(number), false));
        if is_delayed(before, event) && event.effective < run.moments.len() {
            marks.push((event.effective, EventId(number), true));
        }
    }
    marks.sort_by_key(|&(at, _, _)| at);
    let (mut rows, mut arrivals) = (Vec::new(), Vec::new());
    let mut y = MARGIN + 52;
    for (_, id, arrives) in marks {
        if arrives {
            arrivals.push((id, y));
            y += ARRIVAL;
        } else {
            let own = before.event(id).site.thread;
            let lane = threads.iter().position(|&thread| thread == own);
            let lane = lane.unwrap_or(0);
            rows.push(Row { lane, y });
            y += BOX + GAP;
        }
    }
    (rows, arrivals, y)
}

/// How wide the boxes of a thread are.
fn wide(source: &Source<'_>, before: &HappensBefore, thread: ThreadId) -> i32 {
    let own = before.events.iter();
    let own = own.filter(|event| event.site.thread == thread);
    let widths = own.map(|event| {
        let [statement, access] = words(source, event).map(|text| width(&cut(&text, LONGEST)));
        let arrives = if is_delayed(before, event) {
            // Program order is drawn at the right.
            width(&cut(&arrival(source, event), LONGEST)) + 24
        } else {
            0
        };
        (statement.max(access) + 16).max(arrives)
    });
    let name = width(source.thread(thread));
    widths.max().unwrap_or(0).max(name).max(120)
}
