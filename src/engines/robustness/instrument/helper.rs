//! A helper: runs as written until the last action has happened, then executes only what happens
//! after it.
//!
//! ```text
//! (before)  as written: an action waits for `hb = 0`
//! (enter)   a load of a cell that was stored to, or a store (a locked instruction) to one that was
//!           accessed: continue in the copy
//! (after)   in the copy every access raises its cell's level
//! (block)   an atomic block enters the copy if one of its accesses may; the access is guessed
//! ```
//!
//! Every action and its bookkeeping form one atomic block.

use super::{Level, Role, Writer, constant, equals, under_sc};
use crate::program::{Addr, BinaryOp, Expr, Instruction, LocId, Op, RegId, Site, ThreadId};

struct Helper<'w, 'a> {
    writer: &'w mut Writer<'a>,
    thread: ThreadId,
    /// Scratch: `hb`, or a level.
    seen: RegId,
    /// The locations of the copy, by original location.
    after: Vec<LocId>,
    entering: Option<Entering>,
}

/// The registers and locations of blocks that enter the copy.
struct Entering {
    copy: Vec<LocId>,
    /// The cell through which the block enters, and the level it had at the start of the block.
    through: RegId,
    level: RegId,
    /// Whether the block has accessed the cell in a way that enters.
    entered: RegId,
}

/// Writes a helper.
pub(super) fn write(writer: &mut Writer<'_>, thread: ThreadId) {
    let seen = writer.register(thread, "$seen");
    let after = writer.copies(thread, "'");
    let blocks = writer
        .program
        .thread(thread)
        .locations()
        .iter()
        .any(|location| location.atomic);
    let entering = blocks.then(|| Entering {
        copy: writer.copies(thread, "''"),
        through: writer.register(thread, "$through"),
        level: writer.register(thread, "$level"),
        entered: writer.register(thread, "$entered"),
    });
    let mut helper = Helper {
        writer,
        thread,
        seen,
        after,
        entering,
    };
    let count = helper.writer.program.thread(thread).instructions().len();
    for index in 0..count {
        let instr = index.into();
        let site = Site { thread, instr };
        helper.before(site);
        helper.after(site);
        if helper.entering.is_some() {
            helper.block(site);
        }
        helper.enter(site);
    }
}

impl<'a> Helper<'_, 'a> {
    fn instruction(&self, site: Site) -> &'a Instruction {
        self.writer.program.instruction(site)
    }

    fn target(&self, site: Site) -> LocId {
        self.writer.target(site)
    }

    fn is_inside(&self, loc: LocId) -> bool {
        self.writer.program.thread(self.thread).location(loc).atomic
    }

    /// The address of the level of the cell that an access touches.
    fn level(&self, op: &Op) -> Option<Expr<RegId>> {
        op.address().map(|addr| self.writer.level(addr))
    }

    /// (before)
    fn before(&mut self, site: Site) {
        let Instruction { from, op, .. } = self.instruction(site);
        let to = self.target(site);
        let (hb, seen) = (constant(self.writer.hb), self.seen);
        let inside = self.is_inside(*from);
        let chain = self.writer.chain(site, *from).inside();
        let op = under_sc(op);
        match (&op, op.writes().is_some() && !inside) {
            (Op::AtomicBegin, _) => chain
                .act(op, Role::Executed)
                .load(seen, hb)
                .assume(equals(Expr::Var(seen), 0))
                .to(to),
            (_, true) => chain
                .then(Op::AtomicBegin)
                .load(seen, hb)
                .assume(equals(Expr::Var(seen), 0))
                .act(op, Role::Executed)
                .then(Op::AtomicEnd)
                .to(to),
            (_, false) => chain.act(op, Role::Executed).to(to),
        }
    }

    /// (after)
    fn after(&mut self, site: Site) {
        let Instruction { from, op, .. } = self.instruction(site);
        let inside = self.is_inside(*from);
        let (from, to) = (
            self.after[from.index()],
            self.after[self.target(site).index()],
        );
        let (seen, level) = (self.seen, self.level(op));
        let chain = self.writer.chain(site, from).inside();
        let op = under_sc(op);
        match (op.writes(), level) {
            (Some(writes), Some(level)) if !inside => chain
                .then(Op::AtomicBegin)
                .raise(writes, level, seen)
                .act(op, Role::Executed)
                .then(Op::AtomicEnd)
                .to(to),
            (Some(writes), Some(level)) => chain
                .raise(writes, level, seen)
                .act(op, Role::Executed)
                .to(to),
            (_, _) => chain.act(op, Role::Executed).to(to),
        }
    }

    /// (enter)
    fn enter(&mut self, site: Site) {
        let Instruction { from, op, .. } = self.instruction(site);
        let (Some(writes), Some(level)) = (op.writes(), self.level(op)) else {
            return;
        };
        if self.is_inside(*from) {
            return;
        }
        let to = self.after[self.target(site).index()];
        let (seen, op) = (self.seen, op.clone());
        let chain = self
            .writer
            .chain(site, *from)
            .inside()
            .then(Op::AtomicBegin)
            .load(seen, level.clone());
        let least = if writes { Level::Loaded } else { Level::Stored };
        let chain = chain.assume(at_least(seen, least));
        let chain = if writes {
            chain.store(level, Expr::Const(Level::Stored as i32))
        } else {
            chain
        };
        chain.act(op, Role::Executed).then(Op::AtomicEnd).to(to);
    }

    /// (block)
    fn block(&mut self, site: Site) {
        let Instruction { from, op, to, .. } = self.instruction(site);
        let Some(Entering {
            ref copy,
            through,
            level: before,
            entered,
        }) = self.entering
        else {
            return;
        };
        let next = self.target(site);
        let (inner, after_block) = (copy[next.index()], self.after[next.index()]);
        let start = copy[from.index()];
        let inside = self.is_inside(*from);
        let (seen, level) = (self.seen, self.level(op));
        let op = under_sc(op);
        match (&op, op.writes(), level) {
            (Op::AtomicBegin, _, _) => {
                for cell in self.cells_of_block(*to) {
                    let level = self.writer.level(&constant(cell));
                    self.writer
                        .chain(site, *from)
                        .act(op.clone(), Role::Executed)
                        .load(before, level)
                        .assume(Expr::Var(before))
                        .assign(through, constant(cell))
                        .assign(entered, Expr::Const(0))
                        .to(inner);
                }
            }
            (Op::AtomicEnd, _, _) => self
                .writer
                .chain(site, start)
                .assume(Expr::Var(entered))
                .act(op, Role::Executed)
                .to(after_block),
            (_, Some(writes), Some(level)) if inside => {
                let addr = op.address().cloned().unwrap_or(Expr::Const(0));
                let here = Expr::binary(BinaryOp::Eq, addr, Expr::Var(through));
                let least = if writes { Level::Loaded } else { Level::Stored };
                let enters = Expr::binary(BinaryOp::And, here, at_least(before, least));
                self.writer
                    .chain(site, start)
                    .inside()
                    .assign(
                        entered,
                        Expr::binary(BinaryOp::Or, Expr::Var(entered), enters),
                    )
                    .raise(writes, level, seen)
                    .act(op, Role::Executed)
                    .to(inner);
            }
            (_, _, _) if inside => self
                .writer
                .chain(site, start)
                .act(op, Role::Executed)
                .to(inner),
            (_, _, _) => {}
        }
    }

    /// The cells that a block may access, given the location after its first instruction.
    fn cells_of_block(&self, begin: LocId) -> Vec<Addr> {
        let thread = self.thread;
        let automaton = self.writer.program.thread(thread);
        let mut cells = Vec::new();
        for instr in automaton.block(begin) {
            if automaton.instruction(instr).op.writes().is_some() {
                cells.extend(self.writer.candidates(Site { thread, instr }).cells);
            }
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

fn at_least(level: RegId, least: Level) -> Expr<RegId> {
    Expr::binary(BinaryOp::Ge, Expr::Var(level), Expr::Const(least as i32))
}
