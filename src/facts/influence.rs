//! Which threads influence which: through the cells that they access.
//!
//! What a thread does depends on those that write what it accesses, and on those that *they* depend on: these
//! are *upstream* of it. Happens-before also leads from a load to a later store of another thread. So
//! a cycle through a thread may involve all threads that a chain of cells, which both access and one of them
//! writes, *connects* with it, and no others.

use super::Values;
use crate::program::{Addr, Program, ThreadId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Which threads access what.
pub struct Influence {
    /// The cells that each thread may access.
    accessed: Vec<BTreeSet<Addr>>,
    cells: BTreeMap<Addr, Access>,
}

/// The threads that may access a cell.
#[derive(Default)]
struct Access {
    all: BTreeSet<ThreadId>,
    /// Those that may write it.
    writers: BTreeSet<ThreadId>,
}

impl Influence {
    /// The influence of the threads of this program on each other.
    pub fn of(program: &Program) -> Arc<Self> {
        program.computed(Self::compute)
    }

    fn compute(program: &Program) -> Self {
        let values = Values::of(program);
        let mut accessed = vec![BTreeSet::new(); program.threads().len()];
        let mut cells: BTreeMap<Addr, Access> = BTreeMap::new();
        for (site, instruction) in program.sites() {
            for cell in values.addresses(program, site).cells {
                accessed[site.thread.index()].insert(cell);
                let access = cells.entry(cell).or_default();
                access.all.insert(site.thread);
                if instruction.op.writes() == Some(true) {
                    access.writers.insert(site.thread);
                }
            }
        }
        Self { accessed, cells }
    }

    /// The threads that may write a cell, ascending.
    pub fn writers(&self, cell: Addr) -> impl Iterator<Item = ThreadId> + '_ {
        let known = self.cells.get(&cell).into_iter();
        known.flat_map(|access| access.writers.iter().copied())
    }

    /// These threads and those upstream of them, ascending.
    pub fn upstream(&self, threads: BTreeSet<ThreadId>) -> Vec<ThreadId> {
        self.closure(threads, |access| Some(&access.writers))
    }

    /// The thread and those that are connected with it, ascending.
    pub fn connected(&self, thread: ThreadId) -> Vec<ThreadId> {
        self.closure(BTreeSet::from([thread]), |access| {
            (!access.writers.is_empty()).then_some(&access.all)
        })
    }

    /// These threads, with those that each cell leads to which one of them accesses.
    fn closure(
        &self,
        mut threads: BTreeSet<ThreadId>,
        leads_to: impl Fn(&Access) -> Option<&BTreeSet<ThreadId>>,
    ) -> Vec<ThreadId> {
        let mut pending: Vec<ThreadId> = threads.iter().copied().collect();
        let mut seen = BTreeSet::new();
        while let Some(thread) = pending.pop() {
            let accessed = self.accessed[thread.index()].iter();
            for cell in accessed.filter(|&&cell| seen.insert(cell)) {
                let others = leads_to(&self.cells[cell]).into_iter().flatten();
                pending.extend(others.filter(|&&other| threads.insert(other)));
            }
        }
        threads.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::parse;

    #[test]
    fn a_load_connects_a_thread_with_the_writer_that_is_upstream_of_it() {
        let text = "shared a, b, c; thread w { a = 1; } thread r { local r; r = a; b = r; }
                    thread s { b = 2; } thread t { local r; r = c; } thread u { local r; r = c; }";
        let program = parse(text).program.expect("no errors in the text");
        let influence = Influence::of(&program);
        let numbers = |threads: Vec<ThreadId>| -> Vec<usize> {
            threads.into_iter().map(ThreadId::index).collect()
        };
        let upstream = |thread| numbers(influence.upstream(BTreeSet::from([thread])));
        let connected = |thread| numbers(influence.connected(thread));
        let all: Vec<_> = program.thread_ids().collect();
        let expected = [vec![0], vec![0, 1, 2], vec![0, 1, 2], vec![3], vec![4]];
        assert_eq!(
            all.iter().map(|&t| upstream(t)).collect::<Vec<_>>(),
            expected
        );
        let group = vec![0, 1, 2];
        let expected = [group.clone(), group.clone(), group, vec![3], vec![4]];
        assert_eq!(
            all.iter().map(|&t| connected(t)).collect::<Vec<_>>(),
            expected
        );
    }
}
