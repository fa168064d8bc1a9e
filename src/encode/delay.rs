//! The clauses of attacks, first part: one thread delays stores, and everything else is sequentially
//! consistent.
//!
//! For a plan with a [`Delay`] the executions are those of the shape of [BDM13, Fig. 4] and
//! [DMS17, Prop. 2]: of one thread some stores reach memory at the very end, and everything else
//! takes effect at once. The order of memory has a node Ω between the two parts, and for each
//! store `s` of the thread, beside its own node, one for the moment `i(s)` of its issue.
//!
//! ```text
//! (sc)    e before e' of one thread, neither delayed:      e < i(e')      where i(e) = e for others
//! (issue) i(s) < s,   and i(s) < i(e') for e' after s
//! (Ω)     e < Ω for what is no store of the thread;   D(s) → Ω < s;   ¬D(s) → s < Ω, s < i(e')
//! (fifo)  TSO: s before s' → s < s', and so D(s) → D(s')
//! (cell)  PSO, PGAS: the same for s and s' to one cell
//! (dam)   PSO, PGAS: a lightweight fence behind a delayed store to one of its cells is delayed;
//!         a delayed fence on the path to s, s executed → D(s)
//! (drain) a full fence, locked instruction or atomic block is executed → no delayed store, D(s),
//!         on the path to it
//! ```
//!
//! So a lightweight fence that holds nothing back has no place in the order, and neither has any
//! fence of the other threads but a barrier, which binds the delayed stores as it does elsewhere:
//! whatever follows one that is not in memory comes after the barrier.
//!
//! Everything is linear in the copies and their edges, but (cell) and the fences of some cells,
//! which look at pairs.
//!
//! What is not executed may be delayed or not: edges through it must not say more than program
//! order does.
//!
//! Who can go on does: only the delaying thread may halt behind what may be its last action, and
//! others before a barrier.
//!
//! **Invariant.** With the frontier switches off every such execution, with any number of
//! iterations, satisfies the formula. Stores that are not encoded may be delayed as they like.

use super::Encoding;
use super::event::{EventId, Kind};
use super::program_order::Chain;
use crate::cnf::{Cnf, NodeId, Order};
use crate::model::Model;
use crate::program::{Fence, InstrId, LocId, Op, ThreadId};
use ahash::{AHashMap, AHashSet};
use rustsat::types::Lit;

/// Which thread delays stores, and the pairs that are asked about: the first store that it delays,
/// and its last action before the delayed stores reach memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delay {
    /// The thread.
    pub thread: ThreadId,
    /// Pairs of a store and a load, or where the model relaxes the order of stores another store,
    /// all outside atomic blocks.
    pub pairs: Vec<(InstrId, InstrId)>,
}

/// What the encoding knows of delays.
#[derive(Debug)]
pub(super) struct Delaying {
    thread: ThreadId,
    model: Model,
    /// Ω
    end: NodeId,
    /// The stores of the thread that pass its buffer, with D(s) and i(s).
    stores: AHashMap<EventId, (Lit, NodeId)>,
    /// The same stores, in the order of their making.
    all: Vec<EventId>,
    /// By copy: implied by "a delayed store is on the path to it".
    behind: Vec<Lit>,
    /// By copy: implied by "a delayed fence is on the path to it".
    dammed: Vec<Lit>,
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
            behind: Vec::new(),
            dammed: Vec::new(),
            followed: AHashSet::new(),
        }
    }
}

impl Encoding {
    /// D(s); false for what is no store of the delaying thread.
    pub(super) fn delayed(&self, id: EventId) -> Lit {
        let delaying = self.delaying.as_ref();
        let found = delaying.and_then(|delaying| delaying.stores.get(&id));
        found.map_or(Cnf::FALSE, |&(delayed, _)| delayed)
    }

    /// Implied by "a delayed store of the thread is on the path to the copy".
    pub(super) fn behind_delayed(&self, copy: usize) -> Lit {
        let delaying = self.delaying.as_ref();
        delaying.map_or(Cnf::FALSE, |delaying| delaying.behind[copy])
    }

    /// Ω, if there is one: what is executed and comes after it is delayed.
    pub(crate) fn end(&self) -> Option<NodeId> {
        self.delaying.as_ref().map(|delaying| delaying.end)
    }

    /// The stores of the delaying thread that may be delayed.
    pub(super) fn delayable(&self) -> &[EventId] {
        self.delaying.as_ref().map_or(&[], |delaying| &delaying.all)
    }

    /// Whether a thread may halt here: right behind what may be the delaying thread's last action,
    /// and before a barrier that may have to wait for the delayed stores.
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

    /// Where an event starts to follow those before it: i(s) or its own place.
    fn entry(&self, id: EventId) -> NodeId {
        let delaying = self.delaying.as_ref();
        let issue = delaying.and_then(|delaying| delaying.stores.get(&id));
        issue.map_or(self.events[id.index()].node, |&(_, issue)| issue)
    }

    /// (sc), (issue), (Ω): orders a new event after the events of its thread before it.
    pub(super) fn order_with_delays(&mut self, chain: &Chain, id: EventId) {
        let event = &self.events[id.index()];
        if let Kind::Light(_) = event.kind {
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
        let light = |id: EventId| matches!(self.events[id.index()].kind, Kind::Light(_));
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

    /// (fifo), (cell): two stores of the delaying thread that may be delayed. The clause follows from
    /// the order, and need not be learnt.
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

    /// (dam), (drain): what a delay means for what comes later on the path, for new events
    /// and new passages.
    pub(super) fn pass_on_delays(&mut self) {
        let Some(mut delaying) = self.delaying.take() else {
            return;
        };
        let t = delaying.thread.index();
        for _ in delaying.behind.len()..self.paths[t].nodes.len() {
            delaying.behind.push(self.cnf.fresh());
            delaying.dammed.push(self.cnf.fresh());
        }
        for (number, node) in self.paths[t].nodes.iter().enumerate() {
            for (position, passage) in node.out.iter().enumerate() {
                let Some(to) = passage.to else { continue };
                if !delaying.followed.insert((number, position)) {
                    continue;
                }
                let stored = passage.event.and_then(|event| delaying.stores.get(&event));
                let taken = passage.taken;
                for known in [&delaying.behind, &delaying.dammed] {
                    self.cnf.clause(&[!taken, !known[number], known[to]]);
                }
                if let Some(&(delayed, _)) = stored {
                    self.cnf.clause(&[!taken, !delayed, delaying.behind[to]]);
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
        let (behind, dammed) = (delaying.behind[event.from], delaying.dammed[event.from]);
        match &event.kind {
            Kind::Rmw | Kind::Full | Kind::Barrier if fresh => {
                self.cnf.clause(&[!guard, !behind]);
            }
            Kind::Store if fresh && !self.fifo() => {
                let delayed = self.delayed(EventId(index as u32));
                self.cnf.clause(&[!guard, !dammed, delayed]);
            }
            Kind::Light(cells) if !self.fifo() => {
                let held = delaying.dammed[event.to];
                if cells.len() == self.program.cell_count() {
                    self.cnf.clause(&[!guard, !behind, held]);
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
            Kind::Load | Kind::Store | Kind::Rmw | Kind::Full | Kind::Barrier | Kind::Light(_) => {}
        }
    }
}
