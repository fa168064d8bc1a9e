//! The clauses of attacks, part one: one thread delays stores, and everything else is sequentially
//! consistent.
//!
//! For a plan with a [`Delay`] the executions are those of the shape of [BDM13, Fig. 4] and [DMS17,
//! Prop. 2]: some stores of one thread reach memory at the very end, and everything else takes
//! effect immediately. The memory order has a node Ω between the two parts, and for each store `s`
//! of the thread, in addition to its own node, a node `i(s)` for its issue.
//!
//! ```text
//! (sc)    e before e' of one thread, neither delayed:      e < i(e')      where i(e) = e for others
//! (issue) i(s) < s,   and i(s) < i(e') for e' after s
//! (Ω)     e < Ω if e is not a store of the thread;   D(s) → Ω < s;   ¬D(s) → s < Ω, s < i(e')
//! (fifo)  TSO: s before s' → s < s', and so D(s) → D(s')
//! (cell)  PSO, PGAS: the same for s and s' to one cell
//! (hold)  PSO, PGAS: a lightweight fence after a delayed store to one of its cells is delayed;
//!         a delayed fence on the path to s, s executed → D(s)
//! (drain) a full fence, locked instruction or atomic block is executed → no delayed store, D(s),
//!         on the path to it
//! ```
//!
//! So a lightweight fence that delays no store has no node in the order, and neither does any fence
//! of the other threads except a barrier. A barrier constrains the delayed stores as it does
//! elsewhere: every event after a store that is not yet in memory at the barrier comes after the
//! barrier.
//!
//! The size is linear in the copies and their edges, except for (cell) and fences on some cells
//! only, which are encoded for pairs.
//!
//! An event that is not executed may be delayed or not: edges through it must not imply more than
//! program order does.
//!
//! Threads continue as long as they can: only the delaying thread may halt, after an instruction
//! that may be its last action, and other threads before a barrier.
//!
//! **Invariant.** With the frontier switches off, every such execution, with any number of
//! iterations, satisfies the formula. Stores that are not encoded may be delayed without
//! restriction.

use super::Encoding;
use super::event::{EventId, EventKind};
use super::program_order::EventChain;
use crate::cnf::{Cnf, NodeId, Order};
use crate::model::Model;
use crate::program::{Fence, InstrId, LocId, Op, ThreadId};
use ahash::{AHashMap, AHashSet};
use rustsat::types::Lit;

/// The thread that delays stores, and the pairs that may be queried: the first store that it
/// delays, and its last action before the delayed stores reach memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delay {
    /// The thread.
    pub thread: ThreadId,
    /// Pairs of a store and a load, or a second store if the model relaxes the order of stores; all
    /// outside atomic blocks.
    pub pairs: Vec<(InstrId, InstrId)>,
}

/// The literals and nodes of delays.
#[derive(Debug)]
pub(super) struct Delaying {
    thread: ThreadId,
    model: Model,
    /// Ω
    end: NodeId,
    /// The buffered stores of the thread, with D(s) and i(s).
    stores: AHashMap<EventId, (Lit, NodeId)>,
    /// The same stores, in the order of creation.
    all: Vec<EventId>,
    /// By copy: implied by "a delayed store is on the path to it".
    after_store: Vec<Lit>,
    /// By copy: implied by "a delayed fence is on the path to it".
    after_fence: Vec<Lit>,
    /// The passages that were followed, by copy and position.
    followed: AHashSet<(usize, usize)>,
}

impl Delaying {
    pub(super) fn new(thread: ThreadId, model: Model, order: &mut Order) -> Self {
        Self {
            thread,
            model,
            end: order.node(),
            stores: AHashMap::new(),
            all: Vec::new(),
            after_store: Vec::new(),
            after_fence: Vec::new(),
            followed: AHashSet::new(),
        }
    }
}

impl Encoding {
    /// D(s); false if the event is not a store of the delaying thread.
    pub(super) fn delayed(&self, id: EventId) -> Lit {
        let delaying = self.delaying.as_ref();
        let found = delaying.and_then(|delaying| delaying.stores.get(&id));
        found.map_or(Cnf::FALSE, |&(delayed, _)| delayed)
    }

    /// Implied by "a delayed store of the thread is on the path to the copy".
    pub(super) fn after_delayed(&self, copy: usize) -> Lit {
        let delaying = self.delaying.as_ref();
        delaying.map_or(Cnf::FALSE, |delaying| delaying.after_store[copy])
    }

    /// Ω, if there is one: executed events after it are delayed.
    pub(crate) fn end(&self) -> Option<NodeId> {
        self.delaying.as_ref().map(|delaying| delaying.end)
    }

    /// The stores of the delaying thread that may be delayed.
    pub(super) fn delayable(&self) -> &[EventId] {
        self.delaying.as_ref().map_or(&[], |delaying| &delaying.all)
    }

    /// Whether a thread may halt here: directly after an instruction that may be the delaying
    /// thread's last action, or before a barrier that may have to wait for the delayed stores.
    pub(super) fn may_pause(&self, thread: ThreadId, loc: LocId) -> bool {
        let Some(delay) = &self.plan.delay else {
            return false;
        };
        let automaton = self.program.thread(thread);
        let arrives = |last: InstrId| automaton.instruction(last).to == loc;
        let waits = |&instr: &InstrId| automaton.instruction(instr).op == Op::Fence(Fence::All);
        delay.thread == thread && delay.pairs.iter().any(|&(_, last)| arrives(last))
            || automaton.outgoing(loc).iter().any(waits)
    }

    /// The node that comes after the earlier events of the thread: i(s), or the event's own node.
    fn entry(&self, id: EventId) -> NodeId {
        let delaying = self.delaying.as_ref();
        let issue = delaying.and_then(|delaying| delaying.stores.get(&id));
        issue.map_or(self.events[id.index()].node, |&(_, issue)| issue)
    }

    /// (sc), (issue), (Ω): orders a new event after the events of its thread before it.
    pub(super) fn order_with_delays(&mut self, chain: &EventChain, id: EventId) {
        let event = &self.events[id.index()];
        if let EventKind::Light(_) = event.kind {
            return;
        }
        let (node, store, thread) = (event.node, event.is_buffered(), event.thread);
        let Some(delaying) = &mut self.delaying else {
            return;
        };
        let end = delaying.end;
        if store && thread == delaying.thread && delaying.model.relaxes_store_load() {
            let (delayed, issue) = (self.cnf.fresh(), self.order.node());
            delaying.stores.insert(id, (delayed, issue));
            delaying.all.push(id);
            self.order.always(issue, node);
            self.order.always(issue, end);
            self.deferred.push((delayed, end, node));
            self.deferred.push((!delayed, node, end));
        } else {
            self.order.always(node, end);
        }
        for &other in &chain.nearest {
            self.follow(other, id);
        }
        if self.delayed(id) != Cnf::FALSE {
            let event = &self.events[id.index()];
            let others = if self.fifo() {
                chain.stores.clone()
            } else {
                self.same_address(chain, event)
            };
            for other in others {
                self.keep_stores(other, id);
            }
        }
    }

    fn fifo(&self) -> bool {
        let model = self.delaying.as_ref().map(|delaying| delaying.model);
        model.is_some_and(|model| !model.relaxes_store_store())
    }

    /// Orders two events, the first before the second in program order.
    pub(super) fn order_pair_with_delays(&mut self, a: EventId, b: EventId) {
        self.follow(a, b);
        if self.delayed(a) != Cnf::FALSE && self.delayed(b) != Cnf::FALSE {
            self.keep_stores(a, b);
        }
    }

    /// (sc), (issue)
    fn follow(&mut self, a: EventId, b: EventId) {
        let light = |id: EventId| matches!(self.events[id.index()].kind, EventKind::Light(_));
        if light(a) || light(b) {
            return;
        }
        let (from, to) = (self.entry(a), self.entry(b));
        if from != to {
            self.order.always(from, to);
        }
        let delayed = self.delayed(a);
        if delayed != Cnf::FALSE {
            let place = self.events[a.index()].node;
            self.deferred.push((!delayed, place, to));
        }
    }

    /// (fifo), (cell): two stores of the delaying thread that may be delayed. The clause follows
    /// from the order, but adding it saves the solver from learning it.
    fn keep_stores(&mut self, a: EventId, b: EventId) {
        let (from, to) = (self.events[a.index()].node, self.events[b.index()].node);
        let kept = if self.fifo() {
            Cnf::TRUE
        } else {
            self.same_cell(a, b)
        };
        match kept {
            Cnf::FALSE => return,
            Cnf::TRUE => self.order.always(from, to),
            _ => self.deferred.push((kept, from, to)),
        }
        let (first, second) = (self.delayed(a), self.delayed(b));
        self.cnf.clause(&[!first, !kept, second]);
    }

    /// (hold), (drain): the effect of a delay on later events of the path, for new events and new
    /// passages.
    pub(super) fn propagate_delays(&mut self) {
        let Some(mut delaying) = self.delaying.take() else {
            return;
        };
        let t = delaying.thread.index();
        for _ in delaying.after_store.len()..self.paths[t].nodes.len() {
            delaying.after_store.push(self.cnf.fresh());
            delaying.after_fence.push(self.cnf.fresh());
        }
        for (number, node) in self.paths[t].nodes.iter().enumerate() {
            for (position, passage) in node.out.iter().enumerate() {
                let Some(to) = passage.to else { continue };
                if !delaying.followed.insert((number, position)) {
                    continue;
                }
                let stored = passage.event.and_then(|event| delaying.stores.get(&event));
                let taken = passage.taken;
                for known in [&delaying.after_store, &delaying.after_fence] {
                    self.cnf.clause(&[!taken, !known[number], known[to]]);
                }
                if let Some(&(delayed, _)) = stored {
                    self.cnf
                        .clause(&[!taken, !delayed, delaying.after_store[to]]);
                }
            }
        }
        self.delaying = Some(delaying);
        for index in 0..self.events.len() {
            if self.is_to_stop() {
                return;
            }
            if self.events[index].thread.index() == t && !self.events[index].inside {
                self.bind_delays(index);
            }
        }
    }

    fn bind_delays(&mut self, index: usize) {
        let Some(delaying) = &self.delaying else {
            return;
        };
        let event = &self.events[index];
        let (guard, fresh) = (event.guard, index >= self.placed);
        let (after_store, after_fence) = (
            delaying.after_store[event.from],
            delaying.after_fence[event.from],
        );
        match &event.kind {
            EventKind::Rmw | EventKind::Full | EventKind::Barrier if fresh => {
                self.cnf.clause(&[!guard, !after_store]);
            }
            EventKind::Store if fresh && !self.fifo() => {
                let delayed = self.delayed(EventId(index as u32));
                self.cnf.clause(&[!guard, !after_fence, delayed]);
            }
            EventKind::Light(cells) if !self.fifo() => {
                let held = delaying.after_fence[event.to];
                if cells.len() == self.program.cell_count() {
                    self.cnf.clause(&[!guard, !after_store, held]);
                    return;
                }
                for &store in &delaying.all {
                    let new = fresh || store.index() >= self.placed;
                    if !new || !self.is_program_ordered(store, EventId(index as u32)) {
                        continue;
                    }
                    for &cell in cells {
                        let other = &self.events[store.index()];
                        let address = other.address.as_ref();
                        let here = address.map_or(Cnf::FALSE, |address| address.at(cell));
                        let delayed = self.delayed(store);
                        self.cnf
                            .clause(&[!guard, !other.guard, !delayed, !here, held]);
                    }
                }
            }
            EventKind::Load
            | EventKind::Store
            | EventKind::Rmw
            | EventKind::Full
            | EventKind::Barrier
            | EventKind::Light(_) => {}
        }
    }
}
