//! The attacker: runs as written, then with delayed stores, then waits until the cycle is closed.
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
//! (closed)  the path has come back to the cell of the first delayed store
//! ```
//!
//! Instructions that wait for an empty buffer have no counterpart in the copy.

mod word;

use super::super::attack::Attack;
use super::buffer::{Buffer, Buffered, Place};
use super::{Chain, Form, Level, Role, Success, Writer, constant, equals, moved, under_sc};
use crate::program::{
    AccessKind, BinaryOp, Expr, Fence, InstrId, LocId, Op, RegId, Site, ThreadId,
};

/// An access of the copy, after a look at the buffer.
struct Looked {
    /// The address is one of the cells here.
    at: LocId,
    /// Whether the cell is buffered, and its newest value; `None` if it never is.
    buffered: Option<(Expr<RegId>, Place)>,
}

struct Attacker<'w, 'a> {
    writer: &'w mut Writer<'a>,
    thread: ThreadId,
    attacks: &'w [Attack],
    copy: Vec<LocId>,
    buffer: Buffer,
    /// Whether a lightweight fence waits, if one may.
    fence: Option<RegId>,
    /// The cell of the first delayed store.
    cell: RegId,
    /// Scratch.
    seen: RegId,
    /// After the last action.
    waiting: LocId,
    success: Success,
}

/// Writes the attacker for these attacks. Returns how to recognise that one of them has succeeded.
pub(super) fn write(writer: &mut Writer<'_>, form: Form, attacks: &[Attack]) -> Success {
    let thread = attacks[0].thread;
    let cell = writer.register(thread, "$cell");
    let seen = writer.register(thread, "$seen");
    let store = writer.register(thread, "$store");
    let last = writer.register(thread, "$last");
    let buffer = match form {
        Form::Singularity => Buffer::One(writer.register(thread, "$value")),
        Form::Locality => Buffer::of_all_stores(writer, thread),
    };
    let automaton = writer.program.thread(thread);
    let may_wait = form == Form::Locality
        && writer.model.relaxes_store_store()
        && automaton
            .instructions()
            .iter()
            .any(|instruction| matches!(instruction.op, Op::Fence(Fence::Store | Fence::Cells(_))));
    let fence = may_wait.then(|| writer.register(thread, "$fence"));
    let copy = writer.copies(thread, "'");
    let origin = automaton.origin();
    let waiting = writer.builder.label(thread, "$waiting", origin);
    let closed = writer.builder.label(thread, "$closed", origin);
    let mut attacker = Attacker {
        writer,
        thread,
        attacks,
        copy,
        buffer,
        fence,
        cell,
        seen,
        waiting,
        success: Success {
            thread,
            closed,
            store,
            last,
        },
    };
    attacker.as_written();
    attacker.delayed();
    attacker.closed();
    attacker.success
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
            let to = self.writer.target(site);
            self.writer
                .chain(site, instruction.from)
                .inside()
                .act(under_sc(&instruction.op), Role::Executed)
                .to(to);
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
        if let Some(word) = self.word_of(site) {
            return self.begin_word(&word, site, addr);
        }
        let Some(buffered) = self.buffer.at(self.writer, site) else {
            return;
        };
        let to = self.copy[self.writer.target(site).index()];
        let mut chain = self
            .writer
            .chain(site, instruction.from)
            .inside()
            .then(Op::AtomicBegin)
            .assign(self.cell, addr.clone())
            .assign(self.success.store, Expr::Const(site.instr.0 as i32));
        if let Some(set) = &buffered.set {
            chain = chain.then(set.put(Expr::Const(1)));
        }
        chain
            .act(buffered.value.put(value.clone()), Role::Delayed)
            .then(Op::AtomicEnd)
            .to(to);
    }

    /// The copy.
    fn delayed(&mut self) {
        for site in self.sites() {
            let instruction = self.writer.program.instruction(site);
            let automaton = self.writer.program.thread(self.thread);
            if automaton.location(instruction.from).atomic || instruction.op.drains() {
                continue;
            }
            if instruction.op.begins_word() {
                self.word(site);
                continue;
            }
            let from = self.copy[instruction.from.index()];
            let to = self.copy[self.writer.target(site).index()];
            if let Some(fence) = instruction.op.fence() {
                self.fence(site, fence, from, to);
                continue;
            }
            match instruction.op.access() {
                // It waits for an empty buffer, as all that drains.
                Some((_, AccessKind::Rmw { .. })) => {}
                Some((_, AccessKind::Store { value })) => self.store(site, value, from, to),
                Some((_, AccessKind::Load { into })) => self.load(site, into, from, to),
                None => self
                    .writer
                    .chain(site, from)
                    .act(instruction.op.clone(), Role::Executed)
                    .to(to),
            }
        }
    }

    /// (delay), (direct), (last)
    fn store(&mut self, site: Site, value: &Expr<RegId>, from: LocId, to: LocId) {
        let is_direct = self.writer.model.relaxes_store_store();
        let is_last = self.is_last(site);
        let looked = self.look(site, from, is_direct || is_last);
        self.delay(site, value, looked.at, to);
        if is_direct {
            self.memory(site, &looked, self.fence, to);
        }
        if is_last {
            self.last(site, &looked, self.fence, Level::Stored);
        }
    }

    /// (early), (memory), (last)
    fn load(&mut self, site: Site, into: RegId, from: LocId, to: LocId) {
        let looked = self.look(site, from, true);
        if let Some((is_buffered, value)) = &looked.buffered {
            self.writer
                .chain(site, looked.at)
                .assume(is_buffered.clone())
                .act(value.get(into), Role::Executed)
                .to(to);
        }
        self.memory(site, &looked, None, to);
        if self.is_last(site) {
            self.last(site, &looked, None, Level::Loaded);
        }
    }

    /// The first delayed stores of the attacks with this last action.
    fn stores_before(&self, last: Site) -> impl Iterator<Item = InstrId> + '_ {
        let attacks = self.attacks.iter();
        let of_last = attacks.filter(move |attack| attack.last == last.instr);
        of_last.map(|attack| attack.store)
    }

    fn is_last(&self, site: Site) -> bool {
        self.attacks.iter().any(|attack| attack.last == site.instr)
    }

    /// From here the address of an access is one of the cells, and it is known whether it is buffered, if
    /// that is asked.
    fn look(&mut self, site: Site, from: LocId, is_asked: bool) -> Looked {
        let buffered = self.buffer.at(self.writer, site);
        let outside = self.writer.candidates(site).outside;
        let flag = match &buffered {
            Some(Buffered {
                set: Some(Place::Cell(set)),
                ..
            }) if is_asked => Some(set.clone()),
            _ => None,
        };
        let mut at = from;
        if outside || flag.is_some() {
            at = self
                .writer
                .location(self.thread, self.writer.program.instruction(site));
            let chain = self.writer.chain(site, from).inside();
            match flag {
                Some(set) => chain.load(self.seen, set).to(at),
                None => chain.to(at),
            }
        }
        let addr = self.writer.program.instruction(site).op.address();
        let buffered = buffered.zip(addr).map(|(Buffered { set, value }, addr)| {
            let is_buffered = match set {
                None => Expr::binary(BinaryOp::Eq, addr.clone(), Expr::Var(self.cell)),
                Some(Place::Register(set)) => Expr::Var(set),
                Some(Place::Cell(_)) => Expr::Var(self.seen),
            };
            (is_buffered, value)
        });
        Looked { at, buffered }
    }

    /// (delay). With one value there is no other that may be delayed.
    fn delay(&mut self, site: Site, value: &Expr<RegId>, at: LocId, to: LocId) {
        let Some(Buffered {
            set: Some(set),
            value: newest,
        }) = self.buffer.at(self.writer, site)
        else {
            return;
        };
        self.writer
            .chain(site, at)
            .then(set.put(Expr::Const(1)))
            .act(newest.put(value.clone()), Role::Delayed)
            .to(to);
    }

    /// (direct), (memory): the access takes effect immediately if its cell is not buffered and this fence
    /// does not wait.
    fn memory(&mut self, site: Site, looked: &Looked, fence: Option<RegId>, to: LocId) {
        let op = self.writer.program.instruction(site).op.clone();
        let mut chain = self.writer.chain(site, looked.at);
        if let Some(free) = free(looked, fence) {
            chain = chain.assume(free);
        }
        chain.act(op, Role::Executed).to(to);
    }

    /// (fence)
    fn fence(&mut self, site: Site, kind: &Fence, from: LocId, to: LocId) {
        let Some(fence) = self.fence else {
            // TSO keeps all stores in order without fences; singularity requires programs without
            // lightweight fences.
            self.writer
                .chain(site, from)
                .act(Op::Skip, Role::Executed)
                .to(to);
            return;
        };
        let waits = |held| Op::Assign {
            into: fence,
            value: held,
        };
        let Fence::Cells(fenced) = kind else {
            // It orders the first delayed store.
            self.writer
                .chain(site, from)
                .act(waits(Expr::Const(1)), Role::Delayed)
                .to(to);
            return;
        };
        let or = |held| Expr::binary(BinaryOp::Or, Expr::Var(fence), held);
        let mut look = Vec::new();
        match &self.buffer {
            Buffer::One(_) => {}
            Buffer::Registers(registers) => {
                for set in fenced.iter().filter_map(|cell| registers.get(cell)) {
                    look.push(waits(or(Expr::Var(set.0))));
                }
            }
            Buffer::Cells { buffered, set, .. } => {
                for &cell in fenced.iter().filter(|cell| buffered.contains(cell)) {
                    look.push(Op::Load {
                        into: self.seen,
                        addr: moved(&constant(cell), *set),
                    });
                    look.push(waits(or(Expr::Var(self.seen))));
                }
            }
        }
        let mut looked = from;
        if !look.is_empty() {
            let like = self.writer.program.instruction(site);
            looked = self.writer.location(self.thread, like);
            let chain = self.writer.chain(site, from);
            look.into_iter().fold(chain, Chain::then).to(looked);
        }
        let ways = [
            (equals(Expr::Var(fence), 0), Role::Executed),
            (Expr::Var(fence), Role::Delayed),
        ];
        for (condition, role) in ways {
            self.writer
                .chain(site, looked)
                .assume(condition)
                .act(Op::Skip, role)
                .to(to);
        }
    }

    /// (last): under the condition of [`memory`](Self::memory).
    fn last(&mut self, site: Site, looked: &Looked, fence: Option<RegId>, level: Level) {
        let op = self.writer.program.instruction(site).op.clone();
        let Some(addr) = op.address() else {
            return;
        };
        let chosen = any_of(self.success.store, self.stores_before(site));
        let (hb, raised) = (constant(self.writer.hb), self.writer.level(addr));
        let mut chain = self.writer.chain(site, looked.at);
        if let Some(free) = free(looked, fence) {
            chain = chain.assume(free);
        }
        chain
            .assume(chosen)
            .then(Op::AtomicBegin)
            .assign(self.success.last, Expr::Const(site.instr.0 as i32))
            .store(hb, Expr::Const(1))
            // Before the action: a load may change the registers in its own address.
            .store(raised, Expr::Const(level as i32))
            .act(op, Role::Executed)
            .then(Op::AtomicEnd)
            .to(self.waiting);
    }

    /// (closed)
    fn closed(&mut self) {
        let level = self.writer.level(&Expr::Var(self.cell));
        // Any instruction of the thread will do: it stands for none of them.
        self.writer
            .chain(self.attacks[0].store_site(), self.waiting)
            .then(Op::AtomicBegin)
            .load(self.seen, level)
            .assume(Expr::Var(self.seen))
            .then(Op::AtomicEnd)
            .to(self.success.closed);
    }
}

/// The condition under which a cell is not buffered and this fence does not wait, unless that is certain.
fn free(looked: &Looked, fence: Option<RegId>) -> Option<Expr<RegId>> {
    let is_buffered = looked.buffered.as_ref();
    let is_buffered = is_buffered.map(|(is_buffered, _)| is_buffered.clone());
    let any: Vec<Expr<RegId>> = is_buffered
        .into_iter()
        .chain(fence.map(Expr::Var))
        .collect();
    (!any.is_empty()).then(|| equals(Expr::any_of(&any), 0))
}

/// Whether the register holds one of these instructions.
fn any_of(register: RegId, instructions: impl Iterator<Item = InstrId>) -> Expr<RegId> {
    let each = instructions.map(|instr| equals(Expr::Var(register), instr.0 as i32));
    Expr::any_of(&each.collect::<Vec<_>>())
}
