//! The happens-before relation of a computation.
//!
//! Nodes are memory accesses; the issue of a store and its arrival in memory are one node
//! [BDM13, section 2.2]. Edges:
//!
//! ```text
//!   po   program order of one thread, by order of issue
//!   rf   from a store to the load that reads it, also from the buffer
//!   co   between stores to one cell, in the order in which they reach memory
//!   fr   from a load to every store to its cell that is co-after the one it reads;
//!        a load of the initial value is before all of them
//! ```
//!
//! A locked instruction is a load and a store in one node. A computation has the trace of an SC
//! computation if and only if the relation is acyclic [BDM13, Lemma 1].
//!
//! Cost: quadratic in the number of accesses.

use super::{Action, Moment, Run, Step};
use crate::program::{Addr, Site, ThreadId};
use std::fmt;

/// A memory access of a computation, numbered in order of execution; a store is numbered when it is
/// issued.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub u32);

impl EventId {
    /// The index in [`HappensBefore::events`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{}", self.0)
    }
}

impl fmt::Debug for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A memory access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The instruction.
    pub site: Site,
    /// The cell.
    pub addr: Addr,
    /// The value loaded, if it loads.
    pub loaded: Option<i32>,
    /// The value stored, if it stores.
    pub stored: Option<i32>,
    /// The index in [`Run::moments`] where the instruction was executed.
    pub executed: usize,
    /// The index where it took effect: for a buffered store, where it reached memory. For a store
    /// that never reaches memory, because the computation stops inside an atomic block, this is the
    /// number of moments.
    pub effective: usize,
    /// The atomic block that it belongs to.
    pub block: Option<u32>,
}

/// Why one access happens before another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// Program order.
    Po,
    /// The load reads what the store stored.
    Rf,
    /// The stores reach memory in this order.
    Co,
    /// The store overwrites the value that the load read, directly or through other stores.
    Fr,
    /// Both are in one atomic block, and the second precedes the first in program order. A block is
    /// one node, so a cycle may go from the first to the second. Occurs only in cycles.
    Block,
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Po => "po",
            Relation::Rf => "rf",
            Relation::Co => "co",
            Relation::Fr => "fr",
            Relation::Block => "block",
        })
    }
}

/// An edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The earlier access.
    pub from: EventId,
    /// The relation.
    pub relation: Relation,
    /// The later access.
    pub to: EventId,
}

/// The happens-before relation of one computation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HappensBefore {
    /// The accesses, in the order of execution.
    pub events: Vec<Event>,
    /// The immediate edges, sorted by relation: `po` and `co` between neighbours only, `fr` to the
    /// next store only, and `rf`. Their transitive closure contains the full relations.
    pub edges: Vec<Edge>,
    /// For each event that loads, the store that it reads; `None` for an initial value.
    pub source: Vec<Option<EventId>>,
    /// The stores to each cell in the order in which they reach memory, by [`Addr::index`].
    pub coherence: Vec<Vec<EventId>>,
}

impl Run {
    /// The happens-before relation of the computation.
    #[doc(hidden)]
    pub fn happens_before(&self) -> HappensBefore {
        HappensBefore::new(&self.moments, self.end.memory.len())
    }
}

impl HappensBefore {
    fn new(moments: &[Moment], cells: usize) -> Self {
        let mut events: Vec<Event> = Vec::new();
        let mut source: Vec<Option<EventId>> = Vec::new();
        let mut coherence: Vec<Vec<EventId>> = vec![Vec::new(); cells];
        // Stores that were issued and have not reached memory, oldest first.
        let mut buffered: Vec<EventId> = Vec::new();
        for (at, moment) in moments.iter().enumerate() {
            let site = moment.site;
            let id = EventId(events.len() as u32);
            let event = |addr, loaded, stored, effective| Event {
                site,
                addr,
                loaded,
                stored,
                executed: at,
                effective,
                block: moment.block,
            };
            let newest =
                |coherence: &[Vec<EventId>], addr: Addr| coherence[addr.index()].last().copied();
            match (&moment.action, moment.step) {
                (&Action::Issue { addr, value }, _) => {
                    events.push(event(addr, None, Some(value), moments.len()));
                    source.push(None);
                    buffered.push(id);
                }
                (&Action::Flush { addr, value }, Step::Execute { .. }) => {
                    events.push(event(addr, None, Some(value), at));
                    source.push(None);
                    coherence[addr.index()].push(id);
                }
                (&Action::Flush { addr, .. }, _) => {
                    let oldest = buffered.iter().position(|&store| {
                        let store = &events[store.index()];
                        store.site.thread == site.thread && store.addr == addr
                    });
                    if let Some(oldest) = oldest {
                        let store = buffered.remove(oldest);
                        events[store.index()].effective = at;
                        coherence[addr.index()].push(store);
                    }
                }
                (&Action::Load { addr, value, early }, _) => {
                    let own = || {
                        buffered.iter().rev().copied().find(|store| {
                            let store = &events[store.index()];
                            store.site.thread == site.thread && store.addr == addr
                        })
                    };
                    source.push(if early {
                        own()
                    } else {
                        newest(&coherence, addr)
                    });
                    events.push(event(addr, Some(value), None, at));
                }
                (&Action::Rmw { addr, old, new }, _) => {
                    source.push(newest(&coherence, addr));
                    events.push(event(addr, Some(old), Some(new), at));
                    coherence[addr.index()].push(id);
                }
                (Action::Fence | Action::Advance { .. } | Action::Retire | Action::Local, _) => {}
            }
        }
        for store in buffered {
            coherence[events[store.index()].addr.index()].push(store);
        }
        let edges = edges(&events, &source, &coherence);
        Self {
            events,
            edges,
            source,
            coherence,
        }
    }

    /// One access.
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// The thread of an access.
    pub fn thread(&self, id: EventId) -> ThreadId {
        self.event(id).site.thread
    }
}

/// The immediate edges, sorted by relation and then by event.
fn edges(events: &[Event], source: &[Option<EventId>], coherence: &[Vec<EventId>]) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut push = |from, relation, to| edges.push(Edge { from, relation, to });
    let ids = || (0..events.len() as u32).map(EventId);
    for id in ids() {
        let thread = events[id.index()].site.thread;
        let later = ids().skip(id.index() + 1);
        if let Some(next) = later
            .into_iter()
            .find(|next| events[next.index()].site.thread == thread)
        {
            push(id, Relation::Po, next);
        }
    }
    for load in ids() {
        if let Some(store) = source[load.index()] {
            push(store, Relation::Rf, load);
        }
    }
    for stores in coherence {
        for pair in stores.windows(2) {
            push(pair[0], Relation::Co, pair[1]);
        }
    }
    for (load, overwriting) in overwriting(events, source, coherence) {
        if let Some(&next) = overwriting.iter().find(|&&store| store != load) {
            push(load, Relation::Fr, next);
        }
    }
    edges
}

/// Each access that loads, with the stores that are co-after the one that it reads.
pub(super) fn overwriting<'h>(
    events: &'h [Event],
    source: &'h [Option<EventId>],
    coherence: &'h [Vec<EventId>],
) -> impl Iterator<Item = (EventId, &'h [EventId])> {
    // By store: how many stores are in the order of its cell up to it.
    let mut up_to = vec![0; events.len()];
    for stores in coherence {
        for (position, store) in stores.iter().enumerate() {
            up_to[store.index()] = position + 1;
        }
    }
    let ids = (0..events.len() as u32).map(EventId);
    let loads = ids.filter(|id| events[id.index()].loaded.is_some());
    loads.map(move |load| {
        let stores = &coherence[events[load.index()].addr.index()];
        let after = source[load.index()].map_or(0, |read| up_to[read.index()]);
        (load, &stores[after..])
    })
}
