//! Unrolling: the copies of locations that executions visit under given loop bounds.
//!
//! A *copy* is a location together with the number of times that each loop around it has returned
//! to its head. There is one copy per location and counts, so branches join again and a sequence of
//! diamonds stays linear. An edge leads from a copy to a copy, or it is *cut* because its loop has
//! reached its bound, or it is *dropped* because it ends an iteration without effects.
//!
//! Inside an atomic block a copy also records where that block was entered. A block is one action,
//! and an automaton may enter the same locations by several instructions, leave them by several,
//! and pass through a loop that is partly inside the block: neither the location nor the counts
//! determine which block a copy belongs to. So paths that entered separately meet only after the
//! block.
//!
//! **Invariant.** Edges between copies go forward in [`Unroller::key`], under every bound. Raising
//! a bound adds copies and turns cut edges into edges; it never changes an existing copy.
//!
//! **Bounded:** a bounded result loses executions at cut edges, and code that follows copies must
//! account for each of them. Dropped edges lose nothing (see `facts`).

use crate::facts::{Flow, LoopId, Loops};
use crate::program::{InstrId, LocId, Op, Thread};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A copy of a location.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LocCopy {
    /// The location.
    pub(crate) loc: LocId,
    /// For each loop around it, outermost first, how many times control returned to its head.
    pub(crate) counts: Vec<u32>,
    /// Inside an atomic block: where this block was entered.
    pub(crate) block: Option<Arc<BlockEntry>>,
}

impl LocCopy {
    /// Whether it is inside an atomic block that was entered in an iteration beyond some bound.
    pub(crate) fn is_entered_beyond(&self) -> bool {
        matches!(self.block.as_deref(), Some(BlockEntry::Beyond(..)))
    }
}

/// Where an atomic block was entered. No execution enters two blocks with the same entry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum BlockEntry {
    /// By this instruction, from the copy of its location with these counts.
    Begin(InstrId, Vec<u32>),
    /// In an iteration beyond some bound. Control returns within the bounds at this location with
    /// these counts.
    Beyond(LocId, Vec<u32>),
}

impl BlockEntry {
    /// Numbers that identify the entry.
    fn key(&self) -> impl Iterator<Item = u32> {
        let (tag, index, counts) = match self {
            BlockEntry::Begin(instr, counts) => (0, instr.index(), counts),
            BlockEntry::Beyond(loc, counts) => (1, loc.index(), counts),
        };
        [tag, index as u32]
            .into_iter()
            .chain(counts.iter().copied())
    }
}

/// Where an edge of a copy leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum EdgeTarget {
    /// To this copy.
    Copy(LocCopy),
    /// Beyond the bound of this loop.
    Cut(LoopId),
    /// Back to the start of an iteration without effects, so to a configuration that was reached
    /// before.
    Dropped,
}

/// The copies of one thread under bounds that may be raised.
#[derive(Debug)]
pub(crate) struct Unroller {
    loops: Loops,
    around: Vec<Vec<LoopId>>,
    dropped: Vec<bool>,
    bounds: Vec<u32>,
    /// For each loop, the edges that leave it.
    exits: Vec<Vec<InstrId>>,
    /// For each loop, the loop itself and the inner loops from which its head can be reached
    /// without passing a location that is in no inner loop.
    fed: Vec<Vec<LoopId>>,
    /// For each location, the loops from which control could reach it by leaving them, sorted.
    left: Vec<Vec<LoopId>>,
}

impl Unroller {
    /// Every loop may return to its head up to `bound` times. `dropped` states for each instruction
    /// whether it ends an iteration without effects.
    pub(crate) fn new(thread: &Thread, loops: Loops, dropped: Vec<bool>, bound: u32) -> Self {
        let around: Vec<Vec<LoopId>> = (0..thread.locations().len())
            .map(|l| loops.around(l.into()))
            .collect();
        let bounds = vec![bound; loops.ids().len()];
        let mut exits = vec![Vec::new(); bounds.len()];
        let mut fed: Vec<Vec<LoopId>> = loops.ids().map(|id| vec![id]).collect();
        for (i, instruction) in thread.instructions().iter().enumerate() {
            let (before, after) = (
                &around[instruction.from.index()],
                &around[instruction.to.index()],
            );
            let shared = before.iter().zip(after).take_while(|(a, b)| a == b).count();
            for &left in &before[shared..] {
                exits[left.index()].push(InstrId::from(i));
                if let Some(outer) = loops.is_back_edge(i.into()) {
                    fed[outer.index()].push(left);
                }
            }
        }
        // Outer loops have lower ids, so in reverse order the set of an inner loop is complete
        // before those of the loops around it.
        for index in (0..fed.len()).rev() {
            let inner = fed[index].clone();
            let all = &mut inner
                .iter()
                .flat_map(|id| fed[id.index()].clone())
                .collect::<Vec<_>>();
            all.sort_unstable();
            all.dedup();
            fed[index] = std::mem::take(all);
        }
        let mut left = vec![Vec::new(); thread.locations().len()];
        let leaving = loops_left(thread, &around);
        for (instruction, leaving) in thread.instructions().iter().zip(leaving) {
            let fed = leaving
                .iter()
                .flat_map(|id| fed[id.index()].iter().copied());
            left[instruction.to.index()].extend(fed);
        }
        for loops in &mut left {
            loops.sort_unstable();
            loops.dedup();
        }
        Self {
            loops,
            around,
            dropped,
            bounds,
            exits,
            fed,
            left,
        }
    }

    /// The loops of the thread.
    pub(crate) fn loops(&self) -> &Loops {
        &self.loops
    }

    /// A loop's bound: the maximum number of returns to its head.
    pub(crate) fn bound(&self, id: LoopId) -> u32 {
        self.bounds[id.index()]
    }

    /// Raises a loop's bound.
    pub(crate) fn raise(&mut self, id: LoopId, by: u32) {
        self.bounds[id.index()] += by;
    }

    /// The copy where the thread starts.
    pub(crate) fn entry(&self, thread: &Thread) -> LocCopy {
        let loc = thread.entry();
        LocCopy {
            loc,
            counts: vec![0; self.around[loc.index()].len()],
            block: None,
        }
    }

    /// The target of an instruction from a copy of its location.
    pub(crate) fn target(&self, thread: &Thread, from: &LocCopy, instr: InstrId) -> EdgeTarget {
        if self.dropped[instr.index()] {
            return EdgeTarget::Dropped;
        }
        let loc = thread.instruction(instr).to;
        let (before, after) = (&self.around[from.loc.index()], &self.around[loc.index()]);
        let shared = before.iter().zip(after).take_while(|(a, b)| a == b).count();
        let mut counts: Vec<u32> = from.counts[..shared].to_vec();
        if let Some(id) = self.loops.is_back_edge(instr) {
            // The loop is the innermost one around its head, hence the last one shared.
            let count = &mut counts[shared - 1];
            *count += 1;
            if *count > self.bound(id) {
                return EdgeTarget::Cut(id);
            }
        }
        counts.resize(after.len(), 0);
        let op = &thread.instruction(instr).op;
        let block = if op.begins_block() {
            Some(Arc::new(BlockEntry::Begin(instr, from.counts.clone())))
        } else {
            let block = from.block.clone();
            block.filter(|_| *op != Op::AtomicEnd)
        };
        EdgeTarget::Copy(LocCopy { loc, counts, block })
    }

    /// The copies where control may return within the bounds after it exceeds a loop's bound at a
    /// copy: the targets of the edges that leave the loop, and, if such an edge exceeds the bound
    /// of an outer loop as well, the targets of the edges that leave that loop.
    ///
    /// If such a copy is inside an atomic block, the block is the one that control was in when it
    /// exceeded the bound, or one that was entered beyond the bound.
    pub(crate) fn landings(&self, thread: &Thread, cut: &LocCopy, id: LoopId) -> Vec<LocCopy> {
        let before = &self.around[cut.loc.index()];
        let mut landings = Vec::new();
        let mut beyond = vec![id];
        let mut next = 0;
        while let Some(&id) = beyond.get(next) {
            next += 1;
            for &instr in &self.exits[id.index()] {
                let loc = thread.instruction(instr).to;
                let after = &self.around[loc.index()];
                let shared = before.iter().zip(after).take_while(|(a, b)| a == b).count();
                let mut counts: Vec<u32> = cut.counts[..shared].to_vec();
                if let Some(outer) = self.loops.is_back_edge(instr) {
                    let count = &mut counts[shared - 1];
                    *count += 1;
                    if *count > self.bound(outer) {
                        if !beyond.contains(&outer) {
                            beyond.push(outer);
                        }
                        continue;
                    }
                }
                counts.resize(after.len(), 0);
                let mut land = |block| {
                    let counts = counts.clone();
                    landings.push(LocCopy { loc, counts, block });
                };
                if !thread.location(loc).atomic {
                    land(None);
                    continue;
                }
                if cut.block.is_some() {
                    land(cut.block.clone());
                }
                if self.enters_block(thread, id) {
                    land(Some(Arc::new(BlockEntry::Beyond(loc, counts.clone()))));
                }
            }
        }
        landings
    }

    /// Whether some edge leaves a loop.
    pub(crate) fn has_exit(&self, id: LoopId) -> bool {
        !self.exits[id.index()].is_empty()
    }

    /// The run of a loop that a copy inside it belongs to: the iterations of the loops around it.
    pub(crate) fn run<'c>(&self, copy: &'c LocCopy, id: LoopId) -> &'c [u32] {
        let around = &self.around[copy.loc.index()];
        let depth = around.iter().position(|&other| other == id);
        &copy.counts[..depth.unwrap_or(0)]
    }

    /// The loops that an edge leaves, each with its run that the copy belongs to.
    pub(crate) fn runs_left<'c>(
        &self,
        from: &'c LocCopy,
        instr: InstrId,
    ) -> impl Iterator<Item = (LoopId, &'c [u32])> {
        let around = self.around[from.loc.index()].iter().enumerate();
        let leaves = move |id: &LoopId| self.exits[id.index()].contains(&instr);
        around
            .filter(move |(_, id)| leaves(id))
            .map(|(depth, &id)| (id, &from.counts[..depth]))
    }

    /// Whether an atomic block is entered inside a loop, or by an instruction that leaves it.
    fn enters_block(&self, thread: &Thread, id: LoopId) -> bool {
        let edges = |&loc: &LocId| thread.outgoing(loc).iter();
        let mut instructions = self.loops.body(id).iter().flat_map(edges);
        instructions.any(|&instr| thread.instruction(instr).op.begins_block())
    }

    /// The loops from which control may exceed the bound of this one: the loop itself, and inner
    /// loops that may return to its head directly.
    pub(crate) fn beyond_with(&self, id: LoopId) -> &[LoopId] {
        &self.fed[id.index()]
    }

    /// The loops that the edges to a location leave, and those from which control may exceed their
    /// bounds: when the bound of one of them is raised, more copies of the edges may lead there. If
    /// an edge ends an atomic block, this includes the loops that were left on entering the block
    /// and inside it, because the copies of the block are distinct up to that point. Sorted.
    pub(crate) fn left_to(&self, loc: LocId) -> &[LoopId] {
        &self.left[loc.index()]
    }

    /// A key whose order is the order in which control passes the copies: for each loop around the
    /// copy, the loop's position and the iteration, then the position of the location itself.
    /// Copies that differ only in their atomic blocks are on different paths, so their order does
    /// not matter.
    pub(crate) fn key(&self, copy: &LocCopy) -> Vec<u32> {
        let around = &self.around[copy.loc.index()];
        let mut key = Vec::with_capacity(2 * around.len() + 1);
        for (&id, &count) in around.iter().zip(&copy.counts) {
            key.push(self.loops.position(self.loops.head(id)) as u32);
            key.push(count);
        }
        key.push(self.loops.position(copy.loc) as u32);
        key.extend(copy.block.iter().flat_map(|entry| entry.key()));
        key
    }
}

/// For each instruction, the loops that it leaves.
fn loops_left(thread: &Thread, around: &[Vec<LoopId>]) -> Vec<Vec<LoopId>> {
    let before = left_inside(thread, around);
    let left = thread.instructions().iter().map(|instruction| {
        let (from, to) = (instruction.from.index(), instruction.to.index());
        let mut left = left_on(&around[from], &around[to]);
        if instruction.op == Op::AtomicEnd {
            left.extend(&before[from]);
            left.sort_unstable();
            left.dedup();
        }
        left
    });
    left.collect()
}

/// The loops around the first that are not around the second.
fn left_on(before: &[LoopId], after: &[LoopId]) -> Vec<LoopId> {
    let left = before.iter().filter(|id| !after.contains(id));
    left.copied().collect()
}

/// For each location inside an atomic block, the loops that were left since the start of the
/// instruction that entered the block, even if they were entered again.
fn left_inside(thread: &Thread, around: &[Vec<LoopId>]) -> Vec<BTreeSet<LoopId>> {
    let nothing = vec![BTreeSet::new(); around.len()];
    Flow::forward(thread).solve(nothing, |_, instruction, before| {
        let (from, to) = (instruction.from, instruction.to);
        if !thread.location(to).atomic {
            return BTreeSet::new();
        }
        let mut left = before.clone();
        left.extend(left_on(&around[from.index()], &around[to.index()]));
        left
    })
}
