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
//! A result is used if an address, a branch, an assertion, a stored value or a final value that is
//! observed depends on it, after folding what compilers fold (`r ^ r`, `r & 0`).
//!
//! **Absent.** Inline assembly, and the kernel's operations, which are: compilers do not change it.

mod liveness;

use super::Lowering;
use super::code::{Code, Instr, Loc};
use super::value::{Value, shape};
use crate::lower::operation::Order;
use crate::lower::typed::{BinaryOp, Type};
use crate::program::{self, CallId, Expr, Fault, Fence, Op, Origin, RegId, Role};
use crate::text::{Compiler, Diagnostic, Place};
use liveness::{live, unknown};
use std::collections::BTreeSet;

type E = Expr<RegId>;

/// An operation of C that was lowered to a locked instruction.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    /// The first step of the locked instruction.
    start: usize,
    addr: E,
    /// `None` for an exchange.
    op: Option<BinaryOp>,
    operand: E,
    /// All bits of the object set.
    ones: i32,
    order: Order,
    place: Place,
}

/// What a compiler may emit instead of a locked instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Substitute {
    Nothing,
    Load,
    Store,
}

impl Operation {
    /// The operand for which it changes nothing.
    fn identity(&self) -> Option<i32> {
        let op = self.op?;
        let adds = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        if adds || matches!(op, BinaryOp::BitOr | BinaryOp::BitXor) {
            Some(0)
        } else {
            (op == BinaryOp::BitAnd).then_some(self.ones)
        }
    }

    /// The operand for which the stored value does not depend on the old one.
    fn absorbing(&self) -> Option<i32> {
        let op = self.op?;
        if op == BinaryOp::BitAnd {
            Some(0)
        } else {
            (op == BinaryOp::BitOr).then_some(self.ones)
        }
    }

    /// What some compiler emits instead if the operand has this value.
    fn substitute(&self, operand: Option<i32>, is_used: bool) -> Option<Substitute> {
        let (relaxed, acquire, release) = (
            self.order == Order::Relaxed,
            self.order == Order::Acquire,
            self.order == Order::Release,
        );
        let is = |wanted: Option<i32>| wanted.is_some() && operand == wanted;
        if self.order == Order::SeqCst {
            None
        } else if is(self.identity()) {
            if is_used {
                (relaxed || acquire).then_some(Substitute::Load)
            } else {
                Some(Substitute::Nothing)
            }
        } else {
            let stores = self.op.is_none() || is(self.absorbing());
            (stores && !is_used && (relaxed || release)).then_some(Substitute::Store)
        }
    }
}

impl Lowering<'_> {
    /// Remembers that the instruction that comes next is that of an operation.
    pub(super) fn operation(
        &mut self,
        address: &Value,
        ty: &Type,
        op: Option<BinaryOp>,
        operand: &Value,
        order: Order,
        place: Place,
    ) {
        // Inline assembly has `Once`.
        let is_kept = matches!(order, Order::SeqCst | Order::Once | Order::Argument);
        if is_kept || self.compiler == Compiler::Gcc || self.state.is_none() {
            return;
        }
        let shape = shape(ty);
        let operation = Operation {
            start: self.code.instructions.len(),
            addr: self.pointer_bits(address, place),
            op,
            operand: self.dynamic_of(operand, Some(ty), place),
            ones: shape.to_bits(shape.wrap(-1)).unwrap_or(-1),
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
            let target = steps.iter().find_map(|step| step.op.target());
            let live = &live[instrs[end - 1].to];
            let site = Site {
                origin: instrs[at].origin,
                ends: (instrs[at].from, after_check(&instrs, instrs[end - 1].to)),
                into: target,
                call: instrs[at].call,
                role: instrs[at].role,
            };
            let is_used = target.is_some_and(|into| live.contains(&into));
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
        site: &Site,
    ) -> bool {
        let constant = operation.operand.as_const();
        if constant.is_some() || operation.op.is_none() {
            let Some(substitute) = operation.substitute(constant, is_used) else {
                return false;
            };
            self.warn_of(operation, substitute);
            alternative(code, operation, substitute, None, site);
            let is_store = substitute == Substitute::Store;
            if let Some(last) = code.last().filter(|_| is_store) {
                last.strengthened = self.is_strengthened(operation.place);
            }
            return is_store;
        }
        let mentioned = operation.operand.vars();
        if mentioned.iter().any(|register| unknown.contains(register)) {
            return false;
        }
        for value in [operation.identity(), operation.absorbing()]
            .into_iter()
            .flatten()
        {
            if let Some(substitute) = operation.substitute(Some(value), is_used) {
                self.warn_of(operation, substitute);
                alternative(code, operation, substitute, Some(value), site);
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
                .note("`--compiler gcc` treats it as a locked instruction; `memory_order_seq_cst` makes it one"),
        );
    }
}

/// Where an operation is in its thread.
struct Site {
    origin: Origin,
    ends: (Loc, Loc),
    /// Receives the old value.
    into: Option<RegId>,
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

/// Adds one alternative, guarded by the operand having this value.
fn alternative(
    code: &mut Code,
    operation: &Operation,
    substitute: Substitute,
    value: Option<i32>,
    site: &Site,
) {
    let mut ops = Vec::new();
    if let Some(value) = value {
        let operand = operation.operand.clone();
        let is = Expr::binary(program::BinaryOp::Eq, operand, Expr::Const(value));
        ops.push(Op::Assume(is));
    }
    let addr = operation.addr.clone();
    match (substitute, site.into) {
        (Substitute::Nothing, _) | (Substitute::Load, None) if !ops.is_empty() => {}
        (Substitute::Nothing, _) | (Substitute::Load, None) => ops.push(Op::Skip),
        (Substitute::Load, Some(into)) => ops.push(Op::Load { into, addr }),
        (Substitute::Store, _) => {
            if operation.order == Order::Release {
                ops.push(Op::Fence(Fence::Store));
            }
            // The absorbing operand is the stored value.
            let value = operation.operand.clone();
            ops.push(Op::Store { addr, value });
        }
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
