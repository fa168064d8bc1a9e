//! Where the edges between accesses run: along tracks in the gutters between lanes.
//!
//! ```text
//!   lane 0      gutter 1       lane 1
//!  ┌───────┐ fr: x            ┌───────┐
//!  │       ├─────────┐  ┌─────┤       │    a label is above its edge, where that leaves its box
//!  └───────┘         │  │     └───────┘
//!       ◀────────────┼──┘                  tracks: lines downwards or upwards that share no point
//! ```
//!
//! Each access has a row of its own, so a line in the row of its source passes lanes without meeting a box.
//! It turns in the gutter beside the lane of its target, at a track that no other line has at that height.
//! Labels are in zones of the gutters that have no tracks. So no line passes through a text.

use super::Row;
use crate::program::ThreadId;
use crate::reference::{EventId, HappensBefore, Relation};
use crate::report::draw::svg::small_width;
use std::cmp::Ordering;

/// The distance between tracks.
const TRACK: i32 = 10;
/// The space between a lane and the first track.
const PADDING: i32 = 16;
/// The distance of the first and the last end of a line from the corners of its box.
const CORNER: i32 = 9;
/// The radius of a turn.
const RADIUS: i32 = 6;

/// An edge between two accesses that are not drawn one below the other.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) from: EventId,
    pub(super) relation: Relation,
    pub(super) to: EventId,
    /// Whether it belongs to the cycle.
    pub(super) hot: bool,
    /// What is written above it; may be empty.
    pub(super) label: String,
    /// The width of that.
    label_width: i32,
    /// The heights at which it leaves and arrives.
    heights: (i32, i32),
    /// The gutter in which it turns, and the track there.
    gutter: usize,
    track: usize,
}

/// A side of a box.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Side {
    Left,
    Right,
}

/// A gutter: the widths of the labels at both sides, and the number of tracks between them.
#[derive(Clone, Copy, Default, Debug)]
struct Gutter {
    left: i32,
    tracks: usize,
    right: i32,
}

/// A lane: where its boxes begin, and how wide they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) x: i32,
    pub(super) width: i32,
}

impl Column {
    fn right(self) -> i32 {
        self.x + self.width
    }
}

impl Route {
    pub(super) fn new(from: EventId, relation: Relation, to: EventId, hot: bool) -> Self {
        Self {
            from,
            relation,
            to,
            hot,
            label: String::new(),
            label_width: 0,
            heights: (0, 0),
            gutter: 0,
            track: 0,
        }
    }

    pub(super) fn labelled(self, label: String) -> Self {
        Self {
            label_width: small_width(&label),
            label,
            ..self
        }
    }

    /// The sides at which it leaves and arrives.
    fn sides(&self, rows: &[Row]) -> (Side, Side) {
        let (from, to) = (rows[self.from.index()].lane, rows[self.to.index()].lane);
        match from.cmp(&to) {
            Ordering::Less => (Side::Right, Side::Left),
            Ordering::Greater => (Side::Left, Side::Right),
            Ordering::Equal => (Side::Right, Side::Right),
        }
    }
}

/// The conflicts to draw: of several reads of one value by a thread, the first has its `rf` and the last its
/// `fr`, since program order implies the rest. Edges of the cycle are drawn whatever else is.
pub(super) fn conflicts(before: &HappensBefore, on_cycle: &[(EventId, EventId)]) -> Vec<Route> {
    let thread = |id: EventId| -> ThreadId { before.event(id).site.thread };
    let mut routes: Vec<Route> = Vec::new();
    for edge in &before.edges {
        let implied = before.edges.iter().any(|other| {
            let same = other.relation == edge.relation;
            match edge.relation {
                Relation::Rf => {
                    let earlier = other.to.index() < edge.to.index();
                    same && other.from == edge.from
                        && thread(other.to) == thread(edge.to)
                        && earlier
                }
                Relation::Fr => {
                    let later = other.from.index() > edge.from.index();
                    same && other.to == edge.to && thread(other.from) == thread(edge.from) && later
                }
                Relation::Po | Relation::Co | Relation::Block => false,
            }
        });
        let is_order = matches!(edge.relation, Relation::Po | Relation::Block);
        let within = thread(edge.from) == thread(edge.to);
        if !is_order && !within && !implied && !on_cycle.contains(&(edge.from, edge.to)) {
            routes.push(Route::new(edge.from, edge.relation, edge.to, false));
        }
    }
    routes
}

/// Chooses where all edges leave and arrive, and their tracks. Returns the lanes, whose boxes have these
/// widths, from this left end on, and where the last gutter ends.
pub(super) fn route(
    routes: &mut [Route],
    rows: &[Row],
    widths: &[i32],
    left: i32,
) -> (Vec<Column>, Vec<i32>, i32) {
    ends(routes, rows);
    let mut gutters = vec![Gutter::default(); widths.len() + 1];
    for route in routes.iter_mut() {
        let (leaves, arrives) = route.sides(rows);
        let (from, to) = (rows[route.from.index()].lane, rows[route.to.index()].lane);
        route.gutter = match arrives {
            Side::Left => to,
            Side::Right => to + 1,
        };
        match leaves {
            Side::Right => {
                let zone = &mut gutters[from + 1].left;
                *zone = (*zone).max(route.label_width);
            }
            Side::Left => {
                let zone = &mut gutters[from].right;
                *zone = (*zone).max(route.label_width);
            }
        }
    }
    for (number, gutter) in gutters.iter_mut().enumerate() {
        gutter.tracks = tracks(routes, number);
    }
    // The first gutter begins at the left end, and each lane after its gutter.
    let mut columns: Vec<Column> = Vec::new();
    let mut firsts: Vec<i32> = Vec::new();
    let mut x = left;
    for (number, gutter) in gutters.iter().enumerate() {
        let is_outer = number == 0 || number == widths.len();
        if gutter.tracks > 0 || gutter.left + gutter.right > 0 || !is_outer {
            x += PADDING + gutter.left;
            firsts.push(x);
            x += TRACK * gutter.tracks as i32 + gutter.right + PADDING;
        } else {
            firsts.push(x);
        }
        if let Some(&width) = widths.get(number) {
            // Beside the boxes, a line leads from a delayed store to where it reaches memory.
            x += super::BESIDE;
            columns.push(Column { x, width });
            x += width;
        }
    }
    (columns, firsts, x)
}

/// Distributes the ends of lines over the sides of their boxes: what has a label is at the top.
fn ends(routes: &mut [Route], rows: &[Row]) {
    let mut all: Vec<(usize, Side, bool, usize, bool)> = Vec::new();
    for (number, route) in routes.iter().enumerate() {
        let (leaves, arrives) = route.sides(rows);
        let labelled = !route.label.is_empty();
        all.push((route.from.index(), leaves, !labelled, number, true));
        all.push((route.to.index(), arrives, true, number, false));
    }
    all.sort_unstable();
    for own in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let count = own.len() as i32;
        for (&(event, _, _, number, leaves), place) in own.iter().zip(0..) {
            let within = if count == 1 {
                super::BOX / 2
            } else {
                CORNER + place * (super::BOX - 2 * CORNER) / (count - 1)
            };
            let height = rows[event].y + within;
            let heights = &mut routes[number].heights;
            if leaves {
                heights.0 = height;
            } else {
                heights.1 = height;
            }
        }
    }
}

/// Chooses the tracks in a gutter, so that lines on one share no height, and returns how many there are.
fn tracks(routes: &mut [Route], gutter: usize) -> usize {
    let mut own: Vec<&mut Route> = routes.iter_mut().filter(|r| r.gutter == gutter).collect();
    let extent = |route: &Route| {
        let (a, b) = route.heights;
        (a.min(b), a.max(b))
    };
    own.sort_by_key(|route| extent(route));
    // Where the last line on each track ends.
    let mut ends: Vec<i32> = Vec::new();
    for route in own {
        let (top, bottom) = extent(route);
        let free = ends.iter().position(|&end| end + RADIUS < top);
        let track = free.unwrap_or_else(|| {
            ends.push(0);
            ends.len() - 1
        });
        ends[track] = bottom;
        route.track = track;
    }
    ends.len()
}

/// A route on paper: its line, where and in which direction its tip is, and where its label begins.
pub(super) struct Drawn {
    pub(super) line: String,
    pub(super) tip: (i32, i32),
    pub(super) to_right: bool,
    pub(super) label: (i32, i32),
}

impl Route {
    /// The line between these lanes, whose gutters have their first tracks here.
    pub(super) fn drawn(&self, rows: &[Row], columns: &[Column], firsts: &[i32]) -> Drawn {
        let (leaves, arrives) = self.sides(rows);
        let (from, to) = (
            columns[rows[self.from.index()].lane],
            columns[rows[self.to.index()].lane],
        );
        let (y0, y1) = self.heights;
        let x0 = match leaves {
            Side::Left => from.x,
            Side::Right => from.right(),
        };
        let (x1, to_right) = match arrives {
            Side::Left => (to.x, true),
            Side::Right => (to.right(), false),
        };
        let track = firsts[self.gutter] + TRACK * self.track as i32 + TRACK / 2;
        let down = if y1 > y0 { RADIUS } else { -RADIUS };
        // Towards the track, and from there to the tip.
        let (before, after) = (
            if x0 < track { -RADIUS } else { RADIUS },
            if track < x1 { RADIUS } else { -RADIUS },
        );
        let end = if to_right { x1 - 6 } else { x1 + 6 };
        let line = format!(
            "M{x0} {y0}H{}Q{track} {y0} {track} {}V{}Q{track} {y1} {} {y1}H{end}",
            track + before,
            y0 + down,
            y1 - down,
            track + after
        );
        let label = match leaves {
            Side::Right => (x0 + PADDING / 2, y0 - 4),
            Side::Left => (x0 - super::BESIDE - PADDING / 2 - self.label_width, y0 - 4),
        };
        Drawn {
            line,
            tip: (x1, y1),
            to_right,
            label,
        }
    }
}
