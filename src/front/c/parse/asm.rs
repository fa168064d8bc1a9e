//! Inline assembly.
//!
//! A template is taken apart into its instructions (`template`), of which those in a table are known
//! (`table`). Its operands are evaluated as their constraints say (`constraint`, `operands`, `registers`), and what the
//! instructions do to them (`expand`, `access`, `flags`) becomes statements on the built-in operations (`operations`,
//! `values`), so nothing after the parser knows of assembly but fences.
//!
//! ```text
//!     asm volatile("lock; xaddl %0,%1" : "+r"(n), "+m"(*p));
//!
//!     { int r = n; int *q = p; int old = fetch_add(q, r); r = old; n = r; }
//! ```
//!
//! The instructions are those of the machine, in the order of the text. Whether compilers move other
//! accesses over them is up to `memory` among the clobbers: with it, the statement is a compiler barrier on
//! both sides, and without it, it orders nothing that data races are about. That compilers may leave out or
//! merge assembly that is not `volatile` and has outputs is not modelled; a warning says so.

mod access;
mod constraint;
mod expand;
mod flags;
mod operands;
mod operations;
mod registers;
mod table;
mod template;
mod values;

use super::Parser;
use crate::c::check::{Checked, Operand, to};
use crate::c::token::TokenKind;
use crate::lower::typed::{Asm, BinaryOp, Stmt, StmtKind};
use crate::text::Place;
use operands::Assembly;
use table::Action;
use template::{Argument, Instruction, instructions};

/// An operand as it is written.
struct Part {
    name: Option<String>,
    constraint: String,
    place: Place,
    operand: Operand,
}

/// What follows a template.
#[derive(Default)]
struct Parts {
    outputs: Vec<Part>,
    inputs: Vec<Part>,
    clobbers: Vec<String>,
    /// How many colons there are.
    sections: usize,
}

impl Parser<'_> {
    /// `asm volatile ("template" : outputs : inputs : clobbers);`
    pub(super) fn assembly(&mut self) -> Checked<Stmt> {
        let start = self.at;
        self.at += 1;
        let mut volatile = false;
        while let Some(
            word @ ("volatile" | "__volatile__" | "__volatile" | "inline" | "__inline__"),
        ) = self.word()
        {
            volatile |= word.contains("volatile");
            self.at += 1;
        }
        if self.is_word("goto") {
            let message = "`asm goto` is not supported";
            return Err(self.check.error(message, self.place()));
        }
        self.expect("(")?;
        let place = self.place();
        let Some(TokenKind::String(template)) = self.kind() else {
            return Err(self.unexpected("a template"));
        };
        self.at += 1;
        let parts = self.parts()?;
        let known = instructions(template, parts.sections > 0);
        let known = known.map_err(|unknown| {
            self.check.error_with(
                format!("unknown inline assembly `{unknown}`"),
                place,
                "known are moves, exchanges and arithmetic with and without `lock`, fences and the like, \
                 in AT&T syntax; use `__atomic` built-ins for others",
            )
        })?;
        self.expect(")")?;
        if !self.is(";") {
            return Err(self.unexpected("`;`"));
        }
        let all = to(self.since(start), self.place());
        let kind = self.expanded(&known, parts, volatile, all)?;
        self.expect(";")?;
        Ok(self.made(kind, start))
    }

    fn expanded(
        &mut self,
        known: &[Instruction],
        parts: Parts,
        volatile: bool,
        place: Place,
    ) -> Checked<StmtKind> {
        let memory = parts.clobbers.iter().any(|name| name == "memory");
        let is_plain = parts.outputs.is_empty() && parts.inputs.is_empty();
        if let Some(strongest) = fence(known).filter(|_| is_plain) {
            let is_barrier = memory && strongest == Asm::Nothing;
            return Ok(StmtKind::Asm(if is_barrier {
                Asm::CompilerBarrier
            } else {
                strongest
            }));
        }
        if !volatile && !parts.outputs.is_empty() && !known.is_empty() {
            let message =
                "compilers may merge inline assembly that is not `volatile`, or leave it out";
            self.check.warn(message, place);
        }
        let (outputs, inputs) = (parts.outputs, parts.inputs);
        let check = &mut self.check;
        let mut assembly = Assembly::of(check, outputs, inputs, parts.clobbers, place)?;
        if memory {
            assembly.statement(StmtKind::Asm(Asm::CompilerBarrier));
        }
        assembly.instructions(known)?;
        if memory && !known.is_empty() {
            assembly.statement(StmtKind::Asm(Asm::CompilerBarrier));
        }
        assembly.finish()?;
        Ok(StmtKind::Block(assembly.statements))
    }

    /// The operands and the clobbers.
    fn parts(&mut self) -> Checked<Parts> {
        let mut parts = Parts::default();
        while self.is(":") || self.is("::") {
            parts.sections += if self.is("::") { 2 } else { 1 };
            self.at += 1;
            while !self.is(":") && !self.is("::") && !self.is(")") {
                let name = self.operand_name()?;
                let place = self.place();
                let Some(TokenKind::String(text)) = self.kind() else {
                    return Err(self.unexpected("a string"));
                };
                self.at += 1;
                if parts.sections < 3 {
                    self.expect("(")?;
                    let operand = self.full_expression()?;
                    self.expect(")")?;
                    let part = Part {
                        name,
                        constraint: text.clone(),
                        place,
                        operand,
                    };
                    if parts.sections == 1 {
                        parts.outputs.push(part);
                    } else {
                        parts.inputs.push(part);
                    }
                } else {
                    parts.clobbers.push(text.clone());
                }
                if !self.eat(",") {
                    break;
                }
            }
        }
        Ok(parts)
    }

    /// `[name]`
    fn operand_name(&mut self) -> Checked<Option<String>> {
        if !self.eat("[") {
            return Ok(None);
        }
        let Some(name) = self.word() else {
            return Err(self.unexpected("a name"));
        };
        self.at += 1;
        self.expect("]")?;
        Ok(Some(name.to_owned()))
    }
}

/// What all instructions do together, if they are fences or nothing.
fn fence(all: &[Instruction]) -> Option<Asm> {
    let mut strongest = Asm::Nothing;
    for one in all {
        let this = match (one.action, &*one.arguments) {
            (Action::Nothing, _) if !one.locked => Asm::Nothing,
            (Action::FullFence, _) if !one.locked => Asm::FullFence,
            (Action::StoreFence, _) if !one.locked => Asm::StoreFence,
            (Action::Combine(op), [Argument::Constant(0), Argument::Stack])
                if one.locked && op != BinaryOp::BitAnd =>
            {
                Asm::FullFence
            }
            _ => return None,
        };
        strongest = match (strongest, this) {
            (Asm::FullFence, _) | (_, Asm::FullFence) => Asm::FullFence,
            (Asm::StoreFence, _) | (_, Asm::StoreFence) => Asm::StoreFence,
            (Asm::Nothing | Asm::CompilerBarrier, Asm::Nothing | Asm::CompilerBarrier) => {
                Asm::Nothing
            }
        };
    }
    Some(strongest)
}
