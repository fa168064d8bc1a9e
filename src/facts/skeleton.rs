//! The behaviour of a program independent of arithmetic: its skeleton.
//!
//! A program with [limits](Program::limits) has a source with integers of any size, and stops where
//! a value leaves 32 bits. The skeleton is a program without limits that over-approximates the
//! source: the results of arithmetic, and all values that depend on them, are forgotten; a
//! condition that depends on one may be true or false.
//!
//! ```text
//! l0: r <- mem[count]; goto l1;                      l0: r <- mem[count]; goto l1;
//! l1: mem[count] <- r + 1; goto l2;        ──▶       l1: mem[count] <- 0; goto l2;
//! l2: s <- mem[flag]; goto l3;                       l2: s <- mem[flag]; goto l3;
//! l3: assume r == 7 && s == 1; goto l4;              l3: noop; goto l4;
//! l3: assume s == 0; goto l5;                        l3: assume s == 0; goto l5;
//! ```
//!
//! **Invariant.** For every execution of the source, with integers of any size, the skeleton has an
//! execution through the same locations, with the same accesses to the same cells in the same order
//! and the same happens-before relation, in which every register and cell that is not forgotten has
//! the same value. So behaviour that the skeleton does not have, the source does not have either.
//!
//! **Absent.** Programs with computed addresses, locked instructions, or assertions of their own, and
//! those that do not [continue past their limits](Program::continues_past_limits): there the source
//! may do what the program does not contain.

use crate::program::{Addr, BinaryOp, Expr, Op, Program, RegId, ThreadId, UnaryOp};
use std::collections::BTreeSet;

/// The skeleton of a program; `None` if it has none. All ids are kept.
pub fn skeleton(program: &Program) -> Option<Program> {
    if !program.continues_past_limits() {
        return None;
    }
    let after_limits = program.after_limits();
    let forgotten = Forgotten::of(program)?;
    let zero = Expr::Const(0);
    let plain = program.map_ops(|site, op| {
        let (thread, from) = (site.thread, program.instruction(site).from);
        let unknown = |e: &Expr<RegId>| forgotten.is_unknown(thread, e);
        match op {
            // The source continues even if its values do not fit into 32 bits.
            Op::Assert(_) => Op::Skip,
            Op::Assume(e) if unknown(e) || after_limits.contains(&(thread, from)) => Op::Skip,
            Op::Assign { into, value } if unknown(value) => Op::Assign {
                into: *into,
                value: zero.clone(),
            },
            Op::Store { addr, value } if unknown(value) => Op::Store {
                addr: addr.clone(),
                value: zero.clone(),
            },
            Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assume(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => op.clone(),
        }
    });
    Some(plain.without_limits())
}

/// The registers and cells that may hold results of arithmetic.
#[derive(Default)]
struct Forgotten {
    registers: BTreeSet<(ThreadId, RegId)>,
    cells: BTreeSet<Addr>,
}

impl Forgotten {
    /// Everything that has to be forgotten; `None` if the program has no skeleton.
    fn of(program: &Program) -> Option<Self> {
        let mut forgotten = Self::default();
        loop {
            let known = forgotten.registers.len() + forgotten.cells.len();
            for (site, i) in program.sites() {
                if program.limits().binary_search(&site).is_err() {
                    forgotten.step(program, site.thread, &i.op)?;
                }
            }
            if forgotten.registers.len() + forgotten.cells.len() == known {
                return Some(forgotten);
            }
        }
    }

    /// Forgets the results of an instruction that depend on forgotten values; `None` if the program
    /// has no skeleton.
    fn step(&mut self, program: &Program, thread: ThreadId, op: &Op) -> Option<()> {
        let cell = |addr: &Expr<RegId>| program.cell_at(addr.as_const()?);
        match op {
            Op::Assign { into, value } => {
                if self.is_unknown(thread, value) {
                    self.registers.insert((thread, *into));
                }
            }
            Op::Load { into, addr } => {
                if self.cells.contains(&cell(addr)?) {
                    self.registers.insert((thread, *into));
                }
            }
            Op::Store { addr, value } => {
                let cell = cell(addr)?;
                if self.is_unknown(thread, value) {
                    self.cells.insert(cell);
                }
            }
            Op::Rmw { .. } | Op::Assert(_) => return None,
            Op::Skip
            | Op::Havoc { .. }
            | Op::Assume(_)
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => {}
        }
        Some(())
    }

    fn is_unknown(&self, thread: ThreadId, e: &Expr<RegId>) -> bool {
        match e {
            Expr::Const(_) => false,
            Expr::Var(register) => self.registers.contains(&(thread, *register)),
            Expr::Unary(UnaryOp::Neg, _) => exact(e).is_none(),
            Expr::Unary(UnaryOp::Not | UnaryOp::BitNot, a) => self.is_unknown(thread, a),
            Expr::Binary(op, a, b) => match op {
                // Within 32 bits if the operands are.
                BinaryOp::Or
                | BinaryOp::And
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::BitAnd
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge => self.is_unknown(thread, a) || self.is_unknown(thread, b),
                BinaryOp::Shl
                | BinaryOp::Shr
                | BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::Div
                | BinaryOp::Rem => exact(e).is_none(),
            },
            Expr::Conditional(parts) => parts.iter().any(|part| self.is_unknown(thread, part)),
        }
    }
}

/// The value of sums and differences of constants, if none of them leaves 32 bits.
fn exact(e: &Expr<RegId>) -> Option<i32> {
    match e {
        Expr::Const(value) => Some(*value),
        Expr::Unary(UnaryOp::Neg, a) => exact(a)?.checked_neg(),
        Expr::Binary(BinaryOp::Add, a, b) => exact(a)?.checked_add(exact(b)?),
        Expr::Binary(BinaryOp::Sub, a, b) => exact(a)?.checked_sub(exact(b)?),
        Expr::Binary(BinaryOp::Mul, a, b) => exact(a)?.checked_mul(exact(b)?),
        Expr::Var(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(_) => None,
    }
}
