//! The clauses of attacks, part two: cycles of happens-before through the first delayed store.
//!
//! One thread delays stores, the first of them `s`, and executes `l` as its last action before they
//! reach memory; see `delay` for the executions. All other events take effect in one order, so a
//! cycle `s →po l →hb e → s` ascends in that order. `h(n)` means "n is `l` or happens after it",
//! for the order nodes `n` of the other threads, where an atomic block is one node:
//!
//! ```text
//! (reason) h(n) → ∨ H(c) over the copies c from which n is entered
//!               ∨ ∨ r(e',e) over accesses e at n, e' elsewhere, that conflict
//! (step)   r(e',e) → both executed ∧ one cell ∧ e' < e ∧ (h(node of e') ∨ L(e'))
//! (carry)  H(c) → ∨ taken(p) ∧ (H(start of p) ∨ h(node of p)) over the passages p that arrive
//! (last)   L(l) → l executed ∧ the thread halts after it ∧ l not delayed
//!                 ∧ no delayed store before l is to its cell
//! (first)  E(s) → s executed ∧ D(s) ∧ no delayed store on the path to s
//! (close)  E(s) → ∨ of h(node of e) ∧ e executed ∧ one cell, over accesses e elsewhere
//! ```
//!
//! Implications in one direction are enough: every reason is strictly earlier in an acyclic order,
//! or earlier on a path, so the derivation is well founded.
//!
//! **Theorem.** There is such an execution for instructions (store, last) if and only if the attack
//! of the thread with this store and this last action has a witness [BDM13, Def. 1], [DMS17,
//! section 8]. A witness is directly such an execution: its computation without the delayed stores
//! is one under SC, (W5) is the last part of (last), and (W3) gives `h` for all that follows `l`;
//! other threads may go on before the delayed stores reach memory. In the other direction only (W3)
//! is missing: an event that follows `l` in the order and is not `h` depends neither on `l` nor on
//! any event that is `h`, so it can be moved before `l` without changing the trace.
//!
//! No paper covers `barrier all`. A cycle that is found is valid for such programs too, but it is
//! not proved for them that one delaying thread is enough, and hence that no attack means
//! robustness.
//!
//! If a loop exceeds its bound, an access of an iteration that is not encoded counts as `h`, `s` or
//! `l`, so that a "no" without a frontier holds for all bounds.
//!
//! All of this is encoded again after each deepening. Cost: the number of pairs of conflicting
//! accesses.

use super::Encoding;
use super::event::{Address, Event, EventId, EventKind};
use crate::cnf::{Cnf, NodeId};
use crate::program::{Addr, InstrId, Site, ThreadId};
use ahash::AHashMap;
use rustsat::types::Lit;
use std::collections::BTreeMap;

/// The literals of a cycle query, valid until the next deepening.
#[derive(Debug, Default)]
pub(super) struct CycleLiterals {
    /// (close), by instruction: a cycle leads back to a copy of it, the first delayed store.
    stores: BTreeMap<InstrId, Lit>,
    /// (last), by instruction: a copy of it is the last action.
    lasts: BTreeMap<InstrId, Lit>,
    /// E(s)
    closed: Vec<(EventId, Lit)>,
    /// L(l)
    last: Vec<(EventId, Lit)>,
    /// By store or last action: the literals of iterations that are not encoded, for which this is
    /// unknown.
    beyond: BTreeMap<InstrId, Vec<Lit>>,
}

/// An access that may be on a cycle.
#[derive(Clone, Copy, Debug)]
struct CycleAccess {
    event: EventId,
    /// h or L.
    reached: Lit,
}

/// An access in iterations that are not encoded.
struct Unseen {
    thread: ThreadId,
    cells: Vec<Addr>,
    writes: bool,
    /// True if it may be executed.
    beyond: Lit,
}

impl Unseen {
    fn conflicts(&self, event: &Event) -> bool {
        let address = event.address.as_ref();
        let meets = address.is_some_and(|address| {
            self.cells
                .iter()
                .any(|&cell| address.at(cell) != Cnf::FALSE)
        });
        self.thread != event.thread && meets && (self.writes || writes(event))
    }
}

impl Encoding {
    /// The assumptions of a query for a cycle through one of these pairs of a first delayed store
    /// and a last action, all of them pairs of the plan's delay.
    pub(crate) fn ask_cycle(&mut self, among: &[(InstrId, InstrId)]) -> Vec<Lit> {
        if self.cycles.is_none() {
            self.cycles = Some(self.find_cycles());
        }
        let cycles = self.cycles.take().unwrap_or_default();
        let store = |store| cycles.stores.get(&store).copied().unwrap_or(Cnf::FALSE);
        let last = |last| cycles.lasts.get(&last).copied().unwrap_or(Cnf::FALSE);
        let mut assumptions = self.no_stops();
        if let &[(one, other)] = among {
            assumptions.extend([store(one), last(other)]);
        } else {
            let mut by_store: BTreeMap<InstrId, Vec<Lit>> = BTreeMap::new();
            for &(one, other) in among {
                by_store.entry(one).or_default().push(last(other));
            }
            let any = self.cnf.fresh();
            let mut clause = vec![!any];
            for (one, lasts) in by_store {
                let chosen = self.cnf.fresh();
                self.cnf.implies(chosen, store(one));
                let mut some = vec![!chosen];
                some.extend(lasts);
                self.cnf.clause(&some);
                clause.push(chosen);
            }
            self.cnf.clause(&clause);
            assumptions.push(any);
        }
        self.cycles = Some(cycles);
        assumptions
    }

    /// The pair among these whose cycle a model of the query contains.
    pub(crate) fn cycle_shown(
        &self,
        among: &[(InstrId, InstrId)],
        value: impl Fn(Lit) -> bool,
    ) -> Option<(InstrId, InstrId)> {
        let cycles = self.cycles.as_ref()?;
        let shown = |all: &[(EventId, Lit)], instr: InstrId| {
            all.iter()
                .any(|&(id, lit)| self.events[id.index()].instr == Some(instr) && value(lit))
        };
        let mut pairs = among.iter().copied();
        pairs.find(|&(store, last)| shown(&cycles.closed, store) && shown(&cycles.last, last))
    }

    fn find_cycles(&mut self) -> CycleLiterals {
        let mut cycles = CycleLiterals::default();
        let Some(delay) = self.plan.delay.clone() else {
            return cycles;
        };
        for &(store, last) in &delay.pairs {
            for instr in [store, last] {
                let site = Site {
                    thread: delay.thread,
                    instr,
                };
                let from = self.program.instruction(site).from;
                let beyond = self.beyond_around(site.thread, from);
                cycles.beyond.insert(instr, beyond);
            }
            cycles.stores.insert(store, Cnf::FALSE);
            cycles.lasts.insert(last, Cnf::FALSE);
        }
        let copies = |encoding: &Self, instrs: &BTreeMap<InstrId, Lit>| -> Vec<EventId> {
            let mine = encoding.events.iter().enumerate().filter(|(_, event)| {
                event.thread == delay.thread
                    && !event.inside
                    && event.instr.is_some_and(|instr| instrs.contains_key(&instr))
            });
            mine.map(|(index, _)| EventId(index as u32)).collect()
        };
        for id in copies(self, &cycles.lasts) {
            let last = self.last(id);
            cycles.last.push((id, last));
        }
        let unseen = self.unseen(delay.thread, &cycles);
        let accesses = self.reach_from(delay.thread, &cycles.last, &unseen);
        for id in copies(self, &cycles.stores) {
            let closed = self.close(id, &accesses, &unseen);
            cycles.closed.push((id, closed));
        }
        for (all, shown) in [
            (&mut cycles.stores, &cycles.closed),
            (&mut cycles.lasts, &cycles.last),
        ] {
            for (&instr, some) in all {
                let here = |id: EventId| self.events[id.index()].instr == Some(instr);
                let lits = shown.iter().filter(|(id, _)| here(*id));
                let mut clause: Vec<Lit> = lits.map(|&(_, lit)| lit).collect();
                clause.extend(&cycles.beyond[&instr]);
                *some = self.one_of(clause);
            }
        }
        cycles
    }

    /// A literal that implies one of these.
    fn one_of(&mut self, mut lits: Vec<Lit>) -> Lit {
        lits.retain(|&lit| lit != Cnf::FALSE);
        if lits.contains(&Cnf::TRUE) {
            return Cnf::TRUE;
        }
        match lits[..] {
            [] => Cnf::FALSE,
            [one] => one,
            _ => {
                let some = self.cnf.fresh();
                lits.push(!some);
                self.cnf.clause(&lits);
                some
            }
        }
    }

    /// A literal that implies all of these.
    fn each_of(&mut self, lits: &[Lit]) -> Lit {
        if lits.contains(&Cnf::FALSE) {
            return Cnf::FALSE;
        }
        let mut rest = lits.iter().copied().filter(|&lit| lit != Cnf::TRUE);
        let Some(first) = rest.next() else {
            return Cnf::TRUE;
        };
        if rest.next().is_none() {
            return first;
        }
        let all = self.cnf.fresh();
        for &lit in lits {
            self.cnf.implies(all, lit);
        }
        all
    }

    /// (last)
    fn last(&mut self, id: EventId) -> Lit {
        let event = self.events[id.index()].clone();
        let last = self.cnf.fresh();
        self.cnf.implies(last, event.guard);
        for passage in &self.paths[event.thread.index()].nodes[event.to].out {
            self.cnf.clause(&[!last, !passage.taken]);
        }
        let delayed = self.delayed(id);
        self.cnf.clause(&[!last, !delayed]);
        if event.kind == EventKind::Load {
            for store in self.delayable().to_vec() {
                let other = &self.events[store.index()].address;
                let meets = event.address.as_ref().zip(other.as_ref());
                if meets.is_some_and(|(a, b)| a.meets(b)) && self.is_program_ordered(store, id) {
                    let (same, delayed) = (self.same_cell(store, id), self.delayed(store));
                    let guard = self.events[store.index()].guard;
                    self.cnf.clause(&[!last, !guard, !delayed, !same]);
                }
            }
        }
        last
    }

    /// The accesses that cut loops may execute beyond their bounds.
    fn unseen(&self, thread: ThreadId, cycles: &CycleLiterals) -> Vec<Unseen> {
        let mut unseen = Vec::new();
        for (site, instruction) in self.program.sites() {
            let Some(writes) = instruction.op.writes() else {
                continue;
            };
            if site.thread == thread && !cycles.lasts.contains_key(&site.instr) {
                continue;
            }
            for beyond in self.beyond_around(site.thread, instruction.from) {
                unseen.push(Unseen {
                    thread: site.thread,
                    cells: self.values.addresses(&self.program, site).cells,
                    writes,
                    beyond,
                });
            }
        }
        unseen
    }

    /// (reason), (step), (carry): the accesses of the other threads with their h.
    fn reach_from(
        &mut self,
        thread: ThreadId,
        last: &[(EventId, Lit)],
        unseen: &[Unseen],
    ) -> Vec<CycleAccess> {
        let others = self.events.iter().enumerate();
        let others: Vec<EventId> = others
            .filter(|(_, event)| event.thread != thread && event.address.is_some())
            .map(|(index, _)| EventId(index as u32))
            .collect();
        let mut places: AHashMap<NodeId, Lit> = AHashMap::new();
        let mut accesses = Vec::with_capacity(others.len());
        for event in others {
            let place = self.events[event.index()].node;
            let reached = *places.entry(place).or_insert_with(|| self.cnf.fresh());
            accesses.push(CycleAccess { event, reached });
        }
        // The reasons that may make a node h, in the order in which the nodes were created.
        let mut reasons: BTreeMap<Lit, Vec<Lit>> = BTreeMap::new();
        for access in &accesses {
            reasons.insert(access.reached, Vec::new());
        }
        for (reached, entered) in self.carry(thread, &places) {
            reasons.entry(reached).or_default().push(entered);
        }
        let starts = last
            .iter()
            .map(|&(event, reached)| CycleAccess { event, reached });
        let all: Vec<CycleAccess> = accesses.iter().copied().chain(starts).collect();
        let by_cell = self.by_cell(&all);
        for access in &accesses {
            let event = &self.events[access.event.index()];
            let cells: Vec<Addr> = event.address.iter().flat_map(Address::cells).collect();
            let mut sources: Vec<usize> = cells
                .iter()
                .flat_map(|cell| by_cell.get(cell).into_iter().flatten())
                .copied()
                .collect();
            sources.sort_unstable();
            sources.dedup();
            let found: Vec<Lit> = sources
                .into_iter()
                .map(|source| self.step(all[source], *access))
                .collect();
            let event = &self.events[access.event.index()];
            let beyond = unseen.iter().filter(|unseen| unseen.conflicts(event));
            let beyond = beyond.map(|unseen| unseen.beyond);
            if let Some(reasons) = reasons.get_mut(&access.reached) {
                reasons.extend(found.into_iter().chain(beyond));
            }
        }
        for (reached, mut clause) in reasons {
            clause.push(!reached);
            self.cnf.clause(&clause);
        }
        accesses
    }

    /// By cell that several threads may access: the accesses that may access it.
    fn by_cell(&self, accesses: &[CycleAccess]) -> BTreeMap<Addr, Vec<usize>> {
        let mut by_cell: BTreeMap<Addr, Vec<usize>> = BTreeMap::new();
        for (index, access) in accesses.iter().enumerate() {
            let address = self.events[access.event.index()].address.as_ref();
            for cell in address.into_iter().flat_map(Address::cells) {
                by_cell.entry(cell).or_default().push(index);
            }
        }
        let thread = |&access: &usize| self.events[accesses[access].event.index()].thread;
        by_cell.retain(|_, accesses| {
            let mut threads = accesses.iter().map(thread);
            let first = threads.next();
            threads.any(|thread| Some(thread) != first)
        });
        by_cell
    }

    /// (step): a literal that implies that happens-before leads from the first to the second.
    fn step(&mut self, a: CycleAccess, b: CycleAccess) -> Lit {
        let (first, second) = (&self.events[a.event.index()], &self.events[b.event.index()]);
        if first.thread == second.thread || !(writes(first) || writes(second)) {
            return Cnf::FALSE;
        }
        let guards = [first.guard, second.guard];
        let (from, to) = (first.node, second.node);
        let before = self.order.implied(&mut self.cnf, from, to);
        if before == Cnf::FALSE {
            return Cnf::FALSE;
        }
        let same = self.one_cell(a.event, b.event);
        self.each_of(&[a.reached, before, same, guards[0], guards[1]])
    }

    /// A literal that implies that both access one cell, if they are executed.
    fn one_cell(&mut self, a: EventId, b: EventId) -> Lit {
        let address = |id: EventId| self.events[id.index()].address.clone();
        let (Some(x), Some(y)) = (address(a), address(b)) else {
            return Cnf::FALSE;
        };
        match (x.fixed(), y.fixed()) {
            (Some(cell), _) => y.at(cell),
            (_, Some(cell)) => x.at(cell),
            (None, None) => {
                let one = self.cnf.fresh();
                for (cell, here) in x.0 {
                    self.cnf.clause(&[!one, !here, y.at(cell)]);
                }
                one
            }
        }
    }

    /// (carry): for the nodes that are entered from copies after some `h`, the node's literal and
    /// that of the copy.
    fn carry(&mut self, thread: ThreadId, places: &AHashMap<NodeId, Lit>) -> Vec<(Lit, Lit)> {
        let mut entered = Vec::new();
        for other in self.program.thread_ids().filter(|&other| other != thread) {
            let after = self.carry_along(other, places);
            for event in self.events.iter().filter(|event| event.thread == other) {
                // A block is entered at its beginning, not at each of its accesses. But for a block
                // that was entered beyond a bound the beginning is not encoded.
                let node = &self.paths[other.index()].nodes[event.from];
                let entered_here = !event.inside || node.copy.is_entered_beyond();
                let Some(&reached) = places.get(&event.node).filter(|_| entered_here) else {
                    continue;
                };
                let (from, guard) = (after[event.from], event.guard);
                entered.push((reached, from, guard));
            }
        }
        let mut ways = Vec::new();
        for (reached, from, guard) in entered {
            let way = self.each_of(&[from, guard]);
            ways.push((reached, way));
        }
        ways
    }

    /// H for the copies of one thread.
    fn carry_along(&mut self, thread: ThreadId, places: &AHashMap<NodeId, Lit>) -> Vec<Lit> {
        let t = thread.index();
        let order = self.paths[t].in_order();
        let mut arrivals: Vec<Vec<(usize, Lit, Lit)>> = vec![Vec::new(); order.len()];
        for (number, node) in self.paths[t].nodes.iter().enumerate() {
            for passage in &node.out {
                let event = passage.event.map(|id| self.events[id.index()].node);
                let reached = event.and_then(|place| places.get(&place));
                if let Some(to) = passage.to {
                    let reached = reached.copied().unwrap_or(Cnf::FALSE);
                    arrivals[to].push((number, passage.taken, reached));
                }
            }
        }
        let mut after = vec![Cnf::FALSE; order.len()];
        for number in order {
            let more = self.paths[t].nodes[number].more.as_ref();
            let mut ways: Vec<Lit> = more.map(|&(more, _)| more).into_iter().collect();
            for &(from, taken, reached) in &arrivals[number] {
                let some = self.one_of(vec![after[from], reached]);
                ways.push(self.each_of(&[some, taken]));
            }
            after[number] = self.one_of(ways);
        }
        after
    }

    /// (first), (close)
    fn close(&mut self, store: EventId, accesses: &[CycleAccess], unseen: &[Unseen]) -> Lit {
        let event = self.events[store.index()].clone();
        let delayed = self.delayed(store);
        if delayed == Cnf::FALSE {
            return Cnf::FALSE;
        }
        let after = self.after_delayed(event.from);
        let mut ends: Vec<Lit> = unseen
            .iter()
            .filter(|unseen| unseen.conflicts(&event))
            .map(|unseen| unseen.beyond)
            .collect();
        for access in accesses {
            let other = &self.events[access.event.index()];
            let guard = other.guard;
            let meets = event.address.as_ref().zip(other.address.as_ref());
            if meets.is_some_and(|(a, b)| a.meets(b)) {
                let same = self.one_cell(access.event, store);
                ends.push(self.each_of(&[access.reached, guard, same]));
            }
        }
        let end = self.one_of(ends);
        self.each_of(&[event.guard, delayed, !after, end])
    }
}

/// Whether an access writes.
fn writes(event: &Event) -> bool {
    event.write.is_some()
}
