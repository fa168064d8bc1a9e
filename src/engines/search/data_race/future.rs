//! What threads may still do from each location on, as far as it concerns races on one cell.
//!
//! Computed once per cell, by going backwards through each automaton. The caller names the instructions
//! that may access the cell.

use super::clocks::{Clock, KINDS, bit, conflict, kinds};
use crate::facts::{Flow, Lattice};
use crate::program::{AccessKind, LocId, Op, Ordered, Ordering, Site, ThreadId};
use crate::reference::machine::Config;

/// What a thread may do from a location on.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Future {
    /// The kinds of its accesses to the cell, a bit for each.
    pub(super) kinds: u8,
    /// The accesses of other threads with which these conflict.
    pub(super) races_with: Clock,
    /// Whether other threads may learn something from it.
    pub(super) publishes: bool,
    /// Whether it may pass a fence that acquires.
    pub(super) fences: bool,
}

impl Future {
    fn and(self, other: Future) -> Future {
        Future {
            kinds: self.kinds | other.kinds,
            races_with: self.races_with | other.races_with,
            publishes: self.publishes || other.publishes,
            fences: self.fences || other.fences,
        }
    }
}

impl Lattice for Future {
    fn join(&mut self, other: Self) -> bool {
        let before = std::mem::replace(self, self.and(other));
        *self != before
    }
}

/// By thread and location.
pub(super) struct Futures(Vec<Vec<Future>>);

impl Futures {
    pub(super) fn new(ordered: &Ordered, sites: &[Site]) -> Self {
        let program = &ordered.program;
        let futures = program.thread_ids().zip(program.threads());
        let futures = futures.map(|(thread, automaton)| {
            let instructions = automaton.instructions().iter().zip(0_usize..);
            let steps: Vec<Future> = instructions
                .map(|(instruction, at)| {
                    let instr = at.into();
                    let site = Site { thread, instr };
                    let ordering = ordered.ordering(site);
                    step(ordered, site, &instruction.op, ordering, sites)
                })
                .collect();
            let nothing = vec![Future::default(); automaton.locations().len()];
            Flow::backward(automaton).solve(nothing, |instr, _, after| after.and(steps[instr]))
        });
        Self(futures.collect())
    }

    pub(super) fn of(&self, thread: ThreadId, loc: LocId) -> &Future {
        &self.0[thread.index()][loc.index()]
    }

    /// Whether two threads may still execute accesses that conflict.
    pub(super) fn may_conflict(&self, config: &Config) -> bool {
        let here = |t: usize| &self.0[t][config.locations[t].index()];
        let mut before: Clock = 0;
        (0..self.0.len()).any(|t| {
            let future = here(t);
            let found = future.races_with & before != 0;
            for kind in (0..KINDS).filter(|kind| future.kinds & (1 << kind) != 0) {
                before |= bit(ThreadId::from(t), kind);
            }
            found
        })
    }
}

fn step(ordered: &Ordered, site: Site, op: &Op, ordering: Ordering, sites: &[Site]) -> Future {
    let mut future = Future {
        publishes: match op {
            Op::Store { .. } | Op::Rmw { .. } => ordering != Ordering::Plain,
            Op::AtomicEnd => ordering.releases(),
            Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Load { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_) => false,
        },
        fences: matches!(op, Op::Fence(_) | Op::Skip) && ordering.acquires(),
        ..Future::default()
    };
    if let Some((_, kind)) = op.access()
        && sites.contains(&site)
    {
        let does = match kind {
            AccessKind::Load { .. } => [true, false],
            AccessKind::Store { .. } => [false, true],
            AccessKind::Rmw { .. } => [true, true],
        };
        let others = ordered.program.thread_ids();
        for own in kinds(ordering == Ordering::Plain, does) {
            future.kinds |= 1 << own;
            for other in others.clone().filter(|&other| other != site.thread) {
                for kind in (0..KINDS).filter(|&kind| conflict(own, kind)) {
                    future.races_with |= bit(other, kind);
                }
            }
        }
    }
    future
}
