//! Memory: the store that each load reads, and the orders that follow from it.
//!
//! For a load or locked instruction `r`, the stores `w` it may read (`rf`), and any store `v` to
//! the same cell:
//!
//! ```text
//! (some)  r executed → ∨ rf(w,r) ∨ rf(init,r) ∨ more r
//! (val)   rf(w,r) → w executed ∧ same cell ∧ same value
//! (rfe)   rf(w,r), other thread → w < r
//! (fr)    rf(w,r) ∧ w < v ∧ v executed, same cell → r < v;      rf(init,r) likewise for every v
//! (own)   the same for an own store v before r: impossible
//! ```
//!
//! (own) is the one part of coherence that the global order does not imply, because a store and a
//! later load of one thread are not in it. Reading an own store early adds no edge: this is store
//! forwarding. The order of two stores is one literal of the global order, which exists only for
//! pairs where it matters. A load may have two sources: either explains its value.
//!
//! An own store that is followed by a later own store to the cell on every path is not a source,
//! and needs no (own).

use super::Encoding;
use super::event::{Address, Event, EventId, EventKind};
use crate::cnf::{Bits, Cnf, NodeId};
use crate::program::{Addr, ThreadId};
use ahash::AHashMap;
use rustsat::types::Lit;
use std::collections::BTreeMap;

/// The stores that a load may read.
#[derive(Debug)]
pub(super) struct LoadSources {
    pub(super) event: EventId,
    /// The stores, with the literals of "reads this one".
    pub(super) sources: Vec<(EventId, Lit)>,
    initial: Lit,
    /// The stores that may come between a source and the load.
    rivals: Vec<EventId>,
    /// The literal of "reads a store of an iteration that is not encoded".
    more: Option<Lit>,
}

/// The events that write memory, by cell and thread.
#[derive(Debug, Default)]
struct WritersByCell {
    cells: AHashMap<Addr, BTreeMap<ThreadId, Vec<EventId>>>,
    /// Those that may write many cells.
    wide: Vec<EventId>,
}

impl WritersByCell {
    /// An access that may be to more cells than this is compared with all others.
    const WIDE: usize = 1;

    fn add(&mut self, id: EventId, event: &Event) {
        let cells = event.address.iter().flat_map(Address::cells);
        if cells.clone().count() > Self::WIDE {
            return self.wide.push(id);
        }
        for cell in cells {
            let threads = self.cells.entry(cell).or_default();
            threads.entry(event.thread).or_default().push(id);
        }
    }

    /// Those among `writes` that a load may read or that may overtake it, and perhaps others, in
    /// order. Requires that `writes` are the newest of the events that were added.
    fn candidates(&self, read: &Event, writes: &[EventId]) -> Vec<EventId> {
        let Some(&first) = writes.first() else {
            return Vec::new();
        };
        let cells = read.address.iter().flat_map(Address::cells);
        if cells.clone().count() > Self::WIDE {
            return writes.to_vec();
        }
        let mut candidates = self.wide.clone();
        for threads in cells.filter_map(|cell| self.cells.get(&cell)) {
            for (&thread, stores) in threads {
                match &read.own {
                    Some(last) if thread == read.thread => candidates.extend(last),
                    Some(_) | None => candidates.extend(stores),
                }
            }
        }
        candidates.retain(|&write| write >= first);
        candidates.sort_unstable();
        candidates.dedup();
        candidates
    }
}

/// The loads and stores whose constraints were added.
#[derive(Debug, Default)]
pub(super) struct MemoryConstraints {
    reads: Vec<LoadSources>,
    writes: Vec<EventId>,
    writers: WritersByCell,
    /// The literals of which one must be true if a read has a source that is not encoded.
    open: Vec<Lit>,
    /// Atomic blocks in which the computation may end, each with the literal of "it ends there".
    pub(super) last_blocks: Vec<(Lit, NodeId)>,
}

impl Encoding {
    /// Adds the constraints of the new events, among themselves and with the old ones.
    pub(super) fn place_events(&mut self) {
        self.order_switched();
        let new: Vec<EventId> = (self.placed..self.events.len())
            .map(|e| EventId(e as u32))
            .collect();
        let old_writes = self.memory.writes.len();
        for &id in &new {
            if self.events[id.index()].write.is_some() {
                self.memory.writes.push(id);
                self.memory.writers.add(id, &self.events[id.index()]);
            }
        }
        let writes = self.memory.writes.clone();
        let mut reads = std::mem::take(&mut self.memory.reads);
        let old_reads = reads.len();
        for &id in &new {
            if self.events[id.index()].read.is_some() {
                let initial = self.initial_source(id);
                reads.push(LoadSources {
                    event: id,
                    sources: Vec::new(),
                    initial,
                    rivals: Vec::new(),
                    more: None,
                });
            }
        }
        let open = self.beyond_anywhere();
        for (index, read) in reads.iter_mut().enumerate() {
            let known = if index < old_reads { old_writes } else { 0 };
            if index >= old_reads || known < writes.len() || open != self.memory.open {
                let event = &self.events[read.event.index()];
                let candidates = self.memory.writers.candidates(event, &writes[known..]);
                self.extend_read(read, &candidates, &open, index >= old_reads);
            }
        }
        self.let_loads_wait(&reads, old_reads, &open);
        self.memory.reads = reads;
        self.memory.open = open;
        self.end_in_blocks();
        self.placed = self.events.len();
    }

    /// The literal of "reads the initial value", with that value.
    fn initial_source(&mut self, id: EventId) -> Lit {
        let event = self.events[id.index()].clone();
        let (Some(address), Some(read)) = (&event.address, &event.read) else {
            return Cnf::FALSE;
        };
        if event.own.is_some() {
            return Cnf::FALSE;
        }
        let initial = self.cnf.fresh();
        for &(cell, here) in &address.0 {
            let value = Bits::constant(self.program.initial_memory()[cell.index()]);
            let condition = self.cnf.and(initial, here);
            read.equal_if(condition, &value, &mut self.cnf);
        }
        initial
    }

    fn extend_read(
        &mut self,
        read: &mut LoadSources,
        writes: &[EventId],
        open: &[Lit],
        fresh: bool,
    ) {
        let r = read.event;
        let (old_sources, old_rivals) = (read.sources.len(), read.rivals.len());
        for &w in writes {
            if self.is_to_stop() {
                return;
            }
            if self.may_read(r, w) {
                let rf = self.source(r, w);
                read.sources.push((w, rf));
            }
            if self.may_overtake(r, w) {
                read.rivals.push(w);
            }
        }
        for (index, &(w, rf)) in read.sources.clone().iter().enumerate() {
            // Each read is combined with every pair of stores: this is most of the work.
            if self.is_to_stop() {
                return;
            }
            let rivals = if index < old_sources {
                &read.rivals[old_rivals..]
            } else {
                &read.rivals[..]
            };
            self.compared += rivals.len();
            for &v in rivals.iter().filter(|&&v| v != w) {
                let before = self.stores_before(w, v);
                self.overtaken(r, rf, before, v);
            }
        }
        let rivals = if fresh {
            &read.rivals[..]
        } else {
            &read.rivals[old_rivals..]
        };
        for &v in rivals {
            self.overtaken(r, read.initial, Cnf::TRUE, v);
        }
        // (some)
        let next = self.open(open);
        let mut clause = match (fresh, read.more) {
            (true, _) => vec![!self.events[r.index()].guard, read.initial],
            (false, Some(more)) => vec![!more],
            (false, None) => return,
        };
        clause.extend(read.sources[old_sources..].iter().map(|&(_, rf)| rf));
        clause.extend(next);
        self.cnf.clause(&clause);
        read.more = next;
    }

    /// Whether a load may read a store, as far as can be determined without a solver.
    fn may_read(&self, r: EventId, w: EventId) -> bool {
        let (read, write) = (&self.events[r.index()], &self.events[w.index()]);
        let (Some(x), Some(y)) = (&read.address, &write.address) else {
            return false;
        };
        if r == w || !x.meets(y) {
            return false;
        }
        if read.thread == write.thread {
            return match &read.own {
                Some(last) => last.contains(&w),
                None => self.is_program_ordered(w, r),
            };
        }
        !self.order.is_always_before(read.node, write.node)
    }

    /// Whether a store may come after the load's source without necessarily coming after the load.
    fn may_overtake(&self, r: EventId, v: EventId) -> bool {
        let (read, store) = (&self.events[r.index()], &self.events[v.index()]);
        let (Some(x), Some(y)) = (&read.address, &store.address) else {
            return false;
        };
        if r == v || !x.meets(y) {
            return false;
        }
        if read.thread == store.thread {
            // A later own store is after the load in any case.
            return match &read.own {
                Some(last) => last.contains(&v),
                None => self.is_program_ordered(v, r),
            };
        }
        !self.order.is_always_before(read.node, store.node)
    }

    /// (val), (rfe): the literal of "r reads w".
    fn source(&mut self, r: EventId, w: EventId) -> Lit {
        let (read, write) = (
            self.events[r.index()].clone(),
            self.events[w.index()].clone(),
        );
        let rf = self.cnf.fresh();
        self.cnf.implies(rf, write.guard);
        if let (Some(x), Some(y)) = (&read.address, &write.address) {
            for &(cell, here) in &x.0 {
                self.cnf.clause(&[!rf, !here, y.at(cell)]);
            }
        }
        if let (Some(value), Some(written)) = (&read.read, &write.write) {
            value.equal_if(rf, written, &mut self.cnf);
        }
        if read.thread != write.thread {
            // Follows from the order as well, but the solver would have to learn it pair by pair.
            let delayed = self.delayed(w);
            self.cnf.clause(&[!rf, !delayed]);
            self.order.edge(&mut self.cnf, rf, write.node, read.node);
        }
        rf
    }

    /// The literal of "store a reaches memory before store b". Two stores of one atomic block share
    /// a node, and program order decides.
    pub(super) fn stores_before(&mut self, a: EventId, b: EventId) -> Lit {
        let (from, to) = (self.events[a.index()].node, self.events[b.index()].node);
        if from == to {
            return Cnf::constant(self.is_program_ordered(a, b));
        }
        self.order.before(&mut self.cnf, from, to)
    }

    /// (fr), (own): if `r` reads a source (`source`) that is before the store `v` (`before`).
    fn overtaken(&mut self, r: EventId, source: Lit, before: Lit, v: EventId) {
        if before == Cnf::FALSE || source == Cnf::FALSE {
            return;
        }
        let same = self.same_cell(r, v);
        let (read, store) = (&self.events[r.index()], &self.events[v.index()]);
        let (from, to, guard) = (read.node, store.node, store.guard);
        let own = read.thread == store.thread;
        let after = if own {
            Cnf::FALSE
        } else {
            self.order.implied(&mut self.cnf, from, to)
        };
        self.cnf.clause(&[!source, !before, !guard, !same, after]);
    }

    /// If a computation ends inside an atomic block, no event comes after the block except the
    /// items in other threads' buffers, which stay there.
    fn end_in_blocks(&mut self) {
        for (stop, place) in self.memory.last_blocks.clone() {
            for e in 0..self.events.len() {
                let event = &self.events[e];
                let (guard, node) = (event.guard, event.node);
                let stays = event.is_buffered() || matches!(event.kind, EventKind::Light(_));
                if node != place && !stays {
                    let condition = self.cnf.and(stop, guard);
                    self.order.edge(&mut self.cnf, condition, node, place);
                }
            }
        }
    }

    /// The literals of "exceeds its bound" of every loop that is cut.
    pub(super) fn beyond_anywhere(&self) -> Vec<Lit> {
        self.frontier().into_iter().map(|(_, lit)| !lit).collect()
    }

    /// The events that write memory.
    pub(super) fn writes(&self) -> &[EventId] {
        &self.memory.writes
    }
}
