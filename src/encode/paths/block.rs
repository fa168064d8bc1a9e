//! Atomic blocks: one place in the order for all that a thread does inside.
//!
//! ```text
//! (whole)  guard c → some way on is taken  ∨  some stop        for c inside a block
//! (stop)   stop → asked for ∧ reached ∧ no way on is taken
//! ```
//!
//! Nobody else acts while a thread is inside, so its events share one node of the order, and a
//! thread that is inside goes on. It may only end there where a goal is reached, and is asked for.

use super::super::Encoding;
use crate::cnf::NodeId;
use crate::program::{Goal, InstrId, LocId, Op, Site, Thread, ThreadId};
use crate::unroll::LocCopy;
use rustsat::types::Lit;

/// For each location inside an atomic block, one location that stands for the whole block: the
/// least one that is connected to it inside.
pub(super) fn regions(thread: &Thread) -> Vec<Option<LocId>> {
    let mut region: Vec<Option<LocId>> = (0..thread.locations().len())
        .map(|l| thread.locations()[l].atomic.then(|| LocId::from(l)))
        .collect();
    loop {
        let mut changed = false;
        for instruction in thread.instructions() {
            let (from, to) = (instruction.from.index(), instruction.to.index());
            if let (Some(a), Some(b)) = (region[from], region[to])
                && a != b
            {
                region[from] = Some(a.min(b));
                region[to] = Some(a.min(b));
                changed = true;
            }
        }
        if !changed {
            return region;
        }
    }
}

impl Encoding {
    /// Whether an instruction enters an atomic block that a thread, once inside, may be unable to
    /// leave: who is not sure to come through need not enter, and may halt before it.
    pub(super) fn may_be_stuck(&self, thread: ThreadId, outgoing: &[InstrId]) -> bool {
        let automaton = self.program.thread(thread);
        let paths = &self.paths[thread.index()];
        outgoing
            .iter()
            .map(|&instr| automaton.instruction(instr))
            .any(|entering| {
                let region = paths.regions[entering.to.index()];
                entering.op == Op::AtomicBegin
                    && automaton
                        .instructions()
                        .iter()
                        .enumerate()
                        .any(|(i, instruction)| {
                            paths.regions[instruction.from.index()] == region
                                && region.is_some()
                                && (paths.unroller.loops().is_back_edge(i.into()).is_some()
                                    || match &instruction.op {
                                        Op::Assume(_) => true,
                                        Op::Load { addr, .. }
                                        | Op::Store { addr, .. }
                                        | Op::Rmw { addr, .. } => {
                                            addr.as_const().is_none_or(|cell| {
                                                self.program.cell_at(cell).is_none()
                                            })
                                        }
                                        Op::Skip
                                        | Op::Assign { .. }
                                        | Op::Havoc { .. }
                                        | Op::Assert(_)
                                        | Op::Fence(_)
                                        | Op::AtomicBegin
                                        | Op::AtomicEnd => false,
                                    })
                        })
            })
    }

    /// (whole), (stop): a thread inside an atomic block goes on, unless the computation ends right there: at a
    /// failing assertion or an access outside shared memory, if that is what is asked for. Nothing
    /// comes after the block then.
    pub(super) fn finish_block(
        &mut self,
        thread: ThreadId,
        number: usize,
        guard: Lit,
        taken: &[Lit],
    ) {
        let node = &self.paths[thread.index()].nodes[number];
        let copy = node.copy.clone();
        let mut ends = node.facing.clone();
        for instr in self.program.thread(thread).outgoing(copy.loc).to_vec() {
            let op = self.program.thread(thread).instruction(instr).op.clone();
            if let Op::Assert(e) = op
                && self.is_planned(Goal::Assert(Site { thread, instr }))
            {
                ends.push((instr, self.fails(thread, number, &e, guard)));
            }
        }
        let mut clause = vec![!guard];
        clause.extend(taken);
        for (instr, reached) in ends {
            let asked = self.asked(Site { thread, instr });
            let stop = self.cnf.fresh();
            self.cnf.implies(stop, reached);
            self.cnf.implies(stop, asked);
            // Nothing of the block is executed after the stop.
            for &lit in taken {
                self.cnf.clause(&[!stop, !lit]);
            }
            clause.push(stop);
            let place = self.block(thread, &copy);
            self.memory.last_blocks.push((stop, place));
            self.paths[thread.index()].nodes[number]
                .stops
                .push((instr, stop));
        }
        self.cnf.clause(&clause);
    }

    /// The literal under which a computation may end inside an atomic block at this site.
    fn asked(&mut self, site: Site) -> Lit {
        if let Some(&(_, lit)) = self.stops.iter().find(|(other, _)| *other == site) {
            return lit;
        }
        let lit = self.cnf.fresh();
        self.stops.push((site, lit));
        lit
    }

    /// The place in the order of the atomic block around a copy.
    pub(super) fn block(&mut self, thread: ThreadId, copy: &LocCopy) -> NodeId {
        let paths = &mut self.paths[thread.index()];
        let region = paths.regions[copy.loc.index()].unwrap_or(copy.loc);
        // Iterations of loops inside the block belong to one block; those around it do not.
        let inner = paths
            .unroller
            .loops()
            .around(copy.loc)
            .iter()
            .take_while(|&&id| {
                let body = paths.unroller.loops().body(id);
                (0..paths.regions.len())
                    .filter(|&l| paths.regions[l] == Some(region))
                    .all(|l| body.contains(&LocId::from(l)))
                    && body
                        .iter()
                        .any(|loc| paths.regions[loc.index()] != Some(region))
            })
            .count();
        let key = (region, copy.counts[..inner].to_vec());
        if let Some(&node) = paths.blocks.get(&key) {
            return node;
        }
        let node = self.order.node();
        self.paths[thread.index()].blocks.insert(key, node);
        node
    }
}
