//! Conflicts: which accesses may touch one cell, one of them writing, and what that leads to.
//!
//! A cycle of happens-before leaves the attacker at its last action by a conflict, goes on through
//! the other threads by program order and further conflicts, and comes back to the delayed store by
//! one more. This room looks for such a chain in the text: (same cell) and (no cycle) of the room
//! above.
//!
//! **Invariant.** Over-approximate: cells are those that an access may touch, and program order is
//! any path of the automaton, so what finds no chain here has none in any execution.

use super::{Attack, walk};
use crate::analysis::Values;
use crate::program::{Addr, Program, Site};
use std::collections::BTreeSet;

/// An access to shared memory.
struct Access {
    site: Site,
    cells: Vec<Addr>,
    writes: bool,
}

/// Which accesses may touch one cell, and what program order makes of that.
pub(super) struct Conflicts {
    accesses: Vec<Access>,
    /// By access: the own accesses that may come later, or, in an atomic block, that belong to it.
    later: Vec<Vec<usize>>,
}

impl Conflicts {
    /// Looks at every access that may be executed.
    pub(super) fn new(program: &Program, values: &Values) -> Self {
        let mut accesses = Vec::new();
        for (site, instruction) in program.sites() {
            let Some(writes) = instruction.op.writes() else {
                continue;
            };
            if values.reachable(site.thread, instruction.from) {
                let cells = values.addresses(program, site).cells;
                accesses.push(Access {
                    site,
                    cells,
                    writes,
                });
            }
        }
        let later = accesses
            .iter()
            .map(|access| {
                let thread = access.site.thread;
                let behind = walk(program, thread, program.instruction(access.site).to, |_| {
                    true
                });
                let block = block_around(program, access.site);
                let follows = |other: &Access| {
                    let from = program.instruction(other.site).from;
                    other.site.thread == thread && (behind[from.index()] || block[from.index()])
                };
                (0..accesses.len())
                    .filter(|&other| follows(&accesses[other]))
                    .collect()
            })
            .collect();
        Self { accesses, later }
    }

    fn find(&self, site: Site) -> Option<&Access> {
        self.accesses.iter().find(|access| access.site == site)
    }

    /// Whether the store and the last action access one cell for certain.
    pub(super) fn same_cell(&self, attack: Attack) -> bool {
        let cell = |site| match self.find(site).map(|access| &access.cells[..]) {
            Some(&[cell]) => Some(cell),
            _ => None,
        };
        let (store, last) = (cell(attack.store_site()), cell(attack.last_site()));
        store.is_some() && store == last
    }

    /// Whether the helpers' accesses may lead from the last action to the store.
    pub(super) fn close(&self, program: &Program, attack: Attack) -> bool {
        let (Some(store), Some(last)) = (
            self.find(attack.store_site()),
            self.find(attack.last_site()),
        ) else {
            // Never executed.
            return false;
        };
        if program.threads().len() < 2 {
            return false;
        }
        let mut dependent = vec![false; self.accesses.len()];
        let mut work = Vec::new();
        let mut touched: Vec<&Access> = vec![last];
        loop {
            while let Some(access) = touched.pop() {
                for (index, other) in self.accesses.iter().enumerate() {
                    if other.site.thread != attack.thread
                        && !dependent[index]
                        && (access.writes || other.writes)
                        && meet(&access.cells, &other.cells)
                    {
                        dependent[index] = true;
                        work.push(index);
                    }
                }
            }
            let Some(index) = work.pop() else { break };
            touched.push(&self.accesses[index]);
            for &later in &self.later[index] {
                if !std::mem::replace(&mut dependent[later], true) {
                    work.push(later);
                }
            }
        }
        let mut ends = self.accesses.iter().zip(&dependent);
        ends.any(|(access, &dependent)| dependent && meet(&access.cells, &store.cells))
    }
}

/// The locations of the atomic block around an access; none if it is in no block.
fn block_around(program: &Program, site: Site) -> Vec<bool> {
    let automaton = program.thread(site.thread);
    let mut inside = vec![false; automaton.locations().len()];
    let from = program.instruction(site).from;
    if !automaton.location(from).atomic {
        return inside;
    }
    // Blocks are entered and left by instructions of their own, so that what hangs together
    // through atomic locations is one block.
    let mut seen = BTreeSet::from([from]);
    let mut work = vec![from];
    while let Some(loc) = work.pop() {
        inside[loc.index()] = true;
        for instruction in automaton.instructions() {
            for (a, b) in [
                (instruction.from, instruction.to),
                (instruction.to, instruction.from),
            ] {
                if a == loc && automaton.location(b).atomic && seen.insert(b) {
                    work.push(b);
                }
            }
        }
    }
    inside
}

/// Whether two ascending lists share a cell.
fn meet(a: &[Addr], b: &[Addr]) -> bool {
    a.iter().any(|cell| b.binary_search(cell).is_ok())
}
