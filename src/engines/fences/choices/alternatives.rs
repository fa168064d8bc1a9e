//! Alternatives: places where a programmer would rather have the fence than at one that the search
//! considers.
//!
//! ```text
//! before a loop                for the test of its condition, where once is enough
//! at the end of its body       for the test: control only passes on to it
//! at the start of its body     for the test, if what the test loads does not matter
//! before a statement           for a position inside an expression that follows it, or before it
//! ```
//!
//! An alternative costs the same, and excludes at most as much as the place that it may replace. So the
//! search ignores it, and tries it in a set that was found: whether that still suffices is decided like
//! everything else.

use super::{Place, before};
use crate::facts::Loops;
use crate::program::{FenceKind, LocId, Op, Program, Role, Thread};
use std::collections::BTreeMap;

/// Where an alternative is, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Where {
    /// Before a loop: it is executed once.
    BeforeLoop,
    /// Between statements, and control only passes on from there.
    Earlier,
    /// Between statements after it.
    Later,
}

/// A place, and one that it may replace.
pub(super) struct Pair {
    pub(super) place: Place,
    pub(super) instead_of: Place,
    pub(super) kind: Where,
}

/// The longest way from one to the other, in instructions.
const LONGEST: usize = 16;

/// The alternatives among these places: for each place the nearest one of each kind.
pub(super) fn alternatives(program: &Program, places: &[Place]) -> Vec<Pair> {
    let ways: Vec<Ways> = program.threads().iter().map(Ways::of).collect();
    let mut pairs = Vec::new();
    let is_replaceable = |place: &&Place| {
        let mut points = place.points.iter();
        place.kind != FenceKind::Exchange
            && points.all(|&(t, there)| ways[t.index()].is_replaceable(there))
    };
    for instead_of in places.iter().filter(is_replaceable) {
        let mut nearest: BTreeMap<Where, (usize, &Place)> = BTreeMap::new();
        for place in places {
            let Some((kind, distance)) = distance(&ways, place, instead_of) else {
                continue;
            };
            let known = nearest.entry(kind).or_insert((distance, place));
            if distance < known.0 {
                *known = (distance, place);
            }
        }
        pairs.extend(nearest.into_iter().map(|(kind, (_, place))| Pair {
            place: place.clone(),
            instead_of: instead_of.clone(),
            kind,
        }));
    }
    pairs
}

/// Where a place is that may replace another one, and how far from it.
fn distance(ways: &[Ways], place: &Place, instead_of: &Place) -> Option<(Where, usize)> {
    let is_alike = place.kind == instead_of.kind
        && place.cost == instead_of.cost
        && place.points.len() == instead_of.points.len();
    let mut farthest = None;
    for (&(t, here), &(u, there)) in place.points.iter().zip(&instead_of.points) {
        if !is_alike || t != u || here == there {
            return None;
        }
        farthest = farthest.max(Some(ways[t.index()].between(here, there)?));
    }
    farthest
}

/// How control gets from one location of a thread to another.
struct Ways {
    loops: Loops,
    /// Whether no statement can begin there.
    inside: Vec<bool>,
    /// The location that control only passes on to, without any access.
    onward: Vec<Option<LocId>>,
    /// Whether it does nothing at all on the way.
    skips: Vec<bool>,
    /// The location that control only comes from, without a store.
    from: Vec<Option<LocId>>,
}

impl Ways {
    fn of(thread: &Thread) -> Self {
        let locations = (0..thread.locations().len()).map(LocId::from);
        let leaving = |loc: LocId| {
            let leaving = thread.outgoing(loc).iter();
            leaving.map(|&i| thread.instruction(i))
        };
        let onward = |loc: LocId| {
            let target = leaving(loc).next()?.to;
            let only = leaving(loc).all(|i| i.to == target && i.op.is_local());
            only.then_some(target)
        };
        Self {
            loops: Loops::of(thread),
            inside: locations
                .clone()
                .map(|loc| leaving(loc).any(|i| i.role == Role::Inside))
                .collect(),
            onward: locations.clone().map(onward).collect(),
            skips: locations
                .clone()
                .map(|loc| leaving(loc).all(|i| i.op == Op::Skip))
                .collect(),
            from: locations.map(|loc| before(thread, loc)).collect(),
        }
    }

    /// Whether there may be places that are rather used than this one.
    fn is_replaceable(&self, there: LocId) -> bool {
        self.inside[there.index()] || self.loops.is_head(there)
    }

    /// Where `here` is, if a fence there may replace one at `there`, and how far from it.
    fn between(&self, here: LocId, there: LocId) -> Option<(Where, usize)> {
        let passes = distance_along(&self.onward, here, there);
        let enters = self.loops.is_head(there) && self.loops.depth(here) < self.loops.depth(there);
        if enters && self.skips[here.index()] && passes == Some(1) {
            return Some((Where::BeforeLoop, 1));
        }
        if self.inside[here.index()] || !self.inside[there.index()] {
            return None;
        }
        let earlier = passes.map(|distance| (Where::Earlier, distance));
        earlier.or_else(|| {
            let follows = distance_along(&self.from, here, there)?;
            Some((Where::Later, follows))
        })
    }
}

/// The length of the only way from one location to the other.
fn distance_along(next: &[Option<LocId>], from: LocId, to: LocId) -> Option<usize> {
    let mut at = from;
    for distance in 1..=LONGEST {
        at = next[at.index()]?;
        if at == to {
            return Some(distance);
        }
    }
    None
}
