//! Atomic blocks: one place in the order for all that a thread does inside.
//!
//! ```text
//! (whole)  guard c → some way on is taken  ∨  some stop        for c inside a block
//! (stop)   stop → asked for ∧ reached ∧ no way on is taken
//! ```
//!
//! Nobody else acts while a thread is inside, so its events share one node of the order, and a
//! thread that is inside goes on. It may only end there where a goal is reached, and is asked for.
//!
//! **Invariant.** There is one node for each entry (`unroll::Entry`), and no execution enters twice
//! at one entry. So the events that share a node are one action, and permanent edges out of it
//! never lead back to it.

use super::super::Encoding;
use crate::analysis::Loops;
use crate::cnf::NodeId;
use crate::program::{Expr, Goal, InstrId, Op, Program, RegId, Site, Thread, ThreadId};
use crate::unroll::LocCopy;
use rustsat::types::Lit;
use std::rc::Rc;

/// For each instruction, whether it enters an atomic block that a thread, once inside, may be
/// unable to leave: an assumption, a loop, a location without a way on, or an access whose address
/// may be no cell is reached from there before the block ends.
pub(super) fn traps(program: &Program, thread: &Thread, loops: &Loops) -> Vec<bool> {
    // Backwards from what may hold a thread up, through locations inside blocks.
    let mut held: Vec<bool> = (0..thread.locations().len())
        .map(|l| {
            let outgoing = thread.outgoing(l.into());
            outgoing.is_empty()
                || outgoing.iter().any(|&instr| {
                    loops.is_back_edge(instr).is_some()
                        || may_refuse(program, &thread.instruction(instr).op)
                })
        })
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for instruction in thread.instructions() {
            let (from, to) = (instruction.from, instruction.to);
            let inside = thread.location(from).atomic && thread.location(to).atomic;
            if inside && held[to.index()] && !held[from.index()] {
                held[from.index()] = true;
                changed = true;
            }
        }
    }
    let traps = thread
        .instructions()
        .iter()
        .map(|instruction| instruction.op == Op::AtomicBegin && held[instruction.to.index()]);
    traps.collect()
}

/// Whether a thread may be unable to execute this as its next instruction, whatever the other
/// threads do.
fn may_refuse(program: &Program, op: &Op) -> bool {
    let outside = |addr: &Expr<RegId>| {
        let cell = addr.as_const();
        cell.is_none_or(|cell| program.cell_at(cell).is_none())
    };
    matches!(op, Op::Assume(_)) || op.address().is_some_and(outside)
}

impl Encoding {
    /// Whether one of these instructions enters a block that a thread may be unable to leave: it
    /// need not enter, and may halt before it.
    pub(super) fn may_be_stuck(&self, thread: ThreadId, outgoing: &[InstrId]) -> bool {
        let traps = &self.paths[thread.index()].traps;
        outgoing.iter().any(|instr| traps[instr.index()])
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

    /// The place in the order of the atomic block around a copy. Requires a copy inside one.
    pub(super) fn block(&mut self, thread: ThreadId, copy: &LocCopy) -> NodeId {
        let entry = copy.block.as_ref();
        let entry = entry.expect("a copy inside an atomic block knows where it was entered");
        let blocks = &mut self.paths[thread.index()].blocks;
        if let Some(&node) = blocks.get(entry) {
            return node;
        }
        let node = self.order.node();
        blocks.insert(Rc::clone(entry), node);
        node
    }
}
