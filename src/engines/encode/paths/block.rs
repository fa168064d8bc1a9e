//! Atomic blocks and word accesses: one node in the order for all accesses of a thread inside a block.
//!
//! ```text
//! (whole)  guard c → some passage is taken  ∨  some stop        for c inside a block
//! (stop)   stop → queried ∧ reached ∧ no passage is taken
//! ```
//!
//! No other thread acts while a thread is inside a block, so its events share one node of the
//! order, and a thread that is inside continues. A computation may end inside a block only if a
//! queried goal is reached there.
//!
//! The node of a word access is that of the loads, or of the stores as they reach memory. Otherwise these are
//! ordered as any others: so its stores are buffered, and reach memory at once.
//!
//! **Invariant.** There is one node for each entry (`unroll::BlockEntry`), and no execution uses an
//! entry twice. So the events that share a node are one action, and unconditional edges out of it
//! never lead back to it.

use super::super::Encoding;
use crate::cnf::NodeId;
use crate::facts::{Flow, Loops};
use crate::program::{Expr, Goal, InstrId, Op, Program, RegId, Site, Thread, ThreadId};
use crate::unroll::LocCopy;
use rustsat::types::Lit;
use std::sync::Arc;

/// For each instruction, whether it enters an atomic block that a thread may be unable to leave:
/// before the block ends, the thread may reach an assumption, a loop, a location without outgoing
/// instructions, or an access whose address may not be a cell.
pub(super) fn traps(program: &Program, thread: &Thread, loops: &Loops) -> Vec<bool> {
    // Backwards from the locations that may block a thread, through locations inside blocks.
    let may_block_there = (0..thread.locations().len()).filter(|&l| {
        let outgoing = thread.outgoing(l.into());
        outgoing.is_empty()
            || outgoing.iter().any(|&instr| {
                loops.is_back_edge(instr).is_some()
                    || may_block(program, &thread.instruction(instr).op)
            })
    });
    let blocking = Flow::backward(thread).reached(may_block_there, |instruction| {
        thread.location(instruction.from).atomic && thread.location(instruction.to).atomic
    });
    let traps = thread
        .instructions()
        .iter()
        .map(|instruction| instruction.op.begins_block() && blocking[instruction.to.index()]);
    traps.collect()
}

/// Whether a thread may be unable to execute this instruction next, regardless of the other
/// threads.
fn may_block(program: &Program, op: &Op) -> bool {
    let outside = |addr: &Expr<RegId>| {
        let cell = addr.as_const();
        cell.is_none_or(|cell| program.cell_at(cell).is_none())
    };
    matches!(op, Op::Assume(_)) || op.address().is_some_and(outside)
}

impl Encoding {
    /// Whether one of these instructions enters a block that a thread may be unable to leave: the
    /// thread need not enter it, and may halt before it.
    pub(super) fn may_be_stuck(&self, thread: ThreadId, outgoing: &[InstrId]) -> bool {
        let traps = &self.paths[thread.index()].traps;
        outgoing.iter().any(|instr| traps[instr.index()])
    }

    /// (whole), (stop): a thread inside an atomic block continues, unless the computation ends
    /// there: at a failing assertion or an access outside shared memory, if that goal is queried.
    /// Nothing comes after the block then.
    pub(super) fn finish_block(
        &mut self,
        thread: ThreadId,
        number: usize,
        guard: Lit,
        taken: &[Lit],
    ) {
        let node = &self.paths[thread.index()].nodes[number];
        let copy = node.copy.clone();
        let mut ends = node.halt_goals.clone();
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
            let queried = self.stop_literal(Site { thread, instr });
            let stop = self.cnf.fresh();
            self.cnf.implies(stop, reached);
            self.cnf.implies(stop, queried);
            // No instruction of the block is executed after the stop.
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
    fn stop_literal(&mut self, site: Site) -> Lit {
        if let Some(&(_, lit)) = self.stops.iter().find(|(other, _)| *other == site) {
            return lit;
        }
        let lit = self.cnf.fresh();
        self.stops.push((site, lit));
        lit
    }

    /// The order node of the atomic block around a copy. Requires a copy inside one.
    pub(super) fn block(&mut self, thread: ThreadId, copy: &LocCopy) -> NodeId {
        let entry = copy.block.as_ref();
        let entry = entry.expect("a copy inside an atomic block has its entry");
        let blocks = &mut self.paths[thread.index()].blocks;
        if let Some(&node) = blocks.get(entry) {
            return node;
        }
        let node = self.order.node();
        blocks.insert(Arc::clone(entry), node);
        node
    }
}
