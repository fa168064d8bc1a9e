//! Conflicts: which accesses may touch the same cell, one of them writing, and the chains they
//! form.
//!
//! A happens-before cycle leaves the attacker's last action by a conflict, continues through the
//! other threads by program order and further conflicts, and returns to the delayed store by one
//! more conflict. This module looks for such a chain statically, for the arguments (same cell) and
//! (no cycle) of the parent module.
//!
//! The cells that a chain may touch depend on the attacker and on the cells and kind of the last
//! action, and on nothing else of the attack. They are computed once per such start, by a traversal
//! that visits each location and each cell once. An attack is then decided by a lookup.
//!
//! **Invariant.** Over-approximate: the cells of an access are those that it may touch, and program
//! order is any path of the automaton. So if no chain is found here, no execution has one.

use super::Attack;
use crate::facts::Values;
use crate::program::{Addr, LocId, Program, Site, Thread, ThreadId};
use ahash::AHashMap;
use std::rc::Rc;

/// An access to shared memory.
struct Access {
    site: Site,
    cells: Rc<[Addr]>,
    writes: bool,
}

/// The start of a chain: the attacker, and the cells of its last action and whether it writes.
type Start = (ThreadId, Rc<[Addr]>, bool);

/// The conflicts of a program, and the chains through them.
pub(super) struct Conflicts<'p> {
    program: &'p Program,
    accesses: Vec<Access>,
    by_site: AHashMap<Site, usize>,
    /// By cell: the accesses that may touch it.
    by_cell: Vec<Vec<usize>>,
    /// By thread and location: the accesses that leave it.
    leaving: Vec<Vec<Vec<usize>>>,
    /// By thread: the atomic block of each location inside one.
    blocks: Vec<Blocks>,
    /// By start: the cells that a chain may touch by an access of another thread.
    touched: AHashMap<Start, Vec<bool>>,
}

impl<'p> Conflicts<'p> {
    /// Collects every access that may be executed.
    pub(super) fn new(program: &'p Program, values: &Values) -> Self {
        let mut accesses: Vec<Access> = Vec::new();
        let mut by_site = AHashMap::new();
        let mut by_cell = vec![Vec::new(); program.cell_count()];
        let threads = program.threads().iter();
        let mut leaving: Vec<Vec<Vec<usize>>> = threads
            .map(|thread| vec![Vec::new(); thread.locations().len()])
            .collect();
        for (site, instruction) in program.sites() {
            let Some(writes) = instruction.op.writes() else {
                continue;
            };
            if values.reachable(site.thread, instruction.from) {
                let index = accesses.len();
                let cells: Rc<[Addr]> = values.addresses(program, site).cells.into();
                for cell in cells.iter() {
                    by_cell[cell.index()].push(index);
                }
                by_site.insert(site, index);
                leaving[site.thread.index()][instruction.from.index()].push(index);
                accesses.push(Access {
                    site,
                    cells,
                    writes,
                });
            }
        }
        Self {
            program,
            accesses,
            by_site,
            by_cell,
            leaving,
            blocks: program.threads().iter().map(Blocks::of).collect(),
            touched: AHashMap::new(),
        }
    }

    fn find(&self, site: Site) -> Option<&Access> {
        self.by_site.get(&site).map(|&index| &self.accesses[index])
    }

    /// Whether the store and the last action, or a part of it, certainly access the same cell.
    pub(super) fn same_cell(&self, attack: Attack) -> bool {
        let cell = |access: &Access| match access.cells[..] {
            [cell] => Some(cell),
            _ => None,
        };
        let store = self.find(attack.store_site()).and_then(cell);
        store.is_some() && self.last(attack).any(|part| cell(part) == store)
    }

    /// The parts of the last action that may be executed: all of those that are stored together.
    fn last(&self, attack: Attack) -> impl Iterator<Item = &Access> {
        let Attack { thread, last, .. } = attack;
        let parts = self.program.thread(thread).together(last).into_iter();
        parts.filter_map(move |instr| self.find(Site { thread, instr }))
    }

    /// Whether accesses of the helpers may lead from the last action to the store.
    pub(super) fn close(&mut self, attack: Attack) -> bool {
        let (Some(store), Some(last)) = (
            self.find(attack.store_site()),
            self.find(attack.last_site()),
        ) else {
            // Never executed.
            return false;
        };
        let store = Rc::clone(&store.cells);
        let parts: Vec<&Access> = self.last(attack).collect();
        let cells = match parts[..] {
            [part] => Rc::clone(&part.cells),
            _ => parts
                .iter()
                .flat_map(|part| &*part.cells)
                .copied()
                .collect(),
        };
        let start = (attack.thread, cells, last.writes);
        if !self.touched.contains_key(&start) {
            let touched = self.chains(&start);
            self.touched.insert(start.clone(), touched);
        }
        let touched = &self.touched[&start];
        store.iter().any(|cell| touched[cell.index()])
    }

    /// The cells that chains from a start may touch by an access of another thread.
    fn chains(&self, (attacker, cells, writes): &Start) -> Vec<bool> {
        let mut chain = Chain {
            conflicts: self,
            attacker: *attacker,
            dependent: vec![false; self.accesses.len()],
            passed: self.leaving.iter().map(|l| vec![false; l.len()]).collect(),
            blocks: self.blocks.iter().map(|b| vec![false; b.count]).collect(),
            met: vec![[false; 2]; self.by_cell.len()],
            work: Vec::new(),
        };
        chain.add_conflicting(cells, *writes);
        while let Some(index) = chain.work.pop() {
            let access = &self.accesses[index];
            chain.add_successors(access.site);
            chain.add_conflicting(&access.cells, access.writes);
        }
        let mut touched = vec![false; self.by_cell.len()];
        for (access, _) in self
            .accesses
            .iter()
            .zip(&chain.dependent)
            .filter(|(_, d)| **d)
        {
            for cell in access.cells.iter() {
                touched[cell.index()] = true;
            }
        }
        touched
    }
}

/// The accesses that depend on a start, under construction.
struct Chain<'c, 'p> {
    conflicts: &'c Conflicts<'p>,
    attacker: ThreadId,
    dependent: Vec<bool>,
    /// By thread and location: whether the accesses that leave it depend on the start.
    passed: Vec<Vec<bool>>,
    /// By thread: the same for the atomic blocks.
    blocks: Vec<Vec<bool>>,
    /// By cell: whether its writes, and whether all its accesses, depend on the start.
    met: Vec<[bool; 2]>,
    work: Vec<usize>,
}

impl Chain<'_, '_> {
    fn depends(&mut self, index: usize) {
        if !std::mem::replace(&mut self.dependent[index], true) {
            self.work.push(index);
        }
    }

    /// Adds the other threads' accesses that conflict with an access to these cells.
    fn add_conflicting(&mut self, cells: &[Addr], writes: bool) {
        let conflicts = self.conflicts;
        for cell in cells {
            if std::mem::replace(&mut self.met[cell.index()][usize::from(writes)], true) {
                continue;
            }
            for &index in &conflicts.by_cell[cell.index()] {
                let other = &conflicts.accesses[index];
                if other.site.thread != self.attacker && (writes || other.writes) {
                    self.depends(index);
                }
            }
        }
    }

    /// Adds the accesses after an access, and those of its atomic block.
    fn add_successors(&mut self, site: Site) {
        let conflicts = self.conflicts;
        let thread = conflicts.program.thread(site.thread);
        let instruction = thread.instruction(site.instr);
        let t = site.thread.index();
        let mut open = vec![instruction.to];
        if let Some(block) = conflicts.blocks[t].of[instruction.from.index()]
            && !std::mem::replace(&mut self.blocks[t][block], true)
        {
            let of = conflicts.blocks[t].of.iter().enumerate();
            open.extend(
                of.filter(|(_, b)| **b == Some(block))
                    .map(|(l, _)| LocId::from(l)),
            );
        }
        while let Some(loc) = open.pop() {
            if std::mem::replace(&mut self.passed[t][loc.index()], true) {
                continue;
            }
            for &index in &conflicts.leaving[t][loc.index()] {
                self.depends(index);
            }
            let outgoing = thread.outgoing(loc).iter();
            open.extend(outgoing.map(|&instr| thread.instruction(instr).to));
        }
    }
}

/// The atomic blocks of a thread. Dedicated instructions enter and leave a block, so each connected
/// set of atomic locations is one block.
struct Blocks {
    /// By location: the number of its block.
    of: Vec<Option<usize>>,
    count: usize,
}

impl Blocks {
    fn of(thread: &Thread) -> Self {
        let locations = thread.locations().len();
        let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); locations];
        for instruction in thread.instructions() {
            let (a, b) = (instruction.from, instruction.to);
            if thread.location(a).atomic && thread.location(b).atomic {
                neighbours[a.index()].push(b.index());
                neighbours[b.index()].push(a.index());
            }
        }
        let mut of = vec![None; locations];
        let mut count = 0;
        for start in 0..locations {
            if !thread.locations()[start].atomic || of[start].is_some() {
                continue;
            }
            let mut work = vec![start];
            while let Some(loc) = work.pop() {
                if of[loc].is_none() {
                    of[loc] = Some(count);
                    work.extend(&neighbours[loc]);
                }
            }
            count += 1;
        }
        Self { of, count }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pruning, attacks};
    use super::*;
    use crate::facts::Flow;
    use crate::formats::parse_bytes;
    use crate::model::Model;
    use std::path::PathBuf;
    use std::{fs, io};

    fn conflict(a: &Access, b: &Access) -> bool {
        (a.writes || b.writes) && a.cells.iter().any(|cell| b.cells.contains(cell))
    }

    /// The definition in the module header, pair by pair: no cells, no blocks, no sharing between
    /// attacks.
    fn close_by_definition(program: &Program, conflicts: &Conflicts<'_>, attack: Attack) -> bool {
        let all = &conflicts.accesses;
        let (Some(store), Some(last)) = (
            conflicts.find(attack.store_site()),
            conflicts.find(attack.last_site()),
        ) else {
            return false;
        };
        let is_other = |access: &Access| access.site.thread != attack.thread;
        let follows = |a: &Access, b: &Access| {
            let (from, to) = (program.instruction(a.site), program.instruction(b.site));
            let after = || {
                let flow = Flow::forward(program.thread(a.site.thread));
                flow.reached([from.to.index()], |_| true)[to.from.index()]
            };
            let same_block = || {
                let blocks = Blocks::of(program.thread(a.site.thread));
                let block = blocks.of[from.from.index()];
                block.is_some() && block == blocks.of[to.from.index()]
            };
            a.site.thread == b.site.thread && (after() || same_block())
        };
        let parts = program.thread(attack.thread).together(last.site.instr);
        let is_part = |a: &&Access| a.site.thread == attack.thread && parts.contains(&a.site.instr);
        let parts: Vec<&Access> = all.iter().filter(is_part).collect();
        let mut dependent: Vec<bool> = all
            .iter()
            .map(|access| is_other(access) && parts.iter().any(|part| conflict(part, access)))
            .collect();
        loop {
            let more = (0..all.len()).find(|&b| {
                let reached = |a: usize| {
                    dependent[a] && (follows(&all[a], &all[b]) || conflict(&all[a], &all[b]))
                };
                is_other(&all[b]) && !dependent[b] && (0..all.len()).any(reached)
            });
            match more {
                Some(b) => dependent[b] = true,
                None => break,
            }
        }
        let shares = |access: &Access| access.cells.iter().any(|cell| store.cells.contains(cell));
        all.iter()
            .zip(&dependent)
            .any(|(access, &d)| d && shares(access))
    }

    fn programs(folder: &str) -> io::Result<Vec<Program>> {
        let root: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../corpus", folder]
            .iter()
            .collect();
        let mut programs = Vec::new();
        for entry in fs::read_dir(root)? {
            let path = entry?.path();
            if path.is_file() {
                let name = path.display().to_string();
                let (_, _, parsed) = parse_bytes(&fs::read(&path)?, &name, None);
                programs.extend(parsed.program.filter(|p| p.sites().count() < 80));
            }
        }
        Ok(programs)
    }

    #[test]
    fn the_traversal_finds_the_chains_of_the_definition() {
        let folders = ["litmus", "mutex", "structures", "regress", "trencher"];
        let programs = folders
            .into_iter()
            .flat_map(|folder| programs(folder).expect("a folder"));
        let (mut closed, mut open) = (0, 0);
        for program in programs {
            let values = Values::of(&program);
            let mut conflicts = Conflicts::new(&program, &values);
            for attack in attacks(&program, &values, Model::Pso, Pruning::NONE).open {
                let expected = close_by_definition(&program, &conflicts, attack);
                assert_eq!(
                    conflicts.close(attack),
                    expected,
                    "{}: {attack:?}",
                    program.name()
                );
                *(if expected { &mut closed } else { &mut open }) += 1;
            }
        }
        assert!(closed > 100 && open > 100, "{closed} closed, {open} open");
    }
}
