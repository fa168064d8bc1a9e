//! Program order: which pairs of one thread's events stay in that order in memory.
//!
//! ```text
//! (load)   a load or locked instruction before e:      always
//! (st-st)  store before store:                        if kept by the model, or at one address
//! (st-ld)  store before load:                         if kept by the model
//! (drain)  store or store fence before a full fence or locked one: if that is executed
//! (light)  store to c before a fence on c before any store: if that is executed
//! (all)    w before e, a barrier b elsewhere:         w < b ∨ b < e
//! (pair)   any a before b of a switched pair:         if the switch is on and both are executed
//! ```
//!
//! Only the nearest events are connected, along every path; the rest follows by transitivity. So
//! the number of edges is linear in the size of straight-line code.
//!
//! **Invariant.** An unguarded edge composes, through events that are not executed, only to pairs
//! that stay in order in any case. That is why an edge *into* a fence is guarded and one out of it
//! is not.
//!
//! **Differs from \[JK15\]** in that a fence is an event of its own, not a set of statement pairs.

use super::Encoding;
use super::event::{Event, EventId, EventKind};
use crate::cnf::Cnf;
use crate::program::{Addr, Site};
use ahash::AHashMap;
use rustsat::types::Lit;
use std::collections::BTreeMap;

/// The last events on the paths to a copy, as far as later events must be ordered after them.
#[derive(Clone, Debug, Default)]
pub(super) struct EventChain {
    /// Loads and locked instructions: every later event is after them.
    heads: Vec<EventId>,
    /// Stores with no later store.
    pub(super) stores: Vec<EventId>,
    /// Store fences since the last full one.
    light: Vec<EventId>,
    /// Stores since the last full fence.
    pending: Vec<EventId>,
    /// The nearest events outside atomic blocks, except lightweight fences.
    pub(super) nearest: Vec<EventId>,
    /// For each cell, the own stores that may have been the last one to it.
    last: BTreeMap<Addr, Last>,
}

#[derive(Clone, Debug)]
struct Last {
    stores: Vec<EventId>,
    /// Whether each path has one of them as its last store to the cell.
    certain: bool,
}

impl EventChain {
    /// Merges the chains of paths that meet. `open`: further paths may join later.
    pub(super) fn merge(chains: impl Iterator<Item = EventChain>, open: bool) -> EventChain {
        let mut merged: Option<EventChain> = None;
        for chain in chains {
            let Some(all) = &mut merged else {
                merged = Some(chain);
                continue;
            };
            union(&mut all.heads, &chain.heads);
            union(&mut all.stores, &chain.stores);
            union(&mut all.light, &chain.light);
            union(&mut all.pending, &chain.pending);
            union(&mut all.nearest, &chain.nearest);
            for (cell, last) in &mut all.last {
                if !chain.last.contains_key(cell) {
                    last.certain = false;
                }
            }
            for (cell, last) in chain.last {
                match all.last.get_mut(&cell) {
                    Some(here) => {
                        union(&mut here.stores, &last.stores);
                        here.certain &= last.certain;
                    }
                    None => {
                        all.last.insert(
                            cell,
                            Last {
                                certain: false,
                                ..last
                            },
                        );
                    }
                }
            }
        }
        let mut merged = merged.unwrap_or_default();
        if open {
            merged
                .last
                .values_mut()
                .for_each(|last| last.certain = false);
        }
        merged
    }

    /// Extends the chain by an event.
    pub(super) fn pass(&mut self, id: EventId, event: &Event) {
        let optional = event.instr.is_none();
        if !event.inside {
            if !matches!(event.kind, EventKind::Light(_)) {
                self.nearest = vec![id];
            }
            match event.kind {
                EventKind::Load => self.heads = vec![id],
                EventKind::Store => {
                    self.stores = vec![id];
                    self.pending.push(id);
                }
                EventKind::Light(_) => self.light = vec![id],
                EventKind::Rmw | EventKind::Full | EventKind::Barrier => {
                    self.heads = vec![id];
                    if !optional {
                        self.stores.clear();
                        self.light.clear();
                        self.pending.clear();
                    }
                }
            }
        }
        if let (Some(address), Some(_)) = (&event.address, &event.write) {
            if let Some(cell) = address.fixed() {
                self.last.insert(
                    cell,
                    Last {
                        stores: vec![id],
                        certain: true,
                    },
                );
            } else {
                for cell in address.cells() {
                    let last = self.last.entry(cell).or_insert(Last {
                        stores: Vec::new(),
                        certain: false,
                    });
                    last.stores.push(id);
                }
            }
        }
    }

    /// The thread's own stores to a cell, if each path has one of them as its last store to the
    /// cell.
    pub(super) fn certain(&self, cell: Addr) -> Option<Vec<EventId>> {
        self.last
            .get(&cell)
            .filter(|last| last.certain)
            .map(|last| last.stores.clone())
    }
}

fn union(all: &mut Vec<EventId>, more: &[EventId]) {
    all.extend_from_slice(more);
    all.sort_unstable();
    all.dedup();
}

impl Encoding {
    /// Orders an event after the events of its thread before it, given the chain that leads to it.
    pub(super) fn order_after(&mut self, chain: &EventChain, id: EventId) {
        let event = &self.events[id.index()];
        if event.inside {
            return;
        }
        if self.delaying.is_some() {
            return self.order_with_delays(chain, id);
        }
        let mut before: Vec<EventId> = chain.heads.clone();
        match event.kind {
            EventKind::Load => {
                if self.keep_store_load != Cnf::FALSE {
                    before.extend(&chain.stores);
                }
            }
            EventKind::Store => {
                before.extend(&chain.stores);
                before.extend(&chain.light);
                if self.keep_store_store != Cnf::TRUE {
                    before.extend(self.same_address(chain, event));
                    self.compared += chain.pending.len();
                }
            }
            EventKind::Light(_) | EventKind::Rmw | EventKind::Full | EventKind::Barrier => {
                before.extend(&chain.light);
                before.extend(&chain.pending);
            }
        }
        self.compared += before.len();
        before.sort_unstable();
        before.dedup();
        for other in before {
            self.order_pair(other, id);
        }
    }

    /// The thread's own stores that may be to the same cell; only the nearest ones for a fixed
    /// cell.
    pub(super) fn same_address(&self, chain: &EventChain, event: &Event) -> Vec<EventId> {
        let Some(address) = &event.address else {
            return Vec::new();
        };
        let fixed = address.fixed().and_then(|cell| chain.last.get(&cell));
        let mut stores = fixed.map(|last| last.stores.clone()).unwrap_or_default();
        let movable = |id: &&EventId| {
            let other = self.events[id.index()].address.as_ref();
            other.is_some_and(|other| {
                other.meets(address) && (address.fixed().is_none() || other.fixed().is_none())
            })
        };
        stores.extend(chain.pending.iter().filter(movable));
        stores
    }

    /// Orders two events, the first before the second in program order, as far as the model, the
    /// semantics of fences and the addresses require it.
    pub(super) fn order_pair(&mut self, a: EventId, b: EventId) {
        if self.delaying.is_some() {
            return self.order_pair_with_delays(a, b);
        }
        let (first, second) = (&self.events[a.index()], &self.events[b.index()]);
        let (from, to) = (first.node, second.node);
        if from == to {
            return;
        }
        let draining = |event: &Event| match event.kind {
            EventKind::Rmw | EventKind::Full | EventKind::Barrier => true,
            EventKind::Load | EventKind::Store | EventKind::Light(_) => event.inside,
        };
        let condition = if draining(first) || first.kind == EventKind::Load {
            Cnf::TRUE
        } else if draining(second) {
            second.guard
        } else {
            match (&first.kind, &second.kind) {
                (EventKind::Light(_), EventKind::Load) => Cnf::FALSE,
                (EventKind::Light(_), _) => Cnf::TRUE,
                (_, EventKind::Light(cells)) => {
                    let guard = second.guard;
                    let address = first.address.clone();
                    let fenced: Vec<Lit> = address
                        .iter()
                        .flat_map(|address| cells.iter().map(|&cell| address.at(cell)))
                        .collect();
                    let fenced = self.cnf.or_all(fenced);
                    self.cnf.and(guard, fenced)
                }
                (_, EventKind::Load) => self.keep_store_load,
                _ => {
                    let same = self.same_cell(a, b);
                    self.cnf.or(self.keep_store_store, same)
                }
            }
        };
        match condition {
            Cnf::FALSE => {}
            Cnf::TRUE => self.order.always(from, to),
            _ => self.deferred.push((condition, from, to)),
        }
    }

    /// A literal that is true if two accesses are to one cell.
    pub(super) fn same_cell(&mut self, a: EventId, b: EventId) -> Lit {
        let key = (a.min(b), a.max(b));
        if let Some(&lit) = self.same.get(&key) {
            return lit;
        }
        let (first, second) = (&self.events[a.index()], &self.events[b.index()]);
        let (Some(x), Some(y)) = (first.address.clone(), second.address.clone()) else {
            return Cnf::FALSE;
        };
        let lit = match (x.fixed(), y.fixed()) {
            (Some(cell), _) => y.at(cell),
            (_, Some(cell)) => x.at(cell),
            (None, None) if !x.meets(&y) => Cnf::FALSE,
            (None, None) => {
                let same = self.cnf.fresh();
                for (cell, here) in x.0 {
                    let there = y.at(cell);
                    self.cnf.clause(&[!here, !there, same]);
                }
                same
            }
        };
        self.same.insert(key, lit);
        lit
    }

    /// Whether the first is before the second in program order whenever both are executed.
    pub(super) fn is_program_ordered(&self, a: EventId, b: EventId) -> bool {
        let (first, second) = (&self.events[a.index()], &self.events[b.index()]);
        if first.thread != second.thread {
            return false;
        }
        let stays = |event: &Event| event.from == event.to;
        if stays(first) && stays(second) && first.to == second.from {
            // Of two fences at one copy, each reaches the other. A fence that trails may be added
            // to the copy later than the others.
            return (!first.trails, a) < (!second.trails, b);
        }
        a != b && self.paths[first.thread.index()].reaches(first.to, second.from)
    }

    /// Adds the program-order edges of the new events to the order.
    ///
    /// A chain contains the events before its copy at the time when the copy was encoded. A raised
    /// bound may add events before such a copy, and the copy's chain is not recomputed. So neither
    /// the events that already follow the copy, nor those that a *later* raise adds at its cut
    /// edges, are ordered by their chains after the events added in between. Therefore the events
    /// that a raised bound adds are ordered one by one with all events that follow them, when the
    /// second event of the pair is encoded. Only the events encoded at first are in every chain
    /// that they should be in: a copy beyond a bound is created with the chains of the cuts from
    /// which control may come.
    pub(super) fn order_own_events(&mut self) {
        let all = self.events.len();
        for added in self.at_first..all {
            if self.is_to_stop() {
                return;
            }
            let others = if added < self.placed { self.placed } else { 0 };
            for other in others..all {
                let (a, b) = (EventId(added as u32), EventId(other as u32));
                if self.is_program_ordered(a, b) && !self.events[other].inside {
                    self.order_pair(a, b);
                }
            }
        }
        self.order.close(&mut self.cnf);
        for (condition, from, to) in std::mem::take(&mut self.deferred) {
            self.order.edge(&mut self.cnf, condition, from, to);
        }
    }

    /// (pair) and (all), for pairs of events of which one is new.
    pub(super) fn order_switched(&mut self) {
        let all = self.events.len();
        let mut copies: AHashMap<Site, Vec<EventId>> = AHashMap::new();
        for (e, event) in self.events.iter().enumerate() {
            if let Some(instr) = event.instr {
                let thread = event.thread;
                let site = Site { thread, instr };
                copies.entry(site).or_default().push(EventId(e as u32));
            }
        }
        let of = |site| copies.get(site).map_or(&[][..], Vec::as_slice);
        let pairs = std::mem::take(&mut self.pairs);
        for ((first, second), switch) in pairs.switches() {
            for &a in of(first) {
                for &b in of(second) {
                    self.order_if_switched(*switch, a, b);
                }
            }
        }
        self.pairs = pairs;
        let barriers: Vec<usize> = (0..all)
            .filter(|&e| self.events[e].kind == EventKind::Barrier)
            .collect();
        for b in barriers {
            for w in 0..all {
                if self.events[w].thread == self.events[b].thread || !self.events[w].is_buffered() {
                    continue;
                }
                for e in 0..all {
                    let (first, second) = (EventId(w as u32), EventId(e as u32));
                    if w.max(e).max(b) >= self.placed && self.is_program_ordered(first, second) {
                        self.order_around_barrier(b, w, e);
                    }
                }
            }
        }
    }

    fn order_if_switched(&mut self, switch: Lit, a: EventId, b: EventId) {
        let new = a.index().max(b.index()) >= self.placed;
        if !new || !self.is_program_ordered(a, b) {
            return;
        }
        let (first, second) = (&self.events[a.index()], &self.events[b.index()]);
        let (from, to) = (first.node, second.node);
        if from != to && !self.order.is_always_before(from, to) {
            // The guards prevent that the edge orders events before `a` and after `b` when `a` and
            // `b` are not executed.
            let both = [switch, first.guard, second.guard];
            let condition = self.cnf.and_all(both);
            self.order.edge(&mut self.cnf, condition, from, to);
        }
    }

    fn order_around_barrier(&mut self, barrier: usize, store: usize, later: usize) {
        let place = self.events[barrier].node;
        let before = self
            .order
            .before(&mut self.cnf, self.events[store].node, place);
        let both = self
            .cnf
            .and(self.events[barrier].guard, self.events[store].guard);
        let condition = self.cnf.and(both, !before);
        let later = self.events[later].node;
        self.order.edge(&mut self.cnf, condition, place, later);
    }
}
