//! X86 columns: Intel's order, destination first. `MOV EAX,[x]`, `XCHG [x],EAX`, `MOV [x+4],$1`.

use super::super::types::Size;
use super::super::words::{Reader, Word};
use super::cell::Dialect;
use super::instruction::{Mem, Operand, Reg};
use crate::text::{Diagnostic, Span};

/// The dialect of tests whose first word is `X86`.
pub(super) struct X86;

impl Dialect for X86 {
    fn operand(&self, reader: &mut Reader<'_, '_>) -> Result<(Operand, Option<Size>), Diagnostic> {
        let size = pointer_size(reader);
        let register = usize::from(reader.is("["));
        if reader.is("(") || reader.peek_at(register) == Some(Word::Sign("%")) {
            // AT&T syntax implies the other operand order, so a load would become a store.
            let message = "AT&T operand: this is `X86_64` syntax";
            return Err(Diagnostic::error(message, reader.span())
                .label("`X86` uses Intel syntax: `MOV EAX,[x]`"));
        }
        let operand = if reader.take("$") {
            constant(reader)?
        } else if reader.is("[") {
            Operand::Memory(bracketed(reader, "[", "]")?)
        } else if reader.is("-") || matches!(reader.peek(), Some(Word::Number(_))) {
            Operand::Immediate(reader.number()?.0)
        } else {
            let (name, span) = reader.name("an operand")?;
            let Some(reg) = Reg::named(name) else {
                return Err(
                    Diagnostic::error(format!("`{name}` is not a register"), span)
                        .label(format!("to access memory, write `[{name}]`")),
                );
            };
            Operand::Register(reg)
        };
        Ok((operand, size))
    }

    fn order(&self, _: &mut Vec<(Operand, Span)>) {}
}

/// `dword ptr`, if it comes next.
fn pointer_size(reader: &mut Reader<'_, '_>) -> Option<Size> {
    let Some(Word::Name(word)) = reader.peek() else {
        return None;
    };
    let size = match word.to_ascii_lowercase().as_str() {
        "byte" => Size::Byte,
        "word" => Size::Word,
        "dword" => Size::Long,
        "qword" => Size::Quad,
        _ => return None,
    };
    reader.next();
    if matches!(reader.peek(), Some(Word::Name(word)) if word.eq_ignore_ascii_case("ptr")) {
        reader.next();
    }
    Some(size)
}

/// The operand after `$`: a number, or the name of a cell for its address.
pub(super) fn constant(reader: &mut Reader<'_, '_>) -> Result<Operand, Diagnostic> {
    if let Some(Word::Name(name)) = reader.peek() {
        reader.next();
        return Ok(Operand::AddressOf(name.to_owned()));
    }
    Ok(Operand::Immediate(reader.number()?.0))
}

/// A name or a register between brackets, with a constant added. Requires that the opening bracket comes
/// next.
pub(super) fn bracketed(
    reader: &mut Reader<'_, '_>,
    open: &str,
    close: &str,
) -> Result<Mem, Diagnostic> {
    reader.sign(open)?;
    reader.take("%");
    let (name, span) = reader.name("a shared variable or a register")?;
    let offset = displacement(reader)?;
    if !reader.is(close) {
        return Err(reader
            .expected(&format!("`{close}`"))
            .note("an address is a variable name or a register, plus a constant; indices are not supported"));
    }
    reader.next();
    through(name, offset, span)
}

/// `+4` or `-4`, if it comes next.
pub(super) fn displacement(reader: &mut Reader<'_, '_>) -> Result<i64, Diagnostic> {
    if reader.take("+") || reader.is("-") {
        return Ok(reader.number()?.0);
    }
    Ok(0)
}

/// The memory that a name denotes.
fn through(name: &str, offset: i64, span: Span) -> Result<Mem, Diagnostic> {
    match Reg::named(name) {
        None => Ok(Mem::Cell(name.to_owned(), offset)),
        Some(reg) if matches!(reg.size, Size::Long | Size::Quad) => {
            Ok(Mem::Through(reg.number, offset))
        }
        Some(_) => Err(Diagnostic::error(
            format!("the register `{name}` is too narrow for an address"),
            span,
        )),
    }
}
