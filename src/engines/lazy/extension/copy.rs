//! The copy of a thread that keeps its stores in registers: its instructions, and the exits.

use super::super::emulation::Act;
use super::super::sequence::{Node, Tree};
use super::{Kept, Writer};
use crate::engines::Extension;
use crate::program::{BinaryOp, Expr, Fence, InstrId, LocId, Op, Origin, RegId, UnaryOp};

impl Writer<'_> {
    /// The next instruction of a sequence, from one copy to the next.
    pub(super) fn copied(
        &mut self,
        node: &Node,
        from: LocId,
        kept: &[Kept],
        instr: InstrId,
        to: LocId,
    ) {
        let original = self.original(instr);
        let (act, origin) = (self.before.act(self.site(instr)), original.origin);
        let mut at = from;
        if let Some(hits) = self.hits(instr) {
            if self.form == Extension::Exact {
                let misses = Expr::unary(UnaryOp::Not, hits.clone());
                let mut ops = vec![(Op::Assume(misses), Act::Nothing)];
                ops.extend(self.back(kept, None));
                self.chain(from, ops, node.loc, origin);
            }
            at = self.builder.location(self.thread, origin);
            self.emit(from, Op::Assume(hits), at, Act::Nothing, origin);
        }
        match &original.op {
            Op::Store { .. } => {
                let mut path = node.path.clone();
                path.push(instr);
                let ops = self.keep(&path);
                self.chain(at, ops, to, origin);
            }
            Op::Load { into, addr } => self.load(instr, *into, addr, kept, at, to),
            op @ (Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Fence(Fence::Store | Fence::Cells(_))) => {
                self.emit(at, op.clone(), to, act, origin);
            }
            Op::Rmw { .. }
            | Op::Fence(Fence::Full | Fence::All)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => unreachable!("no store is delayed past this"),
        }
    }

    /// (2)-(8): loads from the youngest store that is kept for the address, or else from memory.
    fn load(
        &mut self,
        instr: InstrId,
        into: RegId,
        addr: &Expr<RegId>,
        kept: &[Kept],
        from: LocId,
        to: LocId,
    ) {
        let original = self.original(instr);
        let (act, origin) = (self.before.act(self.site(instr)), original.origin);
        let mut at = from;
        for store in kept.iter().rev() {
            let value = store.value.clone();
            let early = Op::Assign { into, value };
            match (store.addr.as_const(), addr.as_const()) {
                (Some(a), Some(b)) if a == b => {
                    self.emit(at, early, to, act, origin);
                    return;
                }
                (Some(_), Some(_)) => {}
                _ => {
                    let compare =
                        |op| Op::Assume(Expr::binary(op, store.addr.clone(), addr.clone()));
                    let same = vec![(compare(BinaryOp::Eq), Act::Nothing), (early, act)];
                    self.chain(at, same, to, origin);
                    let next = self.builder.location(self.thread, origin);
                    self.emit(at, compare(BinaryOp::Ne), next, Act::Nothing, origin);
                    at = next;
                }
            }
        }
        self.emit(at, original.op.clone(), to, act, origin);
    }

    /// (11)-(17): the exits, for executions that do not follow the sequence.
    pub(super) fn ways_out(
        &mut self,
        node: &Node,
        copy: LocId,
        kept: &[Kept],
        trees: &[Tree],
        entries: &[LocId],
    ) {
        let thread = self.program().thread(self.thread);
        let leaving = thread.outgoing(node.loc).iter().copied();
        let others: Vec<InstrId> = leaving
            .filter(|instr| !node.children.contains_key(instr))
            .collect();
        if let Some(&first) = others.first() {
            let origin = self.original(first).origin;
            let out = self.builder.location(self.thread, origin);
            let ops = self.released(kept, None);
            self.chain(copy, ops, out, origin);
            for instr in others {
                let original = self.original(instr);
                if let Some(tree) = trees.iter().position(|tree| tree.root == instr) {
                    let again = self.mark(1);
                    self.emit(out, again, entries[tree], Act::Nothing, original.origin);
                } else {
                    let (act, to) = match self.guarded.get(&instr) {
                        Some(&check) => (Act::Nothing, check),
                        None => (self.before.act(self.site(instr)), original.to),
                    };
                    let ops = vec![(original.op.clone(), act), (self.mark(0), Act::Nothing)];
                    self.chain(out, ops, to, original.origin);
                }
            }
        }
        let last = node.path.last().map(|&instr| self.original(instr));
        let load = last.is_some_and(|last| matches!(last.op, Op::Load { .. }));
        if load || node.path.len() == 1 {
            let ops = self.back(kept, Some(Op::Fence(Fence::Full)));
            let origin = last.map_or_else(Origin::default, |last| last.origin);
            self.chain(copy, ops, node.loc, origin);
        }
    }
}
