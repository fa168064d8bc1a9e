//! Which thread of a computation each thread of a sorted configuration is.

use super::Symmetry;
use crate::facts::symmetry::Exchange;
use crate::program::{Addr, ThreadId};
use crate::reference::Step;
use crate::reference::machine::{Config, Machine};

/// Which thread of a computation each thread of a configuration of the search is, and which cell each
/// cell.
pub(in super::super) struct Names<'s> {
    symmetry: &'s Symmetry,
    threads: Vec<ThreadId>,
    /// By [`Addr::index`].
    cells: Vec<Addr>,
    /// The exchanges made so far.
    made: Vec<usize>,
}

impl<'s> Names<'s> {
    /// The names in the first configuration.
    pub(in super::super) fn new(symmetry: &'s Symmetry) -> Self {
        let threads = 0..symmetry.registers.len();
        Self {
            symmetry,
            threads: threads.map(ThreadId::from).collect(),
            cells: (0..symmetry.cells).map(Addr::from_index).collect(),
            made: Vec::new(),
        }
    }

    /// [`Symmetry::sort`], after which the names are those of the sorted configuration.
    pub(in super::super) fn sort(&mut self, machine: &Machine<'_>, config: &mut Config) {
        let Self {
            symmetry,
            threads,
            cells,
            made,
        } = self;
        symmetry.sort(machine, config, |exchange| {
            let Exchange {
                threads: (a, b),
                cells: moved,
                ..
            } = &symmetry.exchanges[exchange];
            threads.swap(a.index(), b.index());
            for (a, b) in moved {
                cells.swap(a.index(), b.index());
            }
            made.push(exchange);
        });
    }

    /// A step of the search as a step of the computation.
    pub(in super::super) fn step(&self, step: Step) -> Step {
        let thread = |thread: ThreadId| self.threads[thread.index()];
        step.renamed(thread, |cell| self.cells[cell.index()])
    }

    /// The goal that the computation reaches if the search reaches this one.
    pub(in super::super) fn goal(&self, goal: usize) -> usize {
        // The last exchange maps the threads here to those before it, and so on.
        let made = self.made.iter().rev();
        made.fold(goal, |goal, &exchange| self.symmetry.image(exchange, goal))
    }
}
