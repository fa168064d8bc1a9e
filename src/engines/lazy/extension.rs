//! `⊕`: extends a program by sequences, so that it performs their store buffering itself
//! [BCDM15, section 3 and appendix B].
//!
//! ```text
//!         ┌─ late := 1; a₁, v₁ := e, e' ─▶ n₁ ─▶ n₂ … ─▶ nₖ ─ mem[a₁] := v₁ … late := 0 ─▶ qₖ
//!  q₀ ────┤                                │      └ another instruction: (mem[aⱼ] := vⱼ)*; it
//!         └─ (the store itself: removed)   └ a load was passed: mem[a₁] := v₁; fence; … ─▶ qᵢ
//! ```
//!
//! The store that begins a sequence is kept in registers instead of the buffer. The thread
//! continues in a copy of its code, where later stores are kept in registers too, and loads look
//! there before they look in memory, (1)-(8) of the paper. At the end all kept stores are executed,
//! (9)-(10). The store itself is removed from the program, so that the same sequence is not found
//! again. To compensate, there are two exits from the copy: with an instruction other than the
//! sequence's, (11)-(13), and after a load past which the first store is delayed, but no further,
//! (14)-(17).
//!
//! **Differs from** the paper:
//! * Sequences of one round that begin with the same store share their common prefixes in a tree of
//!   copies. Its inner nodes have the two exits, its leaves the end. With one sequence it is the
//!   paper's program. If an exit reaches a store that begins a sequence, it enters the copy of that
//!   sequence.
//! * (17) leads to the location after the load: the paper writes `src(inst_i)` but means
//!   `dst(inst_i)`, as its invariant Inv-1 shows.
//! * Constant addresses and values need no registers, and comparisons between them are evaluated
//!   here.
//! * A register shows whether the thread is at one of the new locations. Such a configuration
//!   either has no counterpart with empty buffers, or has one that is reached elsewhere, so no
//!   property refers to it.
//! * Assertions, choices and lightweight fences, which the paper does not have, are copied like
//!   assignments. Locked instructions, full fences and atomic blocks are never part of a sequence.
//!   An access whose address is not a cell leaves the copy and is executed in the original code.
//! * `barrier all` waits until no thread keeps stores. In programs with a barrier, one cell per
//!   thread shows whether the thread keeps stores, and a thread that passes the barrier checks all
//!   of these cells at once. Under SC this is what the barrier does under TSO. Under TSO a thread
//!   may keep stores again in between, which adds computations to the extended program and removes
//!   none.

mod barrier;
mod copy;

use super::emulation::{Act, Emulation};
use super::sequence::{Sequence, Tree, trees};
use crate::engines::Extension;
use crate::facts::Values;
use crate::program::{
    Addr, BinaryOp, Expr, InstrId, Instruction, LocId, Observable, Op, Origin, Program,
    ProgramBuilder, PropertyKind, RegId, Site, ThreadId, UnaryOp,
};
use std::collections::{BTreeMap, BTreeSet};

/// The program extended by these sequences of it.
pub(super) fn extend(before: &Emulation, sequences: &[Sequence], form: Extension) -> Emulation {
    let program = &before.program;
    // Distinguishes the registers of this extension from those of other extensions.
    let round = before.extensions + 1;
    let values = Values::of(program);
    let mut builder = ProgramBuilder::like(program);
    let mut acts = Vec::new();
    let mut pending = Vec::new();
    let mut barriers = BTreeSet::new();
    let mut checks = BTreeMap::new();
    let mut flags = Vec::new();
    let extended: Vec<Vec<Tree>> = program
        .thread_ids()
        .map(|thread| trees(program, thread, sequences))
        .collect();
    if !before.barriers.is_empty() {
        let taken = |name: &String| program.regions().iter().any(|region| region.name == *name);
        for thread in program
            .thread_ids()
            .filter(|t| !extended[t.index()].is_empty())
        {
            let name = format!("$late{round}.{}", program.thread(thread).name());
            flags.push((thread, builder.cell(fresh(name, taken), 0)));
        }
    }
    for (thread, trees) in program.thread_ids().zip(extended) {
        let own = flags.iter().find(|(extended, _)| *extended == thread);
        let mut writer = Writer {
            before,
            values: &values,
            form,
            thread,
            late: None,
            slots: Vec::new(),
            flag: own.map(|&(_, flag)| flag),
            new_flags: &flags,
            guarded: BTreeMap::new(),
            builder: &mut builder,
            acts: Vec::new(),
            barriers: BTreeSet::new(),
            checks: Vec::new(),
        };
        if !trees.is_empty() {
            writer.registers(&trees, round);
        }
        writer.write(&trees, round);
        barriers.append(&mut writer.barriers);
        checks.extend(
            writer
                .checks
                .iter()
                .map(|&(loc, check)| ((thread, loc), check)),
        );
        pending.extend(writer.late.map(|late| Observable::Register(thread, late)));
        acts.push(writer.acts);
    }
    for property in program.properties() {
        // A thread that has not checked the flags yet has not passed the barrier.
        let mut predicate = property.predicate.map(&mut |part| match part {
            Observable::At(thread, loc) => match checks.get(&(thread, loc)) {
                Some(&check) => {
                    let check = Expr::Var(Observable::At(thread, check));
                    Expr::binary(BinaryOp::Or, Expr::Var(part), check)
                }
                None => Expr::Var(part),
            },
            Observable::Register(_, _) | Observable::Cell(_) => Expr::Var(part),
        });
        if property.kind == PropertyKind::Forbid {
            for &late in &pending {
                let none = Expr::unary(UnaryOp::Not, Expr::Var(late));
                predicate = Expr::binary(BinaryOp::And, predicate, none);
            }
        }
        builder.property(property.kind, predicate, property.origin);
    }
    Emulation {
        program: builder.build().expect("an extension preserves validity"),
        acts,
        extensions: round,
        barriers: if flags.is_empty() {
            before.barriers.clone()
        } else {
            barriers
        },
    }
}

/// A store that is kept. Its expressions use registers that do not change while it is kept.
#[derive(Clone)]
struct Kept {
    addr: Expr<RegId>,
    value: Expr<RegId>,
    /// What its execution at the end stands for.
    act: Act,
}

/// The extension of one thread under construction.
struct Writer<'w> {
    before: &'w Emulation,
    values: &'w Values,
    form: Extension,
    thread: ThreadId,
    /// 1 while the thread is at a new location; `None` if it is not extended.
    late: Option<RegId>,
    /// Registers for the addresses and values of the stores that are kept, oldest first.
    slots: Vec<(RegId, RegId)>,
    /// The cell that shows other threads whether this one keeps stores, if they need to know.
    flag: Option<Addr>,
    /// The flags of all threads that are extended.
    new_flags: &'w [(ThreadId, Addr)],
    /// By barrier: where the check of the flags begins.
    guarded: BTreeMap<InstrId, LocId>,
    builder: &'w mut ProgramBuilder,
    acts: Vec<Act>,
    barriers: BTreeSet<Site>,
    /// The locations before barriers, each with the location where the thread has yet to check the
    /// flags.
    checks: Vec<(LocId, LocId)>,
}

impl<'w> Writer<'w> {
    fn program(&self) -> &'w Program {
        &self.before.program
    }

    fn original(&self, instr: InstrId) -> &'w Instruction {
        self.program().thread(self.thread).instruction(instr)
    }

    fn site(&self, instr: InstrId) -> Site {
        Site {
            thread: self.thread,
            instr,
        }
    }

    fn registers(&mut self, trees: &[Tree], round: usize) {
        let all = self.program().thread(self.thread).registers();
        let mut declare = |name: String| {
            let taken = |name: &String| all.iter().any(|register| register.name == *name);
            self.builder.register(self.thread, fresh(name, taken), 0)
        };
        self.late = Some(declare(format!("$late{round}")));
        let nodes = trees.iter().flat_map(|tree| &tree.nodes);
        let most = nodes.map(|node| stores(self.before, self.thread, &node.path).count());
        for j in 1..=most.max().unwrap_or(0) {
            let addr = declare(format!("$a{round}.{j}"));
            self.slots.push((addr, declare(format!("$v{round}.{j}"))));
        }
    }

    /// Adds an instruction and what it stands for.
    fn emit(&mut self, from: LocId, op: Op, to: LocId, act: Act, origin: Origin) {
        self.builder.instruction(self.thread, from, op, to, origin);
        self.acts.push(act);
    }

    /// Adds a non-empty chain of instructions.
    fn chain(&mut self, from: LocId, ops: Vec<(Op, Act)>, to: LocId, origin: Origin) {
        debug_assert!(!ops.is_empty(), "a chain has at least one instruction");
        let mut at = from;
        let count = ops.len();
        for (index, (op, act)) in ops.into_iter().enumerate() {
            let next = if index + 1 == count {
                to
            } else {
                self.builder.location(self.thread, origin)
            };
            self.emit(at, op, next, act, origin);
            at = next;
        }
    }

    /// Writes the whole thread. The thread's own instructions come first and keep their ids. If a
    /// store is removed, the step into the copy takes its place.
    fn write(&mut self, trees: &[Tree], round: usize) {
        let thread = self.program().thread(self.thread);
        let mut checks = Vec::new();
        let entries: Vec<LocId> = trees
            .iter()
            .map(|tree| {
                let origin = self.original(tree.root).origin;
                self.builder.location(self.thread, origin)
            })
            .collect();
        for (index, instruction) in thread.instructions().iter().enumerate() {
            let instr = InstrId::from(index);
            let root = trees.iter().position(|tree| tree.root == instr);
            let act = self.before.act(self.site(instr));
            let (op, to, act) = match root {
                Some(root) if self.form == Extension::Exact => {
                    (self.mark(1), entries[root], Act::Nothing)
                }
                _ if !self.new_flags.is_empty()
                    && self.before.barriers.contains(&self.site(instr)) =>
                {
                    let check = self.builder.location(self.thread, instruction.origin);
                    self.guarded.insert(instr, check);
                    checks.push((instr, check));
                    // After an earlier extension, the barrier is the end of the atomic block that
                    // checks that extension's flags. The new check continues the block.
                    let first = if instruction.op == Op::AtomicEnd {
                        Op::Skip
                    } else {
                        self.checks.push((instruction.from, check));
                        instruction.op.clone()
                    };
                    (first, check, Act::Nothing)
                }
                _ => (instruction.op.clone(), instruction.to, act),
            };
            self.emit(instruction.from, op, to, act, instruction.origin);
        }
        for (instr, check) in checks {
            self.check_flags(instr, check, round);
        }
        for (tree, &entry) in trees.iter().zip(&entries) {
            if self.form == Extension::Amended {
                let store = self.original(tree.root);
                let op = self.mark(1);
                self.emit(store.from, op, entry, Act::Nothing, store.origin);
            }
            self.tree(tree, entry, trees, &entries);
        }
    }

    /// Sets whether the thread is at a new location.
    fn mark(&self, value: i32) -> Op {
        self.late.map_or(Op::Skip, |late| assign(late, value))
    }

    /// An expression for whether the address of an access is a cell; `None` if it always is.
    fn hits(&self, instr: InstrId) -> Option<Expr<RegId>> {
        let addr = self.original(instr).op.address()?;
        let candidates = self.values.addresses(self.program(), self.site(instr));
        candidates.outside.then(|| self.program().is_cell(addr))
    }

    /// The copies of a tree's nodes, the instructions between them, and the exits.
    fn tree(&mut self, tree: &Tree, entry: LocId, trees: &[Tree], entries: &[LocId]) {
        let root = self.original(tree.root);
        let copies: Vec<LocId> = tree
            .nodes
            .iter()
            .map(|_| self.builder.location(self.thread, root.origin))
            .collect();
        let mut at = entry;
        if let Some(hits) = self.hits(tree.root) {
            if self.form == Extension::Exact {
                // If its address is not a cell, the store has a path of its own. It is never
                // executed: the thread stops before it.
                let alone = self.builder.location(self.thread, root.origin);
                let misses = Op::Assume(Expr::unary(UnaryOp::Not, hits.clone()));
                self.emit(entry, misses, alone, Act::Nothing, root.origin);
                let act = self.before.act(self.site(tree.root));
                self.emit(alone, root.op.clone(), root.to, act, root.origin);
            }
            at = self.builder.location(self.thread, root.origin);
            self.emit(entry, Op::Assume(hits), at, Act::Nothing, root.origin);
        }
        let mut ops = self.flag(1);
        ops.extend(self.keep(&tree.nodes[0].path));
        self.chain(at, ops, copies[0], root.origin);
        for (node, &copy) in tree.nodes.iter().zip(&copies) {
            let kept = self.kept(&node.path);
            for (&instr, &child) in &node.children {
                self.copied(node, copy, &kept, instr, copies[child]);
            }
            let leaf = node.children.is_empty();
            if leaf || self.form == Extension::Amended && node.ends {
                let ops = self.back(&kept, None);
                self.chain(copy, ops, node.loc, root.origin);
            } else if self.form == Extension::Exact {
                self.ways_out(node, copy, &kept, trees, entries);
            }
        }
    }

    /// The stores that are kept after this path.
    fn kept(&self, path: &[InstrId]) -> Vec<Kept> {
        let stores = stores(self.before, self.thread, path);
        let kept = stores.zip(&self.slots).map(|((instr, op), &(a, v))| {
            let constant = |e: &Expr<RegId>, register| match e.as_const() {
                Some(value) => Expr::Const(value),
                None => Expr::Var(register),
            };
            let (addr, value) = op;
            Kept {
                addr: constant(addr, a),
                value: constant(value, v),
                act: match self.before.act(self.site(instr)) {
                    Act::Execute(_) | Act::Issue(_) | Act::Flush => Act::Flush,
                    Act::Nothing => Act::Nothing,
                },
            }
        });
        kept.collect()
    }

    /// (1): keeps the store at the end of the path.
    fn keep(&self, path: &[InstrId]) -> Vec<(Op, Act)> {
        let mut ops = Vec::new();
        let mut last = None;
        for ((instr, (addr, value)), &(a, v)) in
            stores(self.before, self.thread, path).zip(&self.slots)
        {
            last = Some(instr);
            ops.clear();
            for (e, into) in [(addr, a), (value, v)] {
                if e.as_const().is_none() {
                    let value = e.clone();
                    ops.push((Op::Assign { into, value }, Act::Nothing));
                }
            }
        }
        let act = last.map_or(Act::Nothing, |instr| {
            match self.before.act(self.site(instr)) {
                Act::Execute(site) | Act::Issue(site) => Act::Issue(site),
                // A store that reaches memory here was issued earlier and continues to wait.
                Act::Flush | Act::Nothing => Act::Nothing,
            }
        });
        match ops.last_mut() {
            Some((_, last)) => *last = act,
            None => ops.push((Op::Skip, act)),
        }
        ops
    }

    /// (9)-(10): executes and forgets all kept stores. `after_first` is inserted after the first
    /// store, as in (14)-(17).
    fn released(&self, kept: &[Kept], after_first: Option<Op>) -> Vec<(Op, Act)> {
        let mut ops: Vec<(Op, Act)> = kept
            .iter()
            .cloned()
            .map(|Kept { addr, value, act }| (Op::Store { addr, value }, act))
            .collect();
        if let Some(op) = after_first {
            ops.insert(1.min(ops.len()), (op, Act::Nothing));
        }
        ops.extend(self.flag(0));
        let registers = kept.iter().flat_map(|store| [&store.addr, &store.value]);
        for register in registers.flat_map(Expr::vars) {
            ops.push((assign(register, 0), Act::Nothing));
        }
        ops
    }

    /// The same, and returns the thread to the original code.
    fn back(&self, kept: &[Kept], after_first: Option<Op>) -> Vec<(Op, Act)> {
        let mut ops = self.released(kept, after_first);
        ops.push((self.mark(0), Act::Nothing));
        ops
    }
}

/// The stores of a path, in order, with address and value.
fn stores<'p>(
    before: &'p Emulation,
    thread: ThreadId,
    path: &'p [InstrId],
) -> impl Iterator<Item = (InstrId, (&'p Expr<RegId>, &'p Expr<RegId>))> {
    let automaton = before.program.thread(thread);
    path.iter().filter_map(|&instr| {
        let Op::Store { addr, value } = &automaton.instruction(instr).op else {
            return None;
        };
        Some((instr, (addr, value)))
    })
}

/// A name that is not taken.
fn fresh(mut name: String, taken: impl Fn(&String) -> bool) -> String {
    while taken(&name) {
        name.push('\'');
    }
    name
}

fn assign(into: RegId, value: i32) -> Op {
    let value = Expr::Const(value);
    Op::Assign { into, value }
}
