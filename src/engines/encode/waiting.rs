//! Loads of several cells that wait while an own store that is buffered overlaps them: [`Overlap::Wait`].
//!
//! For the loads `r1 … rn` of one access, its own stores `v` before it, and its own accesses `a` before it:
//!
//! ```text
//! (wait)   ri and v executed, same cell, ri < v → covered
//! (cover)  covered → ∨ over a: (∧ over i: ri reads a store of a) ∨ more
//! ```
//!
//! That `v` comes after the load in the global order means that it is buffered when the load happens. Then each cell is
//! loaded from one access. By (own) that is the newest one to each of the cells. It is buffered as well: it has the cell of `v`, and is
//! `v`, or newer.
//!
//! A store `v` that a later own store to its cell follows on every path is no source, and needs no (wait): if it is buffered, then
//! so is the later one.

use super::Encoding;
use super::memory::LoadSources;
use crate::cnf::NodeId;
use crate::program::{Op, Overlap, Program, Site};
use ahash::{AHashMap, AHashSet};
use rustsat::types::Lit;
use std::collections::BTreeMap;

/// The loads that wait.
#[derive(Debug, Default)]
pub(super) struct WaitingLoads {
    /// The instructions that load a part.
    parts: AHashSet<Site>,
    /// The loads of each access, and how many of their sources are constrained.
    accesses: Vec<WaitingLoad>,
}

/// A load of several cells.
#[derive(Debug)]
struct WaitingLoad {
    /// By part: the index among the loads, and how many of its sources are constrained.
    parts: Vec<(usize, usize)>,
    /// One access has all cells.
    covered: Lit,
    /// What implies that one more access has them; `None` if no more are encoded.
    more: Option<Lit>,
}

impl WaitingLoads {
    pub(super) fn of(program: &Program) -> Self {
        let begins = program.sites();
        let begins = begins.filter(|(_, i)| i.op == Op::WordBegin(Overlap::Wait));
        let parts = begins.flat_map(|(begin, _)| {
            let word = program.thread(begin.thread).word(begin.instr);
            let word = word.unwrap_or_default().into_iter();
            word.map(move |instr| Site { instr, ..begin })
        });
        Self {
            parts: parts.collect(),
            accesses: Vec::new(),
        }
    }

    /// Whether the instruction is part of such an access.
    pub(super) fn contains(&self, site: Site) -> bool {
        self.parts.contains(&site)
    }
}

impl Encoding {
    /// (wait), (cover), for the sources that are new. The loads from `old` on are new.
    pub(super) fn let_loads_wait(&mut self, reads: &[LoadSources], old: usize, open: &[Lit]) {
        if self.waiting.parts.is_empty() {
            return;
        }
        let mut accesses = std::mem::take(&mut self.waiting.accesses);
        let mut by_node: AHashMap<NodeId, usize> = AHashMap::new();
        for (index, read) in reads.iter().enumerate().skip(old) {
            let event = &self.events[read.event.index()];
            let site = event.instr.map(|instr| Site {
                thread: event.thread,
                instr,
            });
            if !site.is_some_and(|site| self.waiting.contains(site)) {
                continue;
            }
            let access = *by_node.entry(event.node).or_insert(accesses.len());
            if access == accesses.len() {
                let covered = self.cnf.fresh();
                accesses.push(WaitingLoad {
                    parts: Vec::new(),
                    covered,
                    more: Some(covered),
                });
            }
            accesses[access].parts.push((index, 0));
        }
        // One cell is covered by each store to it.
        for access in accesses.iter_mut().filter(|access| access.parts.len() > 1) {
            if self.is_to_stop() {
                break;
            }
            self.let_load_wait(access, reads, open);
        }
        self.waiting.accesses = accesses;
    }

    fn let_load_wait(&mut self, access: &mut WaitingLoad, reads: &[LoadSources], open: &[Lit]) {
        // By access that stores: for each part, the literals of "is loaded from it".
        let mut stored: BTreeMap<NodeId, Vec<Vec<Lit>>> = BTreeMap::new();
        let count = access.parts.len();
        for (part, (index, known)) in access.parts.iter_mut().enumerate() {
            let read = &reads[*index];
            let r = read.event;
            for &(v, rf) in &read.sources[*known..] {
                let (load, store) = (&self.events[r.index()], &self.events[v.index()]);
                if load.thread != store.thread {
                    continue;
                }
                let (from, to) = (load.node, store.node);
                let guards = [!load.guard, !store.guard];
                let of_part = stored.entry(to).or_insert_with(|| vec![Vec::new(); count]);
                of_part[part].push(rf);
                let same = self.same_cell(r, v);
                let buffered = self.order.before(&mut self.cnf, from, to);
                self.cnf
                    .clause(&[guards[0], guards[1], !same, !buffered, access.covered]);
            }
            *known = read.sources.len();
        }
        let Some(last) = access.more else { return };
        let next = self.open(open);
        let mut clause = vec![!last];
        for parts in stored
            .into_values()
            .filter(|parts| parts.iter().all(|part| !part.is_empty()))
        {
            let each = parts.into_iter().map(|part| {
                let any = part.into_iter().reduce(|a, b| self.cnf.or(a, b));
                any.unwrap_or(crate::cnf::Cnf::FALSE)
            });
            let each: Vec<Lit> = each.collect();
            let all = each.into_iter().reduce(|a, b| self.cnf.and(a, b));
            clause.extend(all);
        }
        clause.extend(next);
        self.cnf.clause(&clause);
        access.more = next;
    }
}
