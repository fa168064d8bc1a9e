//! Threads of the automaton form. Nothing is folded, rearranged or added, so that printed programs
//! round-trip: a division by 0 is a violation only if an instruction before it says so.

use super::super::ast::{AutoOp, Automaton, Expr, ExprKind, Grouping, Item, Name};
use super::builtin::{Builtin, Locked};
use super::graph::Value;
use super::{Scope, SharedName, ThreadNames};
use crate::program::{
    Addr, BinaryOp, FIRST_ADDRESS, Fence, FencePlace, LocId, Op, ProgramBuilder, RegId, ThreadId,
    Update,
};
use crate::text::{Diagnostic, Positions, Span};
use ahash::{AHashMap, AHashSet};
use std::collections::BTreeSet;

/// Declares a cell for each undeclared name in threads of this form, in order of first use: the
/// papers' programs do not declare memory.
pub(super) fn implicit_cells<'a>(
    items: &'a [Item],
    scope: &mut Scope<'a>,
    builder: &mut ProgramBuilder,
) {
    let mut next = FIRST_ADDRESS;
    for item in items {
        let Item::Automaton(_, body) = item else {
            continue;
        };
        let registers: AHashSet<&str> = body
            .regs
            .iter()
            .map(|(name, _)| name.text.as_str())
            .collect();
        let mut found = Vec::new();
        for instruction in &body.instructions {
            for e in operands(&instruction.op) {
                mentions(e, &mut found);
            }
        }
        for name in found {
            if !registers.contains(name)
                && !scope.constants.contains_key(name)
                && !scope.regions.contains_key(name)
            {
                let region = SharedName {
                    base: Addr(next),
                    len: 1,
                    array: false,
                    bad_len: false,
                };
                scope.regions.insert(name.to_owned(), region);
                builder.cell(name, 0);
                next += 1;
            }
        }
    }
}

fn operands(op: &AutoOp) -> Vec<&Expr> {
    match op {
        AutoOp::Store(a, b) => vec![a, b],
        AutoOp::Assign(_, e)
        | AutoOp::Assume(e)
        | AutoOp::BlockingAssert(e, _)
        | AutoOp::Property(e) => vec![e],
        AutoOp::FenceCells(cells) => cells.iter().collect(),
        AutoOp::FenceFull
        | AutoOp::FenceStore
        | AutoOp::BarrierAll
        | AutoOp::Lock(_)
        | AutoOp::Unlock
        | AutoOp::Noop => Vec::new(),
    }
}

fn mentions<'e>(e: &'e Expr, found: &mut Vec<&'e str>) {
    match &e.kind {
        ExprKind::Name(name) => found.push(name),
        ExprKind::Index(_, a)
        | ExprKind::Deref(a)
        | ExprKind::AddressOf(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Paren(a)
        | ExprKind::Fenced(_, a) => mentions(a, found),
        ExprKind::Binary(_, a, b) => {
            mentions(a, found);
            mentions(b, found);
        }
        ExprKind::Conditional(parts) => parts.iter().for_each(|e| mentions(e, found)),
        ExprKind::Call(_, arguments) => arguments.iter().for_each(|e| mentions(e, found)),
        ExprKind::Int(_) | ExprKind::Path(_) | ExprKind::At(..) => {}
    }
}

/// Lowers a thread and returns the parts of it that properties can refer to.
pub(super) fn lower<'a>(
    scope: &mut Scope<'a>,
    builder: &mut ProgramBuilder,
    thread: ThreadId,
    body: &'a Automaton,
) -> ThreadNames {
    let mut draft = AutomatonDraft {
        names: ThreadNames::new(thread),
        places: AHashMap::new(),
        scope,
    };
    let mut first: AHashMap<&str, &Span> = AHashMap::new();
    for (name, init) in &body.regs {
        if let Some(span) = first.insert(&name.text, &name.span) {
            draft.scope.declared_twice("register", name, span);
            continue;
        }
        let init = match init {
            Some(e) => draft.scope.constant(e).unwrap_or(0),
            None => 0,
        };
        let reg = builder.register(thread, &name.text, init);
        draft.names.registers.insert(name.text.clone(), reg);
    }
    if let Some(list) = &body.locations {
        for (name, generated) in list {
            if let Some(span) = draft.places.get(name.text.as_str()).copied() {
                draft.scope.declared_twice("label", name, span);
                continue;
            }
            let loc = if *generated {
                builder.location(thread, draft.scope.lines.origin(&name.span))
            } else {
                builder.label(thread, &name.text, draft.scope.lines.origin(&name.span))
            };
            draft.places.insert(&name.text, &name.span);
            draft.names.labels.insert(name.text.clone(), loc);
        }
    }
    let closed = body.locations.is_some();
    let entry = draft.location(&body.init, builder, closed);
    builder.entry(thread, entry);
    let mut marked: AHashSet<LocId> = AHashSet::new();
    let joined = match draft.scope.positions {
        Positions::Merged => AHashSet::new(),
        Positions::Apart => joined(body, &draft.scope.negated),
    };
    for instruction in &body.instructions {
        let from = draft.location(&instruction.from, builder, closed);
        let op = draft.op(&instruction.op);
        let to = draft.location(&instruction.to, builder, closed);
        draft.scope.instructions += 1;
        if draft.scope.is_too_large(0, &instruction.span) {
            break;
        }
        if marked.insert(from) {
            let start = instruction.whole.start;
            draft.scope.insertion_points.label(start, thread, from);
        }
        if let Some(op) = op {
            let origin = draft.scope.lines.origin(&instruction.span);
            let mut to = to;
            if joined.contains(instruction.to.text.as_str()) {
                let target = &instruction.to.span;
                let origin = draft.scope.lines.origin(target);
                let end = builder.location(thread, origin);
                builder.instruction(thread, end, Op::Skip, to, origin);
                draft.scope.insertion_points.edge(target.start, thread, end);
                to = end;
            }
            let instr = builder.instruction(thread, from, op, to, origin);
            if instruction.place != FencePlace::Default {
                builder.fence_place(thread, instr, instruction.place);
            }
        }
    }
    draft.names
}

/// The labels that several edges lead to, except those that a property requires a thread not to be
/// at: a thread before such a label counts as being at it.
fn joined<'a>(body: &'a Automaton, negated: &BTreeSet<&str>) -> AHashSet<&'a str> {
    let mut reached: AHashSet<&str> = AHashSet::from_iter([body.init.text.as_str()]);
    let targets = body.instructions.iter();
    targets
        .map(|instruction| instruction.to.text.as_str())
        .filter(|to| !reached.insert(to) && !negated.contains(to))
        .collect()
}

struct AutomatonDraft<'s, 'a> {
    scope: &'s mut Scope<'a>,
    names: ThreadNames,
    places: AHashMap<&'a str, &'a Span>,
}

impl<'a> AutomatonDraft<'_, 'a> {
    /// The location with this name. It is declared at its first use, unless the thread lists its
    /// locations.
    fn location(&mut self, name: &'a Name, builder: &mut ProgramBuilder, closed: bool) -> LocId {
        if let Some(loc) = self.names.labels.get(&name.text) {
            return *loc;
        }
        if closed {
            self.scope.unknown("label", &name.text, &name.span, |_| {
                self.names.labels.keys().cloned().collect()
            });
        }
        let origin = self.scope.lines.origin(&name.span);
        let loc = builder.label(self.names.thread, &name.text, origin);
        self.names.labels.insert(name.text.clone(), loc);
        loc
    }

    fn op(&mut self, op: &'a AutoOp) -> Option<Op> {
        Some(match op {
            AutoOp::Store(addr, value) => {
                let (addr, value) = (self.value(addr), self.value(value));
                Op::Store {
                    addr: addr?,
                    value: value?,
                }
            }
            AutoOp::Assign(name, e) => {
                let into = self.register(name);
                let op = self.assign(into.unwrap_or(RegId(0)), e);
                into?;
                op?
            }
            AutoOp::FenceFull => Op::Fence(Fence::Full),
            AutoOp::FenceStore => Op::Fence(Fence::Store),
            AutoOp::FenceCells(list) => {
                let mut cells = Vec::new();
                for e in list {
                    let (base, len) = self.scope.static_place(e)?;
                    cells.extend((0..len).map(|i| Addr(base.0 + i as i32)));
                }
                cells.sort_unstable();
                cells.dedup();
                Op::Fence(Fence::Cells(cells))
            }
            AutoOp::BarrierAll => Op::Fence(Fence::All),
            AutoOp::Assume(e) => Op::Assume(self.value(e)?),
            AutoOp::BlockingAssert(e, word) => {
                self.scope.papers_assert.get_or_insert_with(|| word.clone());
                Op::Assume(self.value(e)?)
            }
            AutoOp::Property(e) => Op::Assert(self.value(e)?),
            AutoOp::Lock(Grouping::Locked) => Op::AtomicBegin,
            AutoOp::Lock(Grouping::Word(overlap)) => Op::WordBegin(*overlap),
            AutoOp::Unlock => Op::AtomicEnd,
            AutoOp::Noop => Op::Skip,
        })
    }

    fn register(&mut self, name: &Name) -> Option<RegId> {
        let found = self.names.registers.get(&name.text).copied();
        if found.is_none() {
            self.scope.unknown("register", &name.text, &name.span, |_| {
                self.names.registers.keys().cloned().collect()
            });
        }
        found
    }

    fn assign(&mut self, into: RegId, e: &'a Expr) -> Option<Op> {
        if let ExprKind::Call(name, arguments) = &e.strip().kind
            && let Some(builtin) = Builtin::named(&name.text)
        {
            return self.builtin(builtin, into, name, arguments);
        }
        match &e.strip().kind {
            ExprKind::Index(mem, addr) if mem.text == "mem" => Some(Op::Load {
                into,
                addr: self.value(addr)?,
            }),
            ExprKind::Int(_)
            | ExprKind::Name(_)
            | ExprKind::Index(..)
            | ExprKind::Deref(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(_)
            | ExprKind::Paren(_)
            | ExprKind::Call(..)
            | ExprKind::Path(_)
            | ExprKind::At(..)
            | ExprKind::Fenced(..) => Some(Op::Assign {
                into,
                value: self.value(e)?,
            }),
        }
    }

    fn builtin(
        &mut self,
        builtin: Builtin,
        into: RegId,
        name: &Name,
        arguments: &'a [Expr],
    ) -> Option<Op> {
        let wanted = builtin.arguments();
        if arguments.len() != wanted {
            self.scope
                .wrong_count(name, arguments.len(), &format!("{wanted} arguments"));
            return None;
        }
        match builtin {
            Builtin::Choice => {
                let low = self.scope.constant(&arguments[0]);
                let high = self.scope.constant(&arguments[1]);
                let (low, high) = (low?, high?);
                Some(Op::Havoc { into, low, high })
            }
            Builtin::Locked(locked) => self.update(locked, into, arguments),
        }
    }

    fn update(&mut self, locked: Locked, into: RegId, arguments: &'a [Expr]) -> Option<Op> {
        let ExprKind::Index(mem, addr) = &arguments[0].strip().kind else {
            return self.no_memory(&arguments[0]);
        };
        if mem.text != "mem" {
            return self.no_memory(&arguments[0]);
        }
        let addr = self.value(addr)?;
        let first = self.value(&arguments[1])?;
        let update = match locked {
            Locked::CompareExchange => Update::CompareExchange {
                expected: first,
                desired: self.value(&arguments[2])?,
            },
            Locked::Exchange => Update::Exchange(first),
            Locked::Fetch(op) => Update::Fetch(op, first),
        };
        Some(Op::Rmw { into, addr, update })
    }

    fn no_memory<T>(&mut self, e: &Expr) -> Option<T> {
        self.scope.error(
            Diagnostic::error(
                "the first argument of a locked instruction must be in memory",
                e.span.clone(),
            )
            .label("expected `mem[…]`"),
        );
        None
    }

    /// The value of an expression, in which a shared variable denotes its address.
    fn value(&mut self, e: &Expr) -> Option<Value> {
        match &e.kind {
            ExprKind::Int(value) => Some(Value::Const(*value)),
            ExprKind::Paren(inner) => self.value(inner),
            ExprKind::Name(name) => {
                if let Some(reg) = self.names.registers.get(name) {
                    return Some(Value::Var(*reg));
                }
                if let Some(value) = self.scope.constants.get(name.as_str()) {
                    return Some(Value::Const(*value));
                }
                if let Some(region) = self.scope.regions.get(name) {
                    return Some(Value::Const(region.base.0));
                }
                self.scope.unknown("name", name, &e.span, |scope| {
                    let registers = self.names.registers.keys();
                    registers.chain(scope.regions.keys()).cloned().collect()
                });
                None
            }
            ExprKind::AddressOf(place) => {
                let (addr, _) = self.scope.static_place(place)?;
                Some(Value::Const(addr.0))
            }
            ExprKind::Index(name, index) => {
                if name.text == "mem" {
                    return self.misplaced(e, "a load is a separate instruction: `r <- mem[…]`");
                }
                let region = self.scope.array(name)?;
                let index_value = self.value(index)?;
                if let Value::Const(at) = index_value {
                    let addr = self.scope.element(name, region, at, &index.span)?;
                    return Some(Value::Const(addr.0));
                }
                Some(Value::binary(
                    BinaryOp::Add,
                    Value::Const(region.base.0),
                    index_value,
                ))
            }
            ExprKind::Unary(op, a) => Some(Value::unary(*op, self.value(a)?)),
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.value(a), self.value(b));
                let (left, right) = (left?, right?);
                if right.as_const() == Some(0) && !self.scope.divides(*op, Some(0), &b.span) {
                    return None;
                }
                Some(Value::binary(*op, left, right))
            }
            ExprKind::Conditional(parts) => {
                let [c, a, b] = &**parts;
                let (c, a, b) = (self.value(c), self.value(a), self.value(b));
                Some(Value::conditional(c?, a?, b?))
            }
            ExprKind::Call(..) => self.misplaced(
                e,
                "a locked instruction or choice is a separate instruction: `r <- cas(…)`",
            ),
            ExprKind::Fenced(..) => {
                self.misplaced(e, "a fence is a separate instruction: `mfence`")
            }
            ExprKind::Deref(_) => self.misplaced(e, "in this form, memory is accessed as `mem[…]`"),
            ExprKind::Path(_) | ExprKind::At(..) => {
                self.misplaced(e, "only properties can refer to parts of threads")
            }
        }
    }

    fn misplaced<T>(&mut self, e: &Expr, note: &str) -> Option<T> {
        self.scope.error(
            Diagnostic::error("this is not allowed inside an expression", e.span.clone())
                .label("expected a value")
                .note(note),
        );
        None
    }
}
