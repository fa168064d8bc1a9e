//! `X86_64` columns: AT&T's order, destination last. `movl $1,(x)`, `movq 8(%rax),%rbx`.

use super::super::types::Size;
use super::super::words::{Reader, Word};
use super::cell::Dialect;
use super::instruction::{Mem, Operand, Reg};
use super::x86::{bracketed, constant, displacement};
use crate::text::{Diagnostic, Span};

/// The dialect of tests whose first word is `X86_64`.
pub(super) struct X86_64;

impl Dialect for X86_64 {
    fn operand(&self, reader: &mut Reader<'_, '_>) -> Result<(Operand, Option<Size>), Diagnostic> {
        Ok((operand(reader)?, None))
    }

    fn order(&self, operands: &mut Vec<(Operand, Span)>) {
        operands.reverse();
    }
}

fn operand(reader: &mut Reader<'_, '_>) -> Result<Operand, Diagnostic> {
    if reader.take("$") {
        return constant(reader);
    }
    if reader.is("(") {
        return Ok(Operand::Memory(parenthesised(reader, 0)?));
    }
    if reader.is("[") {
        return Err(intel(
            "`[` in an operand",
            reader.span(),
            "memory is accessed as `(x)`",
        ));
    }
    let start = reader.span();
    if reader.is("-") || matches!(reader.peek(), Some(Word::Number(_))) {
        let (number, span) = reader.number()?;
        if reader.is("(") {
            return Ok(Operand::Memory(parenthesised(reader, number)?));
        }
        let hint = "absolute addresses are not supported; an immediate needs a `$`";
        return Err(
            Diagnostic::error("this is not the address of a shared variable", span).label(hint),
        );
    }
    let percent = reader.take("%");
    let (name, span) = reader.name("an operand")?;
    match (Reg::named(name), percent) {
        (Some(reg), true) => return Ok(Operand::Register(reg)),
        (Some(_), false) => return Err(bare(name, span)),
        (None, true) => {
            return Err(Diagnostic::error(
                format!("`{name}` is not a register"),
                span,
            ));
        }
        (None, false) => {}
    }
    let offset = displacement(reader)?;
    // `x` and `x(%rip)` are the location with this name.
    if reader.take("(") {
        reader.take("%");
        let (base, place) = reader.name("`%rip`")?;
        if !base.eq_ignore_ascii_case("rip") {
            return Err(Diagnostic::error(
                "an address cannot have both a variable name and a register",
                start.start..place.end,
            )
            .label("only a constant can be added to a register"));
        }
        reader.sign(")")?;
    }
    Ok(Operand::Memory(Mem::Cell(name.to_owned(), offset)))
}

/// `(x)` or `(%rax)` after a displacement. Requires that the parenthesis comes next.
fn parenthesised(reader: &mut Reader<'_, '_>, before: i64) -> Result<Mem, Diagnostic> {
    let percent = reader.peek_at(1) == Some(Word::Sign("%"));
    let named = reader.peek_at(1 + usize::from(percent));
    let start = reader.span().start;
    let mem = bracketed(reader, "(", ")")?;
    let span = start..reader.last_end();
    match (&mem, named) {
        (Mem::Through(..), Some(Word::Name(name))) if !percent => Err(bare(name, span)),
        (Mem::Cell(name, _), _) if percent => Err(Diagnostic::error(
            format!("`{name}` is not a register"),
            span,
        )),
        (Mem::Through(..) | Mem::Cell(..), _) => Ok(mem.plus(before)),
    }
}

/// A register in the syntax of the other dialect.
fn bare(name: &str, span: Span) -> Diagnostic {
    let hint = format!("write `%{name}`");
    intel(&format!("the register `{name}` without `%`"), span, &hint)
}

/// Syntax of `X86` only. It implies that dialect's operand order, so a load would become a store.
fn intel(what: &str, span: Span, hint: &str) -> Diagnostic {
    Diagnostic::error(format!("{what}: this is `X86` syntax"), span)
        .label(hint)
        .note("`X86_64` uses AT&T syntax, with the destination last: `movl (x),%eax`")
}
