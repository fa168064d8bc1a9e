//! One cell of the columns: labels, a prefix, an instruction and its operands.

use super::super::types::Size;
use super::super::words::{Placed, Reader, Word};
use super::instruction::{Code, Instruction, MNEMONICS, Opcode, Operand, mnemonic};
use crate::text::{Diagnostic, Span, nearest};

/// How a dialect writes operands.
pub(super) trait Dialect {
    /// One operand, with the size that it specifies.
    fn operand(&self, reader: &mut Reader<'_, '_>) -> Result<(Operand, Option<Size>), Diagnostic>;

    /// Puts the destination first.
    fn order(&self, operands: &mut Vec<(Operand, Span)>);
}

/// Parses a cell and appends it to a thread's code.
pub(super) fn read(
    dialect: &dyn Dialect,
    words: &[Placed<'_>],
    end: usize,
    code: &mut Code,
) -> Result<(), Diagnostic> {
    let mut reader = Reader::new(words, end);
    while let (Some(Word::Name(label)), Some(Word::Sign(":"))) = (reader.peek(), reader.peek_at(1))
    {
        let span = reader.span();
        reader.next();
        reader.next();
        code.labels
            .push((label.to_owned(), code.instructions.len(), span));
    }
    if reader.is_done() {
        return Ok(());
    }
    let start = reader.span().start;
    let lock = matches!(reader.peek(), Some(Word::Name(word)) if word.eq_ignore_ascii_case("lock"));
    if lock {
        reader.next();
        reader.take(";");
    }
    let (word, span) = reader.name("an instruction")?;
    let Some((kind, mut size)) = mnemonic(word) else {
        let near = nearest(&word.to_ascii_lowercase(), MNEMONICS.into_iter());
        let hint = near.map_or_else(
            || "not a supported instruction".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        return Err(
            Diagnostic::error(format!("unknown instruction `{word}`"), span)
                .label(hint)
                .note(
                    "supported instructions: mov, movzx, movsx, lea, xchg, xadd, cmpxchg, inc, dec, neg, not, add, \
                     sub, xor, and, or, cmp, test, jmp, conditional jumps, mfence, sfence, lfence, \
                     nop, pause, endbr64 and ret, and the prefix lock",
                ),
        );
    };
    let mut operands = Vec::new();
    let mut target = None;
    if matches!(kind, Opcode::Jump | Opcode::JumpIf(_)) {
        let (label, place) = reader.name("a label")?;
        target = Some((label.to_owned(), place));
    } else if !reader.is_done() {
        loop {
            let from = reader.span().start;
            let (operand, own_size) = dialect.operand(&mut reader)?;
            size = size.or(own_size);
            operands.push((operand, from..reader.last_end()));
            if !reader.take(",") {
                break;
            }
        }
        dialect.order(&mut operands);
    }
    if !reader.is_done() {
        return Err(reader.expected("the end of the instruction"));
    }
    let span = start..reader.last_end();
    code.instructions.push(Instruction {
        kind,
        lock,
        size,
        operands,
        target,
        span,
    });
    Ok(())
}
