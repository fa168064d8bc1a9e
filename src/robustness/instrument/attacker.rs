//! The attacker: runs as written, then with delayed stores, then waits.
//!
//! ```text
//! (begin)   a store of an attack: recorded, not executed; continue in the copy
//! (delay)   a store in the copy: recorded
//! (direct)  a store in the copy that takes effect immediately: nothing buffered for its cell, no
//!           lightweight fence waiting; only if the model relaxes the order of stores
//! (early)   a load in the copy whose cell is buffered: the newest value buffered
//! (memory)  a load in the copy whose cell is not
//! (fence)   a lightweight fence in the copy waits if a store it orders does, or an earlier fence does
//! (last)    the last action: raises `hb` and the level of its cell; not early (W5), not delayed
//! ```
//!
//! Instructions that wait for an empty buffer have no counterpart in the copy.

use super::super::attack::Attack;
use super::{Form, Level, Role, Success, Writer, constant, equals};
use crate::program::{
    AccessKind, Addr, BinaryOp, Expr, Fence, InstrId, LocId, Op, RegId, Site, ThreadId,
};
use std::collections::BTreeMap;

/// The registers that model the buffer.
enum Buffer {
    /// For each cell that may be buffered: whether it is, and the newest value. Also whether a
    /// lightweight fence waits, if the thread has one.
    Stores {
        cells: BTreeMap<Addr, (RegId, RegId)>,
        fence: Option<RegId>,
    },
    /// The only value. Its cell is that of the first delayed store.
    One(RegId),
}

struct Attacker<'w, 'a> {
    writer: &'w mut Writer<'a>,
    thread: ThreadId,
    attacks: &'w [Attack],
    copy: Vec<LocId>,
    buffer: Buffer,
    success: Success,
}

/// Writes the attacker for these attacks. Returns how to recognise that one of them has succeeded.
pub(super) fn write(writer: &mut Writer<'_>, form: Form, attacks: &[Attack]) -> Success {
    let thread = attacks[0].thread;
    let cell = writer.register(thread, "$cell");
    let store = writer.register(thread, "$store");
    let last = writer.register(thread, "$last");
    let buffer = match form {
        Form::Singularity => Buffer::One(writer.register(thread, "$value")),
        Form::Locality => stores(writer, thread),
    };
    let copy = writer.copies(thread, "'");
    let origin = writer.program.thread(thread).origin();
    let waiting = writer.builder.label(thread, "$waiting", origin);
    let mut cells: Vec<Addr> = attacks
        .iter()
        .flat_map(|attack| writer.candidates(attack.store_site()).cells)
        .collect();
    cells.sort_unstable();
    cells.dedup();
    let mut attacker = Attacker {
        writer,
        thread,
        attacks,
        copy,
        buffer,
        success: Success {
            thread,
            waiting,
            cell,
            cells,
            store,
            last,
        },
    };
    attacker.as_written();
    attacker.delayed();
    attacker.success
}

fn stores(writer: &mut Writer<'_>, thread: ThreadId) -> Buffer {
    let program = writer.program;
    let automaton = program.thread(thread);
    let mut cells: Vec<Addr> = Vec::new();
    let mut fenced = false;
    for (index, instruction) in automaton.instructions().iter().enumerate() {
        let instr = index.into();
        let buffered = !automaton.location(instruction.from).atomic;
        if buffered && matches!(instruction.op, Op::Store { .. }) {
            cells.extend(writer.candidates(Site { thread, instr }).cells);
        }
        fenced |= matches!(instruction.op, Op::Fence(Fence::Store | Fence::Cells(_)));
    }
    cells.sort_unstable();
    cells.dedup();
    let mut registers = BTreeMap::new();
    for cell in cells {
        let name = program.cell_name(cell);
        let set = writer.register(thread, &format!("$set {name}"));
        let value = writer.register(thread, &format!("$value {name}"));
        registers.insert(cell, (set, value));
    }
    let fence =
        (fenced && writer.model.relaxes_store_store()).then(|| writer.register(thread, "$fence"));
    Buffer::Stores {
        cells: registers,
        fence,
    }
}

impl Attacker<'_, '_> {
    fn sites(&self) -> impl Iterator<Item = Site> + use<> {
        let thread = self.thread;
        let count = self.writer.program.thread(thread).instructions().len();
        (0..count).map(move |index| Site {
            thread,
            instr: index.into(),
        })
    }

    /// The code as written, and (begin).
    fn as_written(&mut self) {
        for site in self.sites() {
            let instruction = self.writer.program.instruction(site);
            self.writer
                .chain(site, instruction.from)
                .inside()
                .act(instruction.op.clone(), Role::Executed)
                .to(instruction.to);
            if self.attacks.iter().any(|attack| attack.store == site.instr) {
                self.begin(site);
            }
        }
    }

    /// (begin)
    fn begin(&mut self, site: Site) {
        let instruction = self.writer.program.instruction(site);
        let Op::Store { addr, value } = &instruction.op else {
            return;
        };
        let (cell, store) = (self.success.cell, self.success.store);
        let (from, to) = (instruction.from, self.copy[instruction.to.index()]);
        let which = Expr::Const(site.instr.0 as i32);
        let delayed = |into| Op::Assign {
            into,
            value: value.clone(),
        };
        match &self.buffer {
            &Buffer::One(one) => self
                .writer
                .chain(site, from)
                .inside()
                .then(Op::AtomicBegin)
                .assign(cell, addr.clone())
                .assign(store, which)
                .act(delayed(one), Role::Delayed)
                .then(Op::AtomicEnd)
                .to(to),
            Buffer::Stores { cells, .. } => {
                for candidate in self.writer.candidates(site).cells {
                    let (set, newest) = cells[&candidate];
                    self.writer
                        .chain(site, from)
                        .at_cell(candidate)
                        .then(Op::AtomicBegin)
                        .assign(cell, constant(candidate))
                        .assign(store, which.clone())
                        .assign(set, Expr::Const(1))
                        .act(delayed(newest), Role::Delayed)
                        .then(Op::AtomicEnd)
                        .to(to);
                }
            }
        }
    }

    /// The copy.
    fn delayed(&mut self) {
        for site in self.sites() {
            let instruction = self.writer.program.instruction(site);
            let automaton = self.writer.program.thread(self.thread);
            if automaton.location(instruction.from).atomic || instruction.op.drains() {
                continue;
            }
            let from = self.copy[instruction.from.index()];
            let to = self.copy[instruction.to.index()];
            if let Some(fence) = instruction.op.fence() {
                self.fence(site, fence, from, to);
                continue;
            }
            match instruction.op.access() {
                Some((_, AccessKind::Store { .. })) => self.store(site, from, to),
                Some((addr, AccessKind::Load { into })) => self.load(site, into, addr, from, to),
                Some((_, AccessKind::Rmw { .. })) | None => self
                    .writer
                    .chain(site, from)
                    .act(instruction.op.clone(), Role::Executed)
                    .to(to),
            }
            if self.attacks.iter().any(|attack| attack.last == site.instr) {
                self.last(site, from);
            }
        }
    }

    /// (delay), (direct)
    fn store(&mut self, site: Site, from: LocId, to: LocId) {
        let direct = &self.writer.program.instruction(site).op;
        let Op::Store { addr, value } = direct else {
            return;
        };
        match &self.buffer {
            Buffer::One(_) => {
                let cell = Expr::Var(self.success.cell);
                self.writer
                    .chain(site, from)
                    .inside()
                    .assume(Expr::binary(BinaryOp::Ne, addr.clone(), cell))
                    .act(direct.clone(), Role::Executed)
                    .to(to);
            }
            Buffer::Stores { cells, fence } => {
                for candidate in self.writer.candidates(site).cells {
                    let (set, newest) = cells[&candidate];
                    let delayed = Op::Assign {
                        into: newest,
                        value: value.clone(),
                    };
                    self.writer
                        .chain(site, from)
                        .at_cell(candidate)
                        .assign(set, Expr::Const(1))
                        .act(delayed, Role::Delayed)
                        .to(to);
                    if self.writer.model.relaxes_store_store() {
                        self.writer
                            .chain(site, from)
                            .at_cell(candidate)
                            .assume(free(set, *fence))
                            .act(direct.clone(), Role::Executed)
                            .to(to);
                    }
                }
            }
        }
    }

    /// (early), (memory)
    fn load(&mut self, site: Site, into: RegId, addr: &Expr<RegId>, from: LocId, to: LocId) {
        let memory = self.writer.program.instruction(site).op.clone();
        let early = |newest| Op::Assign {
            into,
            value: Expr::Var(newest),
        };
        match &self.buffer {
            &Buffer::One(one) => {
                for (relation, op) in [(BinaryOp::Ne, memory), (BinaryOp::Eq, early(one))] {
                    let cell = Expr::Var(self.success.cell);
                    self.writer
                        .chain(site, from)
                        .inside()
                        .assume(Expr::binary(relation, addr.clone(), cell))
                        .act(op, Role::Executed)
                        .to(to);
                }
            }
            Buffer::Stores { cells, .. } => {
                let candidates = self.writer.candidates(site).cells;
                if !candidates.iter().any(|cell| cells.contains_key(cell)) {
                    self.writer
                        .chain(site, from)
                        .inside()
                        .act(memory, Role::Executed)
                        .to(to);
                    return;
                }
                for candidate in candidates {
                    let Some(&(set, newest)) = cells.get(&candidate) else {
                        self.writer
                            .chain(site, from)
                            .at_cell(candidate)
                            .act(memory.clone(), Role::Executed)
                            .to(to);
                        continue;
                    };
                    let ways = [
                        (equals(Expr::Var(set), 0), memory.clone()),
                        (Expr::Var(set), early(newest)),
                    ];
                    for (condition, op) in ways {
                        self.writer
                            .chain(site, from)
                            .at_cell(candidate)
                            .assume(condition)
                            .act(op, Role::Executed)
                            .to(to);
                    }
                }
            }
        }
    }

    /// (fence)
    fn fence(&mut self, site: Site, kind: &Fence, from: LocId, to: LocId) {
        let Buffer::Stores {
            cells,
            fence: Some(fence),
        } = &self.buffer
        else {
            // TSO keeps all stores in order without fences; singularity requires programs without
            // lightweight fences.
            self.writer
                .chain(site, from)
                .act(Op::Skip, Role::Executed)
                .to(to);
            return;
        };
        let fence = *fence;
        let ordered = cells.iter().filter(|(cell, _)| match kind {
            Fence::Cells(fenced) => fenced.contains(cell),
            Fence::Store | Fence::Full | Fence::All => true,
        });
        let sets = ordered.map(|(_, &(set, _))| set);
        let held: Vec<Expr<RegId>> = std::iter::once(fence).chain(sets).map(Expr::Var).collect();
        let held = Expr::any_of(&held);
        self.writer
            .chain(site, from)
            .assume(equals(held.clone(), 0))
            .act(Op::Skip, Role::Executed)
            .to(to);
        let wait = Op::Assign {
            into: fence,
            value: Expr::Const(1),
        };
        self.writer
            .chain(site, from)
            .assume(held)
            .act(wait, Role::Delayed)
            .to(to);
    }

    /// (last)
    fn last(&mut self, site: Site, from: LocId) {
        let op = &self.writer.program.instruction(site).op;
        let Some((addr, access)) = op.access() else {
            return;
        };
        let level = match access {
            AccessKind::Store { .. } => Level::Stored,
            AccessKind::Load { .. } | AccessKind::Rmw { .. } => Level::Loaded,
        };
        match &self.buffer {
            Buffer::One(_) => {
                let cell = Expr::Var(self.success.cell);
                let other = Expr::binary(BinaryOp::Ne, addr.clone(), cell);
                self.stop(site, from, None, Some(other), level);
            }
            Buffer::Stores { cells, fence } => {
                let fence = fence.filter(|_| level == Level::Stored);
                let candidates = self.writer.candidates(site).cells;
                let ways: Vec<_> = candidates
                    .into_iter()
                    .map(|cell| (cell, cells.get(&cell).map(|&(set, _)| free(set, fence))))
                    .collect();
                for (cell, condition) in ways {
                    self.stop(site, from, Some(cell), condition, level);
                }
            }
        }
    }

    /// Executes the last action under this condition, at this cell if one is given, raises the
    /// cell's level, and waits.
    fn stop(
        &mut self,
        site: Site,
        from: LocId,
        cell: Option<Addr>,
        condition: Option<Expr<RegId>>,
        level: Level,
    ) {
        let stores = self
            .attacks
            .iter()
            .filter(|attack| attack.last == site.instr)
            .map(|attack| attack.store);
        let chosen = any_of(self.success.store, stores);
        let last = self.success.last;
        let op = self.writer.program.instruction(site).op.clone();
        let addr = match (cell, op.address()) {
            (Some(cell), _) => constant(cell),
            (None, Some(addr)) => addr.clone(),
            (None, None) => return,
        };
        let (hb, addr) = (constant(self.writer.hb), self.writer.level(&addr));
        let mut chain = self.writer.chain(site, from);
        chain = match cell {
            Some(cell) => chain.at_cell(cell),
            None => chain.inside(),
        };
        if let Some(condition) = condition {
            chain = chain.assume(condition);
        }
        chain
            .assume(chosen)
            .then(Op::AtomicBegin)
            .assign(last, Expr::Const(site.instr.0 as i32))
            .store(hb, Expr::Const(1))
            // Before the action: a load may change the registers in its own address.
            .store(addr, Expr::Const(level as i32))
            .act(op, Role::Executed)
            .then(Op::AtomicEnd)
            .to(self.success.waiting);
    }
}

/// Whether a store may take effect immediately: its cell is not buffered, and no fence waits.
fn free(set: RegId, fence: Option<RegId>) -> Expr<RegId> {
    let free = equals(Expr::Var(set), 0);
    match fence {
        Some(fence) => Expr::binary(BinaryOp::And, free, equals(Expr::Var(fence), 0)),
        None => free,
    }
}

/// Whether the register holds one of these instructions.
fn any_of(register: RegId, instructions: impl Iterator<Item = InstrId>) -> Expr<RegId> {
    let each = instructions.map(|instr| equals(Expr::Var(register), instr.0 as i32));
    Expr::any_of(&each.collect::<Vec<_>>())
}
