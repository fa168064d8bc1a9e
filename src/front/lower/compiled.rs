//! What compilers emit for C11's read-modify-writes: not always a locked instruction.
//!
//! | operation, order | result unused | result used |
//! |---|---|---|
//! | exchange, `&` with 0, `|` with -1; relaxed or release | a store (clang) | locked |
//! | `+ - | ^` with 0, `&` with -1; below `seq_cst` | nothing (clang, rustc) | relaxed or acquire: a load (clang) |
//! | everything else | locked | locked |
//!
//! Observed in the code that gcc 12, clang 14 and rustc 1.95 emit for x86. gcc always emits a
//! locked instruction, so under [`Compiler::Gcc`] every operation is one. Under [`Compiler::Any`]
//! the program may do whatever some compiler emits:
//!
//! * A store covers the exchange: whatever a locked instruction without a result does, a store that
//!   is not delayed also does, with the same happens-before relation. It replaces the exchange.
//! * Nothing, or a load, has more states than the locked instruction, but fewer writes, and so
//!   fewer happens-before cycles. Neither covers the other, so the thread may choose either.
//! * If the operand is a variable that a compiler may know, the choice exists if its value is the
//!   one in question.
//!
//! Of a word, the instruction is a block, and a store or load one access of all parts.
//!
//! A result is used if an address, a branch, an assertion, a stored value or a final value that is
//! observed depends on it, after folding what compilers fold (`r ^ r`, `r & 0`).
//!
//! **Absent.** Inline assembly, and the kernel's operations, which are: compilers do not change it.

mod liveness;

use super::Lowering;
use super::code::{Code, Instr, Loc};
use super::value::{Value, shape};
use super::words::access::in_blocks;
use crate::lower::operation::Order;
use crate::lower::typed::{BinaryOp, Type};
use crate::program::{self, CallId, Expr, Fault, Fence, Op, Origin, Overlap, RegId, Role};
use crate::text::{Compiler, Diagnostic, Place};
use liveness::{live, unknown};
use std::collections::BTreeSet;

type E = Expr<RegId>;

/// An operation of C that was lowered to a locked instruction.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    /// The first step of the locked instruction.
    start: usize,
    /// One, or those of a word.
    parts: Vec<Part>,
    /// `None` for an exchange.
    op: Option<BinaryOp>,
    order: Order,
    place: Place,
}

/// A cell that an operation changes.
#[derive(Clone, Debug)]
struct Part {
    addr: E,
    operand: E,
    /// All bits of the cell set.
    ones: i32,
}

/// An operand that makes an operation a special one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Special {
    /// It changes nothing.
    Identity,
    /// The stored value does not depend on the old one.
    Absorbing,
}

/// What is known of the operand of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operand {
    /// Only the execution shows it.
    Unknown,
    /// It is a constant that is not special, or that of an exchange, where it does not matter.
    Ordinary,
    Special(Special),
}

/// What a compiler may emit instead of a locked instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Substitute {
    Nothing,
    Load,
    Store,
}

impl Operation {
    /// Whether all bits of a special operand are ones, or none is; `None` if there is no such operand.
    fn ones_of(&self, special: Special) -> Option<bool> {
        let op = self.op?;
        let adds = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::BitXor);
        match special {
            Special::Identity if adds || op == BinaryOp::BitOr => Some(false),
            Special::Identity => (op == BinaryOp::BitAnd).then_some(true),
            Special::Absorbing if op == BinaryOp::BitAnd => Some(false),
            Special::Absorbing => (op == BinaryOp::BitOr).then_some(true),
        }
    }

    /// The operand, part by part, that is special in this way.
    fn operand(&self, special: Special) -> Option<Vec<i32>> {
        let ones = self.ones_of(special)?;
        let parts = self.parts.iter();
        Some(parts.map(|part| if ones { part.ones } else { 0 }).collect())
    }

    fn known(&self) -> Operand {
        if self.op.is_none() {
            return Operand::Ordinary;
        }
        let parts = self.parts.iter().map(|part| part.operand.as_const());
        let Some(constant) = parts.collect::<Option<Vec<i32>>>() else {
            return Operand::Unknown;
        };
        let mut both = [Special::Identity, Special::Absorbing].into_iter();
        let found = both.find(|special| self.operand(*special).as_ref() == Some(&constant));
        found.map_or(Operand::Ordinary, Operand::Special)
    }

    /// What some compiler emits instead if the operand is special in this way.
    fn substitute(&self, special: Option<Special>, is_used: bool) -> Option<Substitute> {
        let (relaxed, acquire, release) = (
            self.order == Order::Relaxed,
            self.order == Order::Acquire,
            self.order == Order::Release,
        );
        if self.order == Order::SeqCst {
            None
        } else if special == Some(Special::Identity) {
            if is_used {
                (relaxed || acquire).then_some(Substitute::Load)
            } else {
                Some(Substitute::Nothing)
            }
        } else {
            let stores = self.op.is_none() || special == Some(Special::Absorbing);
            (stores && !is_used && (relaxed || release)).then_some(Substitute::Store)
        }
    }
}

impl Lowering<'_> {
    /// Remembers that the instruction that comes next is that of an operation on these parts: their addresses, types and
    /// operands.
    pub(super) fn operation(
        &mut self,
        parts: Vec<(Value, Type, Value)>,
        op: Option<BinaryOp>,
        order: Order,
        place: Place,
    ) {
        // Inline assembly has `Once`.
        let is_kept = matches!(order, Order::SeqCst | Order::Once | Order::Argument);
        if is_kept || self.compiler == Compiler::Gcc || self.state.is_none() {
            return;
        }
        let mut lowered = Vec::new();
        for (address, ty, operand) in &parts {
            let shape = shape(ty);
            lowered.push(Part {
                addr: self.pointer_bits(address, place),
                operand: self.dynamic_of(operand, Some(ty), place),
                ones: shape.to_bits(shape.wrap(-1)).unwrap_or(-1),
            });
        }
        let operation = Operation {
            start: self.code.instructions.len(),
            parts: lowered,
            op,
            order,
            place,
        };
        self.code.operations.push(operation);
    }

    /// Adds what compilers may emit for the operations of a thread that is otherwise complete.
    /// `observed`: the registers whose final values matter.
    pub(super) fn add_alternatives(&mut self, code: &mut Code, observed: &BTreeSet<RegId>) {
        let operations = std::mem::take(&mut code.operations);
        if operations.is_empty() {
            return;
        }
        let (live, unknown) = (live(code, observed), unknown(&code.instructions));
        let inside = in_blocks(code);
        let instrs = std::mem::take(&mut code.instructions);
        let mut waiting = operations.into_iter().peekable();
        let mut at = 0;
        while at < instrs.len() {
            let operation = waiting.next_if(|operation| operation.start == at);
            let Some(operation) = operation else {
                code.instructions.push(instrs[at].clone());
                at += 1;
                continue;
            };
            let end = at + extent(&instrs[at..]);
            let steps = &instrs[at..end];
            let mut targets = steps.iter().filter_map(|step| step.op.target());
            let live = &live[instrs[end - 1].to];
            let site = Site {
                origin: instrs[at].origin,
                ends: (instrs[at].from, after_check(&instrs, instrs[end - 1].to)),
                steps,
                is_inside: inside[instrs[at].from],
                call: instrs[at].call,
                role: instrs[at].role,
            };
            let is_used = targets.any(|into| live.contains(&into));
            if !self.alternatives(code, &operation, is_used, &unknown, &site) {
                code.instructions.extend_from_slice(steps);
            }
            at = end;
        }
    }

    /// Adds what may be emitted instead of an operation. Returns whether it covers the locked
    /// instruction.
    fn alternatives(
        &mut self,
        code: &mut Code,
        operation: &Operation,
        is_used: bool,
        unknown: &BTreeSet<RegId>,
        site: &Site<'_>,
    ) -> bool {
        let known = operation.known();
        if known != Operand::Unknown {
            let special = match known {
                Operand::Special(special) => Some(special),
                Operand::Ordinary | Operand::Unknown => None,
            };
            let Some(substitute) = operation.substitute(special, is_used) else {
                return false;
            };
            self.warn_of(operation, substitute);
            alternative(code, operation, substitute, None, site);
            let is_store = substitute == Substitute::Store;
            let is_one = operation.parts.len() == 1;
            if let Some(last) = code.last().filter(|_| is_store && is_one) {
                last.strengthened = self.is_strengthened(operation.place);
            }
            return is_store;
        }
        let mut mentioned = operation.parts.iter().flat_map(|part| part.operand.vars());
        if mentioned.any(|register| unknown.contains(&register)) {
            return false;
        }
        for special in [Special::Identity, Special::Absorbing] {
            if let Some(value) = operation.operand(special)
                && let Some(substitute) = operation.substitute(Some(special), is_used)
            {
                self.warn_of(operation, substitute);
                alternative(code, operation, substitute, Some(&value), site);
            }
        }
        false
    }

    fn warn_of(&mut self, operation: &Operation, substitute: Substitute) {
        let (message, label) = match substitute {
            Substitute::Nothing => (
                "some compilers emit nothing for this operation, whose result is unused",
                "may be neither a fence nor an access",
            ),
            Substitute::Load => (
                "some compilers emit a plain load for this operation, which changes nothing",
                "may be a plain load",
            ),
            Substitute::Store => (
                "some compilers emit a plain store for this operation, whose result is unused",
                "treated as a plain store",
            ),
        };
        self.warn(
            Diagnostic::warning(message, self.positions.span(operation.place))
                .label(label)
                .note(self.positions.locked()),
        );
    }
}

/// Where an operation is in its thread.
struct Site<'s> {
    origin: Origin,
    ends: (Loc, Loc),
    /// The locked instruction.
    steps: &'s [Instr],
    /// Whether it is in an atomic block.
    is_inside: bool,
    call: Option<CallId>,
    role: Role,
}

/// Where control is after the check that what was read had been written, if there is one: what an
/// alternative does not read is not checked.
fn after_check(instrs: &[Instr], mut at: Loc) -> Loc {
    let check = |instr: &&Instr, at: Loc| instr.from == at && instr.fault == Some(Fault::Unwritten);
    while let Some(next) = instrs.iter().find(|instr| check(instr, at)) {
        at = next.to;
    }
    at
}

/// How many steps the locked instruction has that begins here: one, or a load and a store that nothing
/// separates.
fn extent(steps: &[Instr]) -> usize {
    if steps[0].op != Op::AtomicBegin {
        return 1;
    }
    let end = steps.iter().position(|step| step.op == Op::AtomicEnd);
    end.map_or(1, |end| end + 1)
}

impl Site<'_> {
    /// The accesses of all parts as one.
    fn at_once(&self, accesses: Vec<Op>) -> Vec<Op> {
        if accesses.len() == 1 || self.is_inside {
            return accesses;
        }
        let begin = std::iter::once(Op::WordBegin(Overlap::Combine));
        begin.chain(accesses).chain([Op::AtomicEnd]).collect()
    }

    /// The loads of the instruction, and what is computed from them.
    fn loads(&self, operation: &Operation) -> Vec<Op> {
        if let [part] = &*operation.parts {
            let mut targets = self.steps.iter().filter_map(|step| step.op.target());
            let addr = part.addr.clone();
            let into = targets.next();
            return into
                .map(|into| Op::Load { into, addr })
                .into_iter()
                .collect();
        }
        let all = self.steps.iter().map(|step| step.op.clone());
        let is_load = |op: &Op| matches!(op, Op::Load { .. });
        let (loads, others): (Vec<Op>, Vec<Op>) = all.partition(is_load);
        let others = others.into_iter();
        let assigned = others.filter(|op| matches!(op, Op::Assign { .. }));
        let mut ops = self.at_once(loads);
        ops.extend(assigned);
        ops
    }
}

/// Adds one alternative, guarded by the operand having this value.
fn alternative(
    code: &mut Code,
    operation: &Operation,
    substitute: Substitute,
    value: Option<&[i32]>,
    site: &Site<'_>,
) {
    let mut ops = Vec::new();
    if let Some(value) = value {
        let parts = operation.parts.iter().zip(value);
        let is = |(part, value): (&Part, &i32)| {
            let operand = part.operand.clone();
            Expr::binary(program::BinaryOp::Eq, operand, Expr::Const(*value))
        };
        let both = |a, b| Expr::binary(program::BinaryOp::And, a, b);
        ops.extend(parts.map(is).reduce(both).map(Op::Assume));
    }
    match substitute {
        Substitute::Nothing => {}
        Substitute::Load => ops.extend(site.loads(operation)),
        Substitute::Store => {
            if operation.order == Order::Release {
                ops.push(Op::Fence(Fence::Store));
            }
            // The absorbing operand is the stored value.
            let parts = operation.parts.iter();
            let stores = parts.map(|part| Op::Store {
                addr: part.addr.clone(),
                value: part.operand.clone(),
            });
            ops.extend(site.at_once(stores.collect()));
        }
    }
    if ops.is_empty() {
        ops.push(Op::Skip);
    }
    let mut here = site.ends.0;
    let last = ops.len() - 1;
    for (at, op) in ops.into_iter().enumerate() {
        let next = if at == last {
            site.ends.1
        } else {
            code.location(site.origin)
        };
        code.edge(here, op, next, site.origin);
        if let Some(last) = code.last() {
            (last.call, last.role) = (site.call, site.role);
        }
        here = next;
    }
}
