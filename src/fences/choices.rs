//! The choice of places for the search.
//!
//! ```text
//! (dominated) the only path to it comes from another place without a store in between, or the only
//!             path onward leads to another place without doing anything, and that one costs no
//!             more: whatever a fence cuts here, it cuts there, and it displaces nothing
//! ```
//!
//! The rule preserves the least cost. It does drop sets of the same cost that differ only in where
//! the fence is between the same two accesses, so it is not applied if all sets are requested.

use super::negated::NegatedLabels;
use super::place::{BufferFacts, Place};
use crate::analysis::Loops;
use crate::model::Model;
use crate::program::{FenceKind, LocId, Op, Program, Role, Thread, ThreadId};
use ahash::AHashMap;
use std::collections::BTreeMap;

/// The places for the search, and alternatives that are easier to read.
pub(super) struct Choices {
    /// All places.
    pub(super) places: Vec<Place>,
    /// For each place that is an alternative, the place that it may replace once a set is found.
    /// The search itself ignores alternatives: the place replaced costs the same and excludes at
    /// least as much.
    pub(super) instead: Vec<Option<usize>>,
}

impl Choices {
    /// All of these places, without alternatives.
    pub(super) fn all(places: Vec<Place>) -> Self {
        let instead = vec![None; places.len()];
        Self { places, instead }
    }

    /// The places that are not dominated. Places before loops are added as alternatives to those at
    /// the loops' heads: where it suffices, a programmer puts the fence where it is executed once. So are
    /// places between statements as alternatives to those inside expressions.
    /// `seen` is as for [`places`](super::place::places).
    pub(super) fn best(
        seen: &Program,
        model: Model,
        labels: &NegatedLabels,
        places: Vec<Place>,
    ) -> Self {
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

/// Pairs of a place before a loop and a place at the loop's head, or of a place before a statement and
/// a place inside the expression that follows, with the same cost.
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
            let is_inside = |loc: LocId| {
                let mut leaving = thread.outgoing(loc).iter();
                leaving.any(|&i| thread.instruction(i).role == Role::Inside)
            };
            let enters = || loops.is_head(to) && loops.depth(from) < loops.depth(to);
            t == u && leads && (enters() || is_inside(to) && !is_inside(from))
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

/// The places that are not dominated. `seen` is as for [`places`](super::place::places).
fn drop_dominated(
    seen: &Program,
    model: Model,
    labels: &NegatedLabels,
    places: Vec<Place>,
) -> Vec<Place> {
    let threads: Vec<BufferFacts> = seen
        .threads()
        .iter()
        .map(|thread| BufferFacts::of(thread, model))
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

/// Removes the places from which control only passes on to another place.
fn drop_passed(program: &Program, labels: &NegatedLabels, places: &mut Vec<Place>) {
    let mut by_point: AHashMap<(ThreadId, LocId), usize> = AHashMap::new();
    for (number, place) in places.iter().enumerate() {
        by_point.extend(place.points.iter().map(|&point| (point, number)));
    }
    // These steps cannot form a cycle between places: no access follows a cycle that does nothing,
    // so its places are useless.
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

/// Removes the places that only follow another place.
fn drop_followed(
    program: &Program,
    threads: &[BufferFacts],
    labels: &NegatedLabels,
    places: &mut Vec<Place>,
) {
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

/// The source of the only instruction to this location, if that instruction is not a store.
fn before(thread: &Thread, loc: LocId) -> Option<LocId> {
    if loc == thread.entry() {
        return None;
    }
    let mut arriving = thread.instructions().iter().filter(|i| i.to == loc);
    let only = arriving.next().filter(|i| !i.op.is_store())?;
    arriving.next().is_none().then_some(only.from)
}
