//! Automata as in the text: one global lock instead of atomic blocks, integers instead of cells.
//!
//! **Invariant.** Every state, register and thread number is an index into the vectors here, and
//! expressions use only the operators of [`SIGNS`]. So automata can be analysed, laid out and
//! written whether they come from the parser or from the printer.

use crate::program::{BinaryOp, Expr, RegId, UnaryOp};
use crate::text::Span;
use std::fmt::Write as _;

/// The binary operators, as they are written.
pub(super) const SIGNS: [(&str, BinaryOp); 12] = [
    ("==", BinaryOp::Eq),
    ("!=", BinaryOp::Ne),
    ("<", BinaryOp::Lt),
    ("<=", BinaryOp::Le),
    (">", BinaryOp::Gt),
    (">=", BinaryOp::Ge),
    ("&&", BinaryOp::And),
    ("||", BinaryOp::Or),
    ("+", BinaryOp::Add),
    ("-", BinaryOp::Sub),
    ("*", BinaryOp::Mul),
    ("&", BinaryOp::BitAnd),
];

/// The only unary operator.
pub(super) const NOT: &str = "!";

/// An expression has at most this many operators: everything that traverses one is recursive, and a
/// program printed in the Fencepost language, with parentheses, must parse again.
pub(super) const MOST_OPERATORS: usize = 100;

/// A name and where it was first written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) span: Span,
}

/// An expression and its span.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) e: Expr<RegId>,
    pub(super) span: Span,
}

/// What a transition does.
#[derive(Clone, Debug)]
pub(super) enum Instr {
    Read { into: RegId, addr: Operand },
    Write { value: Operand, addr: Operand },
    Mfence,
    Local { into: RegId, value: Operand },
    Check(Operand),
    Noop,
    Lock,
    Unlock,
}

/// An edge between states.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) instr: Instr,
    /// The span of all of it.
    pub(super) span: Span,
    /// The span of its instruction.
    pub(super) does: Span,
}

/// One thread.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    pub(super) name: Named,
    pub(super) states: Vec<Named>,
    pub(super) registers: Vec<Named>,
    pub(super) initial: usize,
    /// Goal states, each with the span of its line.
    pub(super) finals: Vec<(usize, Span)>,
    pub(super) transitions: Vec<Transition>,
}

impl Instr {
    /// The expressions it evaluates.
    pub(super) fn operands(&self) -> Vec<&Operand> {
        match self {
            Instr::Read { addr: e, .. } | Instr::Local { value: e, .. } | Instr::Check(e) => {
                vec![e]
            }
            Instr::Write { value, addr } => vec![value, addr],
            Instr::Mfence | Instr::Noop | Instr::Lock | Instr::Unlock => Vec::new(),
        }
    }

    /// The address, if memory is accessed.
    pub(super) fn addr(&self) -> Option<&Operand> {
        match self {
            Instr::Read { addr, .. } | Instr::Write { addr, .. } => Some(addr),
            Instr::Mfence
            | Instr::Local { .. }
            | Instr::Check(_)
            | Instr::Noop
            | Instr::Lock
            | Instr::Unlock => None,
        }
    }
}

impl Automaton {
    /// An expression in prefix notation, as the reader parses it.
    pub(super) fn show(&self, e: &Expr<RegId>) -> String {
        let mut out = String::new();
        self.write(e, &mut out);
        out
    }

    fn write(&self, e: &Expr<RegId>, out: &mut String) {
        match e {
            Expr::Const(c) => {
                let _ = write!(out, "{c}");
            }
            Expr::Var(reg) => out.push_str(&self.registers[reg.index()].name),
            Expr::Unary(op, a) => {
                out.push_str(match op {
                    UnaryOp::Not => NOT,
                    UnaryOp::BitNot => "- -1",
                    UnaryOp::Neg => "- 0",
                });
                out.push(' ');
                self.write(a, out);
            }
            Expr::Binary(op, a, b) => {
                let sign = SIGNS.iter().find(|(_, known)| known == op);
                let _ = write!(out, "{} ", sign.map_or("?", |(sign, _)| sign));
                self.write(a, out);
                out.push(' ');
                self.write(b, out);
            }
            Expr::Conditional(parts) => {
                out.push('?');
                for part in parts.iter() {
                    out.push(' ');
                    self.write(part, out);
                }
            }
        }
    }
}
