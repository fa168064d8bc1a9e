//! Among which of the places a cheapest set is looked for.
//!
//! ```text
//! (dominated) the only way to it comes from another place without a store in between, or the only
//!             way on leads to another place without doing anything, and that one costs no more:
//!             what a fence cuts here, it cuts there, and it displaces nothing
//! ```
//!
//! The rule does not lose the least cost. It does leave out sets that cost as much and differ only
//! in where, between the same two accesses, a fence stands; so it is not applied where all sets are
//! asked for.

use super::negated::Negated;
use super::place::{Place, Survey};
use crate::analysis::Loops;
use crate::model::Model;
use crate::program::{FenceKind, LocId, Op, Program, Thread, ThreadId};
use ahash::AHashMap;
use std::collections::BTreeMap;

/// The places among which a cheapest set is looked for, and others that are as good for a reader.
pub(super) struct Choices {
    /// All of them.
    pub(super) places: Vec<Place>,
    /// For each, the place instead of which it is tried once a set is found. The search itself
    /// leaves it alone: the other one costs as little and does all that it does.
    pub(super) instead: Vec<Option<usize>>,
}

impl Choices {
    /// All of them are to be chosen among.
    pub(super) fn all(places: Vec<Place>) -> Self {
        let instead = vec![None; places.len()];
        Self { places, instead }
    }

    /// Those that are not dominated; and the places in front of loops, instead of those at their
    /// heads: a fence that is passed once is what a person writes where it suffices. `seen` as for
    /// [`places`](super::place::places).
    pub(super) fn best(seen: &Program, model: Model, labels: &Negated, places: Vec<Place>) -> Self {
        let mut fronts = fronts(seen, &places);
        fronts.retain(|(_, head)| !labels.displaced_by(head));
        let mut places = drop_dominated(seen, model, labels, places);
        let kept = |(front, head): &&(Place, Place), places: &[Place]| {
            places.contains(head) && !places.contains(front)
        };
        let fronts: Vec<_> = fronts.iter().filter(|pair| kept(pair, &places)).collect();
        places.extend(fronts.iter().map(|(front, _)| front.clone()));
        places.sort_by(|a, b| a.points.cmp(&b.points));
        let number = |wanted: &Place| places.iter().position(|place| place == wanted);
        let instead = places.iter().map(|place| {
            let pair = fronts.iter().find(|(front, _)| front == place);
            pair.and_then(|(_, head)| number(head))
        });
        let instead = instead.collect();
        Self { places, instead }
    }
}

/// The places in front of loops that cost no less than those at the loops' heads, with those.
fn fronts(program: &Program, places: &[Place]) -> Vec<(Place, Place)> {
    let loops: Vec<Loops> = program.threads().iter().map(Loops::of).collect();
    let is_front = |front: &Place, head: &Place| {
        let enters = |(&(t, from), &(u, to)): (&(ThreadId, LocId), &(ThreadId, LocId))| {
            let thread = program.thread(t);
            let loops = &loops[t.index()];
            let leads = thread.outgoing(from).iter().all(|&i| {
                let instruction = thread.instruction(i);
                instruction.to == to && instruction.op == Op::Skip
            });
            t == u && leads && loops.is_head(to) && loops.depth(from) < loops.depth(to)
        };
        front.kind == head.kind
            && front.kind != FenceKind::Exchange
            && front.cost == head.cost
            && front.points.len() == head.points.len()
            && front.points.iter().zip(&head.points).all(enters)
    };
    let mut fronts = Vec::new();
    for front in places {
        let heads = places.iter().filter(|head| is_front(front, head));
        fronts.extend(heads.map(|head| (front.clone(), head.clone())));
    }
    fronts
}

/// The places without the dominated ones. `seen` as for [`places`](super::place::places).
fn drop_dominated(
    seen: &Program,
    model: Model,
    labels: &Negated,
    places: Vec<Place>,
) -> Vec<Place> {
    let threads: Vec<Survey> = seen
        .threads()
        .iter()
        .map(|thread| Survey::of(thread, model))
        .collect();
    let mut by_kind: BTreeMap<FenceKind, Vec<Place>> = BTreeMap::new();
    for place in places {
        by_kind.entry(place.kind).or_default().push(place);
    }
    let mut left = Vec::new();
    for (_, mut of_kind) in by_kind {
        drop_passed(seen, labels, &mut of_kind);
        drop_followed(seen, &threads, labels, &mut of_kind);
        left.extend(of_kind);
    }
    left.sort_by(|a, b| a.points.cmp(&b.points));
    left
}

/// Takes out the places from which control only goes on to another one.
fn drop_passed(program: &Program, labels: &Negated, places: &mut Vec<Place>) {
    let mut by_point: AHashMap<(ThreadId, LocId), usize> = AHashMap::new();
    for (number, place) in places.iter().enumerate() {
        by_point.extend(place.points.iter().map(|&point| (point, number)));
    }
    // No row of these closes a circle: from a circle that does nothing no access follows, and its
    // places are useless.
    let passed: Vec<bool> = places
        .iter()
        .enumerate()
        .map(|(number, place)| {
            if place.kind == FenceKind::Exchange {
                return false;
            }
            let mut nexts = place.points.iter().map(|&(t, loc)| {
                let thread = program.thread(t);
                let [only] = thread.outgoing(loc) else {
                    return None;
                };
                let only = thread.instruction(*only);
                let passes = only.op == Op::Skip && only.to != loc;
                by_point.get(&(t, only.to)).copied().filter(|_| passes)
            });
            let Some(Some(next)) = nexts.next() else {
                return false;
            };
            next != number
                && nexts.all(|other| other == Some(next))
                && places[next].cost <= place.cost
                && !labels.displaced_by(&places[next])
        })
        .collect();
    let mut passed = passed.into_iter();
    places.retain(|_| !passed.next().unwrap_or(false));
}

/// Takes out the places that only follow another one.
fn drop_followed(program: &Program, threads: &[Survey], labels: &Negated, places: &mut Vec<Place>) {
    let mut by_point: AHashMap<(ThreadId, LocId), usize> = AHashMap::new();
    for (number, place) in places.iter().enumerate() {
        by_point.extend(place.points.iter().map(|&point| (point, number)));
    }
    let dominated: Vec<bool> = places
        .iter()
        .enumerate()
        .map(|(number, place)| {
            if place.kind == FenceKind::Exchange {
                return false;
            }
            let mut dominators = place.points.iter().map(|&(t, loc)| {
                if !threads[t.index()].pending[loc.index()] {
                    return None;
                }
                before(program.thread(t), loc).and_then(|from| by_point.get(&(t, from)).copied())
            });
            let Some(Some(first)) = dominators.next() else {
                return false;
            };
            first != number
                && dominators.all(|dominator| dominator == Some(first))
                && places[first].cost <= place.cost
                && !labels.displaced_by(&places[first])
        })
        .collect();
    let mut dominated = dominated.into_iter();
    places.retain(|_| !dominated.next().unwrap_or(false));
}

/// The location from which the only instruction to this one comes, if that is no store.
fn before(thread: &Thread, loc: LocId) -> Option<LocId> {
    if loc == thread.entry() {
        return None;
    }
    let mut arriving = thread.instructions().iter().filter(|i| i.to == loc);
    let only = arriving.next().filter(|i| !i.op.is_store())?;
    arriving.next().is_none().then_some(only.from)
}
