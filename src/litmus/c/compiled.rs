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
//! A result is used if the test's condition, an address, a branch or a stored value depends on it,
//! after folding what compilers fold (`r ^ r`, `r & 0`).
//!
//! **Absent.** The kernel's operations: they are inline assembly, which compilers do not change.

use super::call::Order;
use super::lower::Lowering;
use super::value::E;
use crate::program::{BinaryOp, Expr, Fence, LocId, Op, Origin, RegId, UnaryOp};
use crate::text::{Compiler, Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A step of a thread, kept until all steps are known.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) from: LocId,
    pub(super) op: Op,
    pub(super) to: LocId,
    pub(super) origin: Origin,
}

/// An operation of C that was lowered to a locked instruction.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    /// The steps of the locked instruction.
    pub(super) edges: Range<usize>,
    /// Receives the old value.
    pub(super) into: RegId,
    pub(super) addr: E,
    /// `None` for an exchange.
    pub(super) op: Option<BinaryOp>,
    pub(super) operand: E,
    pub(super) order: Order,
    pub(super) span: Span,
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
            (op == BinaryOp::BitAnd).then_some(-1)
        }
    }

    /// The operand for which the stored value does not depend on the old one.
    fn absorbing(&self) -> Option<i32> {
        let op = self.op?;
        if op == BinaryOp::BitAnd {
            Some(0)
        } else {
            (op == BinaryOp::BitOr).then_some(-1)
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
    /// Adds the thread's steps to the program, with the alternatives that compilers may emit for
    /// its operations. `observed`: the local variables that the condition refers to.
    pub(super) fn emit(&mut self, observed: &BTreeSet<RegId>) {
        let edges = std::mem::take(&mut self.edges);
        let mut operations = std::mem::take(&mut self.operations);
        if self.compiler == Compiler::Gcc {
            operations.clear();
        }
        // An operation after the maximal number of steps has none; that has been reported.
        operations.retain(|o| o.order != Order::SeqCst && !o.edges.is_empty());
        let (live, unknown) = if operations.is_empty() {
            (BTreeMap::new(), BTreeSet::new())
        } else {
            (live(&edges, observed), unknown(&edges))
        };
        let mut waiting = operations.into_iter().peekable();
        let mut at = 0;
        while at < edges.len() {
            let here = waiting.next_if(|operation| operation.edges.start == at);
            let end = here.as_ref().map_or(at + 1, |o| o.edges.end);
            let mut replaced = false;
            if let Some(operation) = &here {
                let out = live.get(&edges[end - 1].to);
                let is_used = out.is_some_and(|out| out.contains(&operation.into));
                let ends = (edges[at].from, edges[end - 1].to);
                replaced = self.alternatives(operation, is_used, &unknown, ends);
            }
            if !replaced {
                for edge in &edges[at..end] {
                    let (id, op) = (self.id, edge.op.clone());
                    self.builder
                        .instruction(id, edge.from, op, edge.to, edge.origin);
                }
            }
            at = end;
        }
    }

    /// Adds what may be emitted instead of an operation, between these two locations. Returns
    /// whether it covers the locked instruction.
    fn alternatives(
        &mut self,
        operation: &Operation,
        is_used: bool,
        unknown: &BTreeSet<RegId>,
        (from, to): (LocId, LocId),
    ) -> bool {
        let constant = operation.operand.as_const();
        if constant.is_some() || operation.op.is_none() {
            let Some(substitute) = operation.substitute(constant, is_used) else {
                return false;
            };
            self.warn(operation, substitute);
            self.alternative(operation, substitute, None, (from, to));
            return substitute == Substitute::Store;
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
                self.warn(operation, substitute);
                self.alternative(operation, substitute, Some(value), (from, to));
            }
        }
        false
    }

    /// Adds one alternative, guarded by the operand having this value.
    fn alternative(
        &mut self,
        operation: &Operation,
        substitute: Substitute,
        value: Option<i32>,
        (from, to): (LocId, LocId),
    ) {
        let mut ops = Vec::new();
        if let Some(value) = value {
            let operand = operation.operand.clone();
            let is = Expr::binary(BinaryOp::Eq, operand, Expr::Const(value));
            ops.push(Op::Assume(is));
        }
        let (into, addr) = (operation.into, operation.addr.clone());
        match substitute {
            Substitute::Nothing if ops.is_empty() => ops.push(Op::Skip),
            Substitute::Nothing => {}
            Substitute::Load => ops.push(Op::Load { into, addr }),
            Substitute::Store => {
                if operation.order == Order::Release {
                    ops.push(Op::Fence(Fence::Store));
                }
                // The absorbing operand is the stored value.
                let value = operation.operand.clone();
                ops.push(Op::Store { addr, value });
            }
        }
        let mut here = from;
        let last = ops.len() - 1;
        for (at, op) in ops.into_iter().enumerate() {
            let next = if at == last {
                to
            } else {
                self.location(&operation.span)
            };
            let origin = self.origin(&operation.span);
            self.builder.instruction(self.id, here, op, next, origin);
            here = next;
        }
    }

    fn warn(&mut self, operation: &Operation, substitute: Substitute) {
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
        self.report(
            Diagnostic::warning(message, operation.span.clone())
                .label(label)
                .note("`--compiler gcc` treats it as a locked instruction; `memory_order_seq_cst` makes it one"),
        );
    }
}

/// For each location, the registers whose values there something depends on that a compiler keeps.
fn live(edges: &[Edge], observed: &BTreeSet<RegId>) -> BTreeMap<LocId, BTreeSet<RegId>> {
    let mut into: BTreeMap<LocId, Vec<usize>> = BTreeMap::new();
    let mut left = BTreeSet::new();
    for (at, edge) in edges.iter().enumerate() {
        into.entry(edge.to).or_default().push(at);
        left.insert(edge.from);
    }
    let mut live: BTreeMap<LocId, BTreeSet<RegId>> = BTreeMap::new();
    let mut work: BTreeSet<usize> = (0..edges.len()).collect();
    for edge in edges {
        if !left.contains(&edge.to) {
            live.insert(edge.to, observed.clone());
        }
    }
    while let Some(at) = work.pop_last() {
        let edge = &edges[at];
        let mut before = live.get(&edge.to).cloned().unwrap_or_default();
        let target = edge.op.target();
        let is_wanted = target.is_none_or(|into| before.contains(&into));
        if let Some(into) = target {
            before.remove(&into);
        }
        // An unused assignment is not computed. Accesses stay.
        if is_wanted || edge.op.address().is_some() {
            for operand in edge.op.operands() {
                depends(operand, &mut before);
            }
        }
        let here = live.entry(edge.from).or_default();
        let known = here.len();
        here.extend(before);
        if here.len() > known {
            work.extend(into.get(&edge.from).into_iter().flatten());
        }
    }
    live
}

/// Adds the registers on which a value depends after folding what compilers fold.
fn depends(e: &E, registers: &mut BTreeSet<RegId>) {
    match e {
        Expr::Const(_) => {}
        Expr::Var(register) => {
            registers.insert(*register);
        }
        Expr::Unary(UnaryOp::Not | UnaryOp::BitNot | UnaryOp::Neg, a) => depends(a, registers),
        Expr::Binary(op, a, b) => {
            let is = |value: i32| folded(a) == Some(value) || folded(b) == Some(value);
            let same = a == b;
            let is_constant = match op {
                BinaryOp::BitAnd | BinaryOp::Mul | BinaryOp::And => is(0),
                BinaryOp::BitOr => is(-1),
                BinaryOp::Or => [a, b]
                    .into_iter()
                    .any(|e| folded(e).is_some_and(|value| value != 0)),
                BinaryOp::BitXor
                | BinaryOp::Sub
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge => same,
                BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Add | BinaryOp::Div => false,
                BinaryOp::Rem => matches!(folded(b), Some(1 | -1)),
            };
            if !is_constant {
                depends(a, registers);
                depends(b, registers);
            }
        }
        Expr::Conditional(parts) => {
            let [c, a, b] = &**parts;
            if a != b {
                depends(c, registers);
            }
            depends(a, registers);
            depends(b, registers);
        }
    }
}

/// The value of an expression that depends on no register.
fn folded(e: &E) -> Option<i32> {
    let mut registers = BTreeSet::new();
    depends(e, &mut registers);
    // Any values will do.
    registers.is_empty().then(|| e.eval(|_| 0))
}

/// The registers whose values come from memory, and which no compiler knows.
fn unknown(edges: &[Edge]) -> BTreeSet<RegId> {
    let mut unknown = BTreeSet::new();
    loop {
        let before = unknown.len();
        for edge in edges {
            let Some(into) = edge.op.target() else {
                continue;
            };
            let is_computed = matches!(&edge.op, Op::Assign { value, .. }
                if value.vars().iter().all(|register| !unknown.contains(register)));
            if !is_computed {
                unknown.insert(into);
            }
        }
        if unknown.len() == before {
            return unknown;
        }
    }
}
