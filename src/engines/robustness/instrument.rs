//! Instrumentation: a program whose SC computations are the witnesses of another program's attacks.
//!
//! There is one program per thread with attacks. The attacker first runs as written. Then it may
//! execute one of the attacks' stores without making it visible, and continues in a copy of its
//! code, where its stores stay local and its own loads read them. At the last action of an attack
//! it stops and raises `hb`. From then on the helpers execute only what happens after that action.
//! Each cell has an *access level*: how the path from the last action has accessed it so far. A
//! helper enters a copy of its own code through an access that continues the path [BDM13, Lemma 3].
//! When the path accesses the cell of the first delayed store, the cycle is closed.
//!
//! ```text
//! attacker   as written ──store──▶ copy, stores delayed ──last──▶ waiting ──level[cell] ≠ 0──▶ closed
//! helper     as written, while hb = 0 ──access at a sufficient level──▶ copy that sets levels
//! ```
//!
//! All attacks of the thread share the program. It records which store and which last action were
//! taken. Each attack has a goal, and a further goal is reached if any attack succeeds. With one
//! attack it is the papers' program.
//!
//! **Differs from** [BDM13, Figs. 5-7], [DMS17, Figs. 4-6]:
//! * The attacker's buffer is in registers, a flag and a value for each cell that it stores to, because
//!   no other thread reads it. It is in auxiliary cells only if the cell of an access is not known
//!   statically.
//! * An action and its bookkeeping form one atomic block.
//! * Positions that do nothing are left out.
//! * The attacker closes the cycle, as in [DMS17, Eq. 13], and not the helpers. It does so in a step of
//!   its own: no goal mentions a cell, so helpers that are alike remain alike.
//! * Locked instructions and atomic blocks, which the papers leave to the reader: both drain the
//!   buffer, so the attacker's copy has none. A locked instruction of a helper is both a load and a
//!   store. A helper's block is one action: it depends on the last action as soon as one of its
//!   accesses does, and then all of its accesses set levels. The access is guessed at the start of
//!   the block, while the levels are still those of the path before the block.
//! * Word accesses, which the papers do not have: under SC they are atomic blocks. In the attacker's copy all stores
//!   of one are delayed, or none is. If a part is the last action, the attacker stops after the whole.
//!
//! **Invariant.** The program's own cells come first and keep their addresses. An access that may
//! be outside them is guarded, because the auxiliary cells follow them.
//!
//! **Absent.** `barrier all`: a helper's barrier waits for the attacker's buffer, and the papers'
//! theorems are not proved for it. Callers reject programs with one.

mod attacker;
mod buffer;
mod helper;

use super::attack::Attack;
use crate::facts::{Candidates, Values};
use crate::model::Model;
use crate::program::{
    Addr, BinaryOp, Expr, FIRST_ADDRESS, Goal, InstrId, Instruction, LocId, Observable, Op, Origin,
    Program, ProgramBuilder, PropertyKind, RegId, Site, Thread, ThreadId,
};
use std::collections::BTreeSet;

/// How much the attacker may delay.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Form {
    /// Any number of stores of one thread [BDM13, Lemma 2], [DMS17, Theorem 1].
    Locality,
    /// One store [DMS17, Theorem 2]. Only for models that relax the order of stores, and programs
    /// without lightweight fences.
    Singularity,
}

/// How a happens-before path has accessed a cell so far. The order of the variants matters: any
/// access continues a path that has stored to the cell, only a store continues one that has loaded
/// from it, and no access continues one that has not accessed it [BDM13, Lemma 3].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Level {
    Loaded = 1,
    Stored = 2,
}

/// What an instruction of the derived program does in the original program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// The instruction is executed and takes effect immediately.
    Executed,
    /// The attacker issues a store or a lightweight fence that stays in its buffer.
    Delayed,
}

/// A program derived from another one to look for attacks of one thread under SC.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derived {
    /// The program.
    pub program: Program,
    /// The attacks that it looks for, each with the goal that is reached if the attack is feasible.
    pub attacks: Vec<(Attack, Goal)>,
    /// Reached if any attack is feasible.
    pub any: Goal,
    /// By thread and instruction: what it does in the original, if anything.
    acts: Vec<Vec<Option<(Site, Role)>>>,
}

impl Derived {
    /// The original instruction that an instruction of the derived program stands for, if any, and
    /// its role.
    pub fn act(&self, site: Site) -> Option<(Site, Role)> {
        self.acts[site.thread.index()][site.instr.index()]
    }
}

/// The program that looks for these attacks, all of one thread. Requires at least one attack.
///
/// # Panics
///
/// If the attacks are of several threads, or there is none.
pub fn instrument(
    program: &Program,
    values: &Values,
    model: Model,
    form: Form,
    attacks: &[Attack],
) -> Derived {
    let attacker = attacks.first().expect("an attack to look for").thread;
    assert!(
        attacks.iter().all(|attack| attack.thread == attacker),
        "a derived program has one attacker"
    );
    let mut writer = Writer::new(program, values, model);
    let mut success = None;
    for thread in program.thread_ids() {
        if thread == attacker {
            success = Some(attacker::write(&mut writer, form, attacks));
        } else {
            helper::write(&mut writer, thread);
        }
    }
    let success = success.expect("the attacker is one of the threads");
    writer.finish(attacks, &success)
}

/// How to recognise that an attack has succeeded: the attacker has closed the cycle.
struct Success {
    thread: ThreadId,
    /// The attacker's location then.
    closed: LocId,
    /// The registers that hold the instructions of the first delayed store and the last action.
    store: RegId,
    last: RegId,
}

/// The derived program under construction.
struct Writer<'a> {
    program: &'a Program,
    values: &'a Values,
    model: Model,
    builder: ProgramBuilder,
    acts: Vec<Vec<Option<(Site, Role)>>>,
    /// Whether the last action has happened.
    hb: Addr,
    /// What would be the level of address 0; those of the program's cells follow.
    levels: Addr,
}

impl<'a> Writer<'a> {
    fn new(program: &'a Program, values: &'a Values, model: Model) -> Self {
        let mut builder = ProgramBuilder::like(program);
        let taken: Vec<&str> = program.regions().iter().map(|r| r.name.as_str()).collect();
        let levels = builder.array(
            fresh("$level", &taken),
            vec![0; FIRST_ADDRESS as usize + program.cell_count()],
        );
        let hb = builder.cell(fresh("$hb", &taken), 0);
        Self {
            program,
            values,
            model,
            builder,
            acts: vec![Vec::new(); program.threads().len()],
            hb,
            levels,
        }
    }

    /// A new register of the thread, with a name that the thread does not use.
    fn register(&mut self, thread: ThreadId, name: &str) -> RegId {
        let original = self.program.thread(thread);
        let taken: Vec<&str> = original
            .registers()
            .iter()
            .map(|r| r.name.as_str())
            .collect();
        self.builder.register(thread, fresh(name, &taken), 0)
    }

    /// A copy of each location of the thread, with a name derived from the original's.
    fn copies(&mut self, thread: ThreadId, mark: &str) -> Vec<LocId> {
        let locations = self.program.thread(thread).locations();
        let taken: Vec<&str> = locations.iter().map(|l| l.name.as_str()).collect();
        let mut copies = Vec::new();
        for location in locations {
            let name = fresh(&format!("{}{mark}", location.name), &taken);
            copies.push(self.builder.label(thread, name, location.origin));
        }
        copies
    }

    fn location(&mut self, thread: ThreadId, like: &Instruction) -> LocId {
        self.builder.location(thread, like.origin)
    }

    /// Where an instruction leads, past positions that do nothing. The original passes them when it executes
    /// what comes after them.
    fn target(&self, site: Site) -> LocId {
        let automaton = self.program.thread(site.thread);
        let mut target = automaton.instruction(site.instr).to;
        // A loop that does nothing has no end.
        for _ in 0..automaton.locations().len() {
            match pause(automaton, target) {
                Some(instr) => target = automaton.instruction(instr).to,
                None => break,
            }
        }
        target
    }

    /// The cells that an access may touch, and whether it may be outside shared memory.
    fn candidates(&self, site: Site) -> Candidates {
        self.values.addresses(self.program, site)
    }

    /// The level of the cell at this address.
    fn level(&self, addr: &Expr<RegId>) -> Expr<RegId> {
        moved(addr, self.levels.0)
    }

    /// An array with a cell for each of these, and how far its cells are from theirs. It begins with one for
    /// the null pointer, and has one for each other address up to the end of the last region: what the program
    /// computes but never accesses, such as the fields of null, stays in the array. Otherwise it might
    /// seem to be a cell that belongs to some thread, and no exchange of threads would be a symmetry.
    fn beside(&mut self, name: &str, cells: &BTreeSet<Addr>) -> i32 {
        let regions = self.program.regions();
        let taken: Vec<&str> = regions.iter().map(|r| r.name.as_str()).collect();
        let last = cells.last().map_or(0, |cell| cell.0);
        let ends = regions.iter().map(|r| r.base.0 + r.init.len() as i32);
        let end = ends.filter(|&end| end > last).min();
        let array = vec![0; end.unwrap_or(last + 1) as usize];
        self.builder.array(fresh(name, &taken), array).0
    }

    /// A chain of instructions from a location, which stands for an original instruction.
    fn chain(&mut self, site: Site, from: LocId) -> Chain<'_, 'a> {
        let like = self.program.instruction(site);
        Chain {
            writer: self,
            site,
            like,
            at: from,
            pending: None,
        }
    }

    fn finish(mut self, attacks: &[Attack], success: &Success) -> Derived {
        let register = |reg, value| {
            let register = Expr::Var(Observable::Register(success.thread, reg));
            Expr::binary(BinaryOp::Eq, register, Expr::Const(value))
        };
        let both = |a, b| Expr::binary(BinaryOp::And, a, b);
        let closed = Expr::Var(Observable::At(success.thread, success.closed));
        let mut forbid = |predicate, attack: Option<&Attack>| {
            let origin = attack.map_or_else(Origin::default, |attack| {
                self.program.instruction(attack.store_site()).origin
            });
            self.builder
                .property(PropertyKind::Forbid, predicate, origin);
        };
        forbid(closed.clone(), None);
        for attack in attacks {
            let store = register(success.store, attack.store.0 as i32);
            let last = register(success.last, attack.last.0 as i32);
            forbid(both(both(store, last), closed.clone()), Some(attack));
        }
        let goals = (1..=attacks.len()).map(Goal::Property);
        Derived {
            program: self
                .builder
                .build()
                .expect("instrumentation preserves validity"),
            attacks: attacks.iter().copied().zip(goals).collect(),
            any: Goal::Property(0),
            acts: self.acts,
        }
    }
}

/// The instruction at a location, if it is the only one there and does nothing.
pub(super) fn pause(automaton: &Thread, loc: LocId) -> Option<InstrId> {
    match *automaton.outgoing(loc) {
        [instr] if automaton.instruction(instr).op == Op::Skip => Some(instr),
        _ => None,
    }
}

/// The same instruction under SC, where a word access is an atomic block.
fn under_sc(op: &Op) -> Op {
    if op.begins_word() {
        Op::AtomicBegin
    } else {
        op.clone()
    }
}

/// A name that is not taken.
fn fresh(name: &str, taken: &[&str]) -> String {
    let mut name = name.to_owned();
    while taken.contains(&name.as_str()) {
        name.push('\'');
    }
    name
}

/// A chain of instructions.
struct Chain<'w, 'a> {
    writer: &'w mut Writer<'a>,
    site: Site,
    like: &'a Instruction,
    at: LocId,
    /// The last instruction, until its target is known.
    pending: Option<(Op, Option<(Site, Role)>)>,
}

impl Chain<'_, '_> {
    fn push(&mut self, op: Op, act: Option<(Site, Role)>) {
        if self.pending.is_some() {
            let next = self.writer.location(self.site.thread, self.like);
            self.emit(next);
        }
        self.pending = Some((op, act));
    }

    fn emit(&mut self, to: LocId) {
        if let Some((op, act)) = self.pending.take() {
            let thread = self.site.thread;
            self.writer
                .builder
                .instruction(thread, self.at, op, to, self.like.origin);
            self.writer.acts[thread.index()].push(act);
            self.at = to;
        }
    }

    /// Adds bookkeeping.
    fn then(mut self, op: Op) -> Self {
        self.push(op, None);
        self
    }

    /// Adds the instruction that stands for the original.
    fn act(mut self, op: Op, role: Role) -> Self {
        let site = self.site;
        self.push(op, Some((site, role)));
        self
    }

    fn assume(self, condition: Expr<RegId>) -> Self {
        self.then(Op::Assume(condition))
    }

    fn load(self, into: RegId, addr: Expr<RegId>) -> Self {
        self.then(Op::Load { into, addr })
    }

    fn store(self, addr: Expr<RegId>, value: Expr<RegId>) -> Self {
        self.then(Op::Store { addr, value })
    }

    /// Raises the level at this address for an access: never from stored to loaded.
    fn raise(self, writes: bool, level: Expr<RegId>, scratch: RegId) -> Self {
        if writes {
            return self.store(level, Expr::Const(Level::Stored as i32));
        }
        let stored = equals(Expr::Var(scratch), Level::Stored as i32);
        let raised = Expr::conditional(
            stored,
            Expr::Const(Level::Stored as i32),
            Expr::Const(Level::Loaded as i32),
        );
        self.load(scratch, level.clone()).store(level, raised)
    }

    fn assign(self, into: RegId, value: Expr<RegId>) -> Self {
        self.then(Op::Assign { into, value })
    }

    /// Restricts an access to the original's cells, unless it certainly accesses one of them.
    fn inside(self) -> Self {
        let Some(addr) = self.like.op.address() else {
            return self;
        };
        if !self.writer.candidates(self.site).outside {
            return self;
        }
        let inside = self.writer.program.is_cell(addr);
        self.assume(inside)
    }

    /// Ends the chain at this location.
    fn to(mut self, to: LocId) {
        debug_assert!(
            self.pending.is_some(),
            "a chain has at least one instruction"
        );
        self.emit(to);
    }
}

fn equals(a: Expr<RegId>, value: i32) -> Expr<RegId> {
    Expr::binary(BinaryOp::Eq, a, Expr::Const(value))
}

/// The address so far from another one.
fn moved(addr: &Expr<RegId>, offset: i32) -> Expr<RegId> {
    match addr.as_const() {
        Some(addr) => Expr::Const(addr.wrapping_add(offset)),
        None => Expr::binary(BinaryOp::Add, addr.clone(), Expr::Const(offset)),
    }
}

fn constant(addr: Addr) -> Expr<RegId> {
    Expr::Const(addr.0)
}
