//! Inline assembly: the templates whose meaning is known.
//!
//! A template is taken apart into its instructions; each must be known. Its operands may be read, and
//! written only by templates that leave them as they are, as compilers are told by `"+"`.

use super::Parser;
use crate::c::check::Checked;
use crate::c::token::TokenKind;
use crate::lower::typed::{Asm, Stmt, StmtKind};

impl Parser<'_> {
    /// `asm volatile ("template" : outputs : inputs : clobbers);`
    pub(super) fn assembly(&mut self) -> Checked<Stmt> {
        let start = self.at;
        self.at += 1;
        while matches!(
            self.word(),
            Some("volatile" | "__volatile__" | "__volatile" | "inline" | "__inline__")
        ) {
            self.at += 1;
        }
        if self.is_word("goto") {
            let message = "`asm goto` is not supported";
            return Err(self.check.error(message, self.place()));
        }
        let open = self.at;
        self.expect("(")?;
        let place = self.place();
        let Some(TokenKind::String(template)) = self.kind() else {
            return Err(self.unexpected("a template"));
        };
        self.at += 1;
        let Some(meaning) = meaning(template) else {
            return Err(self.check.error_with(
                format!("unknown inline assembly `{template}`"),
                place,
                "known are the empty template, `mfence`, `sfence`, `lfence`, `pause`, `nop` and \
                 locked instructions that add 0 to the stack; use `__atomic` built-ins for others",
            ));
        };
        let meaning = match (meaning, self.operands()?) {
            (Asm::Nothing, true) => Asm::CompilerBarrier,
            (meaning, _) => meaning,
        };
        self.expect(")")?;
        if let Some(closed) = self.brackets.other(open) {
            self.at = closed + 1;
        }
        self.expect(";")?;
        Ok(self.made(StmtKind::Asm(meaning), start))
    }

    /// Whether `memory` is among the clobbers.
    fn operands(&mut self) -> Checked<bool> {
        let (mut section, mut memory) = (0, false);
        while self.is(":") || self.is("::") {
            section += if self.is("::") { 2 } else { 1 };
            self.at += 1;
            while !self.is(":") && !self.is("::") && !self.is(")") {
                if self.is("[")
                    && let Some(closed) = self.brackets.other(self.at)
                {
                    self.at = closed + 1;
                }
                let place = self.place();
                let Some(TokenKind::String(constraint)) = self.kind() else {
                    return Err(self.unexpected("a string"));
                };
                memory |= section == 3 && constraint == "memory";
                self.at += 1;
                if section == 1 && constraint.starts_with('=') {
                    let message = "inline assembly that writes to its operands is not supported";
                    let note = "compute the value in C, or with `__atomic` built-ins";
                    return Err(self.check.error_with(message, place, note));
                }
                if section < 3 {
                    self.expect("(")?;
                    let operand = self.unevaluated(Self::expression)?;
                    let _ = operand;
                    self.expect(")")?;
                }
                if !self.eat(",") {
                    break;
                }
            }
        }
        Ok(memory)
    }
}

/// What all instructions of a template do together, if each is known.
fn meaning(template: &str) -> Option<Asm> {
    let text = template.to_ascii_lowercase().replace('\t', " ");
    let mut strongest = Asm::Nothing;
    let mut locked = false;
    for part in text.split([';', '\n']) {
        let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
        let instruction = part.strip_prefix("lock ").unwrap_or(&part);
        let has_lock = locked || instruction.len() < part.len();
        let one = match instruction {
            "lock" => {
                locked = true;
                continue;
            }
            "" | "nop" | "pause" | "rep" | "rep nop" | "lfence" if !has_lock => Asm::Nothing,
            "mfence" if !has_lock => Asm::FullFence,
            "sfence" if !has_lock => Asm::StoreFence,
            _ if has_lock && changes_nothing(instruction) => Asm::FullFence,
            _ => return None,
        };
        locked = false;
        strongest = match (strongest, one) {
            (Asm::FullFence, _) | (_, Asm::FullFence) => Asm::FullFence,
            (Asm::StoreFence, _) | (_, Asm::StoreFence) => Asm::StoreFence,
            (Asm::Nothing | Asm::CompilerBarrier, Asm::Nothing | Asm::CompilerBarrier) => {
                Asm::Nothing
            }
        };
    }
    (!locked).then_some(strongest)
}

/// `addl $0,0(%%esp)` and the like: the stack is as it was.
fn changes_nothing(instruction: &str) -> bool {
    let Some((name, operands)) = instruction.split_once(' ') else {
        return false;
    };
    let operands = operands.replace([' ', '%'], "");
    let Some(to) = operands
        .strip_prefix("$0,")
        .or(operands.strip_prefix("$0x0,"))
    else {
        return false;
    };
    let Some((offset, register)) = to.split_once('(') else {
        return false;
    };
    let offset = offset.strip_prefix('-').unwrap_or(offset);
    matches!(
        name,
        "add" | "addl" | "addq" | "or" | "orl" | "orq" | "orb" | "addb"
    ) && offset.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(register, "esp)" | "rsp)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_known_by_their_instructions() {
        for (template, expected) in [
            ("", Some(Asm::Nothing)),
            ("\n\t", Some(Asm::Nothing)),
            ("pause", Some(Asm::Nothing)),
            ("rep; nop", Some(Asm::Nothing)),
            ("mfence", Some(Asm::FullFence)),
            (" MFENCE \n", Some(Asm::FullFence)),
            ("sfence", Some(Asm::StoreFence)),
            ("lfence", Some(Asm::Nothing)),
            ("sfence; lfence", Some(Asm::StoreFence)),
            ("lock; addl $0,0(%%esp)", Some(Asm::FullFence)),
            ("lock addl $0, -4(%%rsp)", Some(Asm::FullFence)),
            ("lock; orq $0x0,(%%rsp)", Some(Asm::FullFence)),
            ("lock; addl $1,0(%%esp)", None),
            ("addl $0,0(%%esp)", None),
            ("lock; mfence", None),
            ("lock", None),
            ("lock; lock", None),
            ("xchg %0,%1", None),
            ("lock; cmpxchgl %1,%2", None),
            ("sync", None),
        ] {
            assert_eq!(meaning(template), expected, "{template:?}");
        }
    }
}
