//! `X86_64` columns: AT&T's order, destination last. `movl $1,(x)`, `movq (%rax),%rbx`.

use super::super::super::diagnostic::{Diagnostic, Span};
use super::super::types::Size;
use super::super::words::{Reader, Word};
use super::cell::Dialect;
use super::instruction::{Mem, Operand, Reg};
use super::x86::{bracketed, constant, through};

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
        return Ok(Operand::Memory(bracketed(reader, "(", ")")?));
    }
    if reader.is("[") {
        return Ok(Operand::Memory(bracketed(reader, "[", "]")?));
    }
    let start = reader.span();
    if reader.is("-") || matches!(reader.peek(), Some(Word::Number(_))) {
        let (number, span) = reader.number()?;
        if reader.is("(") && number == 0 {
            return Ok(Operand::Memory(bracketed(reader, "(", ")")?));
        }
        let hint = if reader.is("(") {
            "a displacement leads into another cell, and cells have no order"
        } else {
            "an absolute address; an immediate is written with `$`"
        };
        return Err(Diagnostic::error("an address that is no cell's", span).label(hint));
    }
    let percent = reader.take("%");
    let (name, span) = reader.name("an operand")?;
    if let Some(reg) = Reg::named(name) {
        return Ok(Operand::Register(reg));
    }
    if percent {
        return Err(Diagnostic::error(format!("`{name}` is no register"), span));
    }
    // `x` and `x(%rip)` are the cell of this name.
    if reader.take("(") {
        reader.take("%");
        let (base, place) = reader.name("`%rip`")?;
        if !base.eq_ignore_ascii_case("rip") {
            return Err(Diagnostic::error(
                "a cell's name and a register in one address",
                start.start..place.end,
            )
            .label("neither displacement nor index is supported"));
        }
        reader.sign(")")?;
        return Ok(Operand::Memory(Mem::Cell(name.to_owned())));
    }
    Ok(Operand::Memory(through(name, span)?))
}
