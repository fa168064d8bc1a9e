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

mod alternatives;

use super::negated::NegatedLabels;
use super::place::{BufferFacts, Place};
use crate::model::Model;
use crate::program::{FenceKind, LocId, Op, Program, Thread, ThreadId};
use ahash::AHashMap;
use alternatives::alternatives;
use std::collections::BTreeMap;

/// The places for the search, and alternatives that are easier to read.
pub(super) struct Choices {
    /// All places.
    pub(super) places: Vec<Place>,
    /// For each place that is an alternative, the place that it may replace once a set is found.
    /// The search itself ignores alternatives: the place replaced costs the same and excludes at
    /// least as much.
    pub(super) instead: Vec<Option<usize>>,
    /// The alternatives, the best first, each with a place that it may replace.
    pub(super) preferred: Vec<(usize, usize)>,
    /// The places in several threads, those in the most first.
    pub(super) shared: Vec<usize>,
}

impl Choices {
    /// All of these places, without alternatives.
    pub(super) fn all(places: Vec<Place>) -> Self {
        Self {
            instead: vec![None; places.len()],
            preferred: Vec::new(),
            shared: Vec::new(),
            places,
        }
    }

    /// The places that are not dominated, and their [alternatives](mod@alternatives). `seen` is as for
    /// [`places`](super::place::places).
    pub(super) fn best(
        seen: &Program,
        model: Model,
        labels: &NegatedLabels,
        places: Vec<Place>,
    ) -> Self {
        let mut pairs = alternatives(seen, &places);
        pairs.retain(|pair| !labels.displaced_by(&pair.instead_of));
        let mut places = drop_dominated(seen, model, labels, places);
        pairs.retain(|pair| places.contains(&pair.instead_of) && !places.contains(&pair.place));
        pairs.sort_by_key(|pair| pair.kind);
        for pair in &pairs {
            if !places.contains(&pair.place) {
                places.push(pair.place.clone());
            }
        }
        places.sort_by(|a, b| a.points.cmp(&b.points));
        let number = |wanted: &Place| places.iter().position(|place| place == wanted);
        let mut instead = vec![None; places.len()];
        let mut preferred = Vec::new();
        for pair in &pairs {
            if let (Some(place), Some(other)) = (number(&pair.place), number(&pair.instead_of)) {
                instead[place].get_or_insert(other);
                preferred.push((place, other));
            }
        }
        let number_of_threads = |place: &Place| {
            let mut threads: Vec<ThreadId> = place.points.iter().map(|&(t, _)| t).collect();
            threads.dedup();
            threads.len()
        };
        let mut shared: Vec<usize> = (0..places.len())
            .filter(|&number| number_of_threads(&places[number]) > 1)
            .collect();
        shared.sort_by_key(|&number| std::cmp::Reverse(number_of_threads(&places[number])));
        Self {
            places,
            instead,
            preferred,
            shared,
        }
    }
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
