//! Which copies of a location an execution visits when each loop is followed so many times.
//!
//! A *copy* is a location together with how often each loop around it has come back to its head.
//! Copies of one location under the same counts are one, so branches join again and a row of
//! diamonds stays linear. An edge leads from a copy to a copy, or it is *cut* because its loop has
//! spent its bound, or it is *dropped* because it closes an iteration that leaves no trace.
//!
//! Inside an atomic block a copy also knows where that block was entered. A block is one action,
//! and an automaton may enter the same locations by several instructions, leave them by several,
//! and come round a loop that lies partly inside: neither the locations nor the counts tell which
//! block a copy belongs to. So paths that entered separately meet only after the block.
//!
//! **Invariant.** Edges between copies go forward in [`Unroller::key`], under every bound. Raising
//! a bound adds copies and turns cut edges into edges; it never changes an existing copy.
//!
//! **Bounded:** cut edges are where a bounded answer loses executions; whoever follows copies must
//! account for each of them. Dropped edges lose nothing (see `analysis`).

use crate::analysis::{LoopId, Loops};
use crate::program::{InstrId, LocId, Op, Thread};
use std::rc::Rc;

/// A copy of a location.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LocCopy {
    /// The location.
    pub(crate) loc: LocId,
    /// For each loop around it, outermost first, how often control came back to its head.
    pub(crate) counts: Vec<u32>,
    /// Inside an atomic block: where this block was entered.
    pub(crate) block: Option<Rc<Entry>>,
}

impl LocCopy {
    /// Whether it is inside an atomic block that was entered in an iteration beyond some bound.
    pub(crate) fn is_entered_beyond(&self) -> bool {
        matches!(self.block.as_deref(), Some(Entry::Beyond(..)))
    }
}

/// Where an atomic block was entered. No execution enters two blocks at the same entry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Entry {
    /// By this instruction, from the copy of its location with these counts.
    Begin(InstrId, Vec<u32>),
    /// In an iteration beyond some bound. Control comes back inside the bounds at this location
    /// with these counts.
    Beyond(LocId, Vec<u32>),
}

impl Entry {
    /// Numbers that tell entries apart.
    fn key(&self) -> impl Iterator<Item = u32> {
        let (tag, index, counts) = match self {
            Entry::Begin(instr, counts) => (0, instr.index(), counts),
            Entry::Beyond(loc, counts) => (1, loc.index(), counts),
        };
        [tag, index as u32]
            .into_iter()
            .chain(counts.iter().copied())
    }
}

/// Where an edge of a copy leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// To this copy.
    Copy(LocCopy),
    /// Beyond the bound of this loop.
    Cut(LoopId),
    /// Back to the start of an iteration that left no trace: nowhere that was not reached before.
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
    /// For each loop, itself and the inner loops from which its head may be reached without
    /// passing a location that is in it alone.
    fed: Vec<Vec<LoopId>>,
    /// For each instruction, the loops that it leaves behind.
    left: Vec<Vec<LoopId>>,
}

impl Unroller {
    /// Every loop bounded by `bound` returns to its head. `dropped` tells of each instruction
    /// whether it closes an iteration without a trace.
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
        // Outer loops come first, so what feeds an inner one is complete before its outer ones.
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
        let left = left_behind(thread, &around);
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

    /// How many returns to its head a loop is granted.
    pub(crate) fn bound(&self, id: LoopId) -> u32 {
        self.bounds[id.index()]
    }

    /// Grants a loop more returns.
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

    /// Where an instruction leads from a copy of its location.
    pub(crate) fn target(&self, thread: &Thread, from: &LocCopy, instr: InstrId) -> Target {
        if self.dropped[instr.index()] {
            return Target::Dropped;
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
                return Target::Cut(id);
            }
        }
        counts.resize(after.len(), 0);
        let op = &thread.instruction(instr).op;
        let block = if *op == Op::AtomicBegin {
            Some(Rc::new(Entry::Begin(instr, from.counts.clone())))
        } else {
            let block = from.block.clone();
            block.filter(|_| *op != Op::AtomicEnd)
        };
        Target::Copy(LocCopy { loc, counts, block })
    }

    /// The copies where control may come back inside the bounds after going beyond a loop's bound
    /// at a copy: after the edges that leave the loop, and where such an edge goes beyond an outer
    /// loop's bound as well, after those that leave that one.
    ///
    /// If that is inside an atomic block, the block is the one that control was in when it went
    /// beyond the bound, or one that was entered beyond it.
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
                    land(Some(Rc::new(Entry::Beyond(loc, counts.clone()))));
                }
            }
        }
        landings
    }

    /// Whether an atomic block is entered inside a loop, or by an instruction that leaves it.
    fn enters_block(&self, thread: &Thread, id: LoopId) -> bool {
        let edges = |&loc: &LocId| thread.outgoing(loc).iter();
        let mut instructions = self.loops.body(id).iter().flat_map(edges);
        instructions.any(|&instr| thread.instruction(instr).op == Op::AtomicBegin)
    }

    /// The loops from which control may go beyond the bound of this one: itself, and inner ones
    /// that may return to its head directly.
    pub(crate) fn beyond_with(&self, id: LoopId) -> &[LoopId] {
        &self.fed[id.index()]
    }

    /// Loops that an edge leaves behind: more copies of it may arrive where it ends when one of
    /// them is granted more returns. Where it ends an atomic block these are also the loops that
    /// were left on entering the block and inside it: until now their copies were told apart.
    pub(crate) fn left_by(&self, instr: InstrId) -> &[LoopId] {
        &self.left[instr.index()]
    }

    /// A key whose order is the order in which control passes the copies: for each loop around,
    /// where it stands and which iteration this is, then where the location itself stands. Copies
    /// that differ in nothing but their atomic blocks lie on different paths: any order will do.
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

/// For each instruction, the loops that it leaves behind.
fn left_behind(thread: &Thread, around: &[Vec<LoopId>]) -> Vec<Vec<LoopId>> {
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
fn left_inside(thread: &Thread, around: &[Vec<LoopId>]) -> Vec<Vec<LoopId>> {
    let mut left: Vec<Vec<LoopId>> = vec![Vec::new(); around.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for instruction in thread.instructions() {
            let (from, to) = (instruction.from, instruction.to);
            if !thread.location(to).atomic {
                continue;
            }
            let mut more = left_on(&around[from.index()], &around[to.index()]);
            if thread.location(from).atomic {
                more.extend(&left[from.index()]);
            }
            let here = &mut left[to.index()];
            let known = here.len();
            here.extend(more);
            here.sort_unstable();
            here.dedup();
            changed |= here.len() > known;
        }
    }
    left
}
