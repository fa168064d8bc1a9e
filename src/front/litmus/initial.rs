//! The initial state: `{ x=1; 0:EAX=2; uint64_t* p=x; int a[2]={1,2}; }`.
//!
//! Everything else is 0. An entry that cannot be parsed is reported and left out.

use super::memory::{Memory, Value};
use super::types::{self, Type};
use super::words::{Placed, Reader, Word};
use crate::text::{Diagnostic, Span};

/// An array has at most this many elements.
const LONGEST_ARRAY: i64 = 1_000;

/// The initial value of a register.
#[derive(Clone, Debug)]
pub(super) struct RegisterInit {
    pub(super) thread: i64,
    pub(super) name: String,
    pub(super) place: Span,
    pub(super) declared: Option<Type>,
    pub(super) value: (Value, Span),
}

/// Parses the words between the braces; cells are added to the memory.
pub(super) fn read(
    words: &[Placed<'_>],
    end: usize,
    memory: &mut Memory,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<RegisterInit> {
    let mut registers: Vec<RegisterInit> = Vec::new();
    let mut reader = Reader::new(words, end);
    while !reader.is_done() {
        if reader.take(";") {
            continue;
        }
        match entry(&mut reader, memory) {
            Ok(Some(register)) => {
                let before = registers
                    .iter()
                    .find(|r| r.thread == register.thread && r.name == register.name);
                if let Some(before) = before {
                    diagnostics.push(twice(&register.name, &register.place, &before.place));
                } else {
                    registers.push(register);
                }
            }
            Ok(None) => {}
            Err(diagnostic) => {
                diagnostics.push(diagnostic);
                reader.skip_past(";");
            }
        }
    }
    // A value may name a cell that is declared later, or nowhere else.
    let registers_values = registers.iter().map(|register| &register.value);
    let cells_values: Vec<(Value, Span)> = memory
        .regions()
        .iter()
        .flat_map(|region| region.init.clone())
        .collect();
    for (value, span) in registers_values.chain(&cells_values) {
        if let Value::Address(name) = value {
            let region = memory.mention(name, span);
            memory.mark_used(region);
        }
    }
    registers
}

fn twice(name: &str, span: &Span, first: &Span) -> Diagnostic {
    Diagnostic::error(format!("`{name}` has two initial values"), span.clone())
        .label("again here")
        .other(first.clone(), "first here")
}

fn entry(
    reader: &mut Reader<'_, '_>,
    memory: &mut Memory,
) -> Result<Option<RegisterInit>, Diagnostic> {
    let start = reader.span().start;
    let declared = types::read(reader);
    let type_place = start..reader.last_end().max(start);
    // Some tests write `*x = 1` for `x = 1`.
    if declared.is_none() && reader.take("*") && reader.is("*") {
        return Err(reader.expected("a shared variable or a register"));
    }
    let bracket = reader.take("[");
    if let Some((thread, name, place)) = register(reader)? {
        let value = initial_value(reader, &place)?;
        if value.len() > 1 {
            return Err(Diagnostic::error("a register has a single value", place));
        }
        end(reader)?;
        return Ok(value.into_iter().next().map(|value| RegisterInit {
            thread,
            name,
            place,
            declared,
            value,
        }));
    }
    let (name, place) = reader.name("a shared variable or a register")?;
    if bracket {
        reader.sign("]")?;
    }
    let mut len = None;
    if !bracket && reader.take("[") {
        let (number, span) = if reader.is("]") {
            (0, reader.span())
        } else {
            reader.number()?
        };
        if !(0..=LONGEST_ARRAY).contains(&number) {
            let message = format!("an array has between 1 and {LONGEST_ARRAY} elements");
            return Err(Diagnostic::error(message, span));
        }
        reader.sign("]")?;
        len = Some(number as usize);
    }
    let mut values = initial_value(reader, &place)?;
    end(reader)?;
    match len {
        None if values.len() > 1 => {
            return Err(Diagnostic::error(
                format!("`{name}` is not an array"),
                place,
            ));
        }
        Some(len) if len > 0 && values.len() > len => {
            return Err(Diagnostic::error(
                format!("`{name}` has more initial values than elements"),
                place,
            ));
        }
        Some(len) => values.resize(len.max(values.len()), (Value::Number(0), place.clone())),
        None => {}
    }
    if let Some(first) = memory.find(name) {
        return Err(twice(name, &place, &memory.region(first).mention));
    }
    let declared = declared.map(|kind| (kind, type_place));
    let region = memory.declare(name, values, len.is_some(), declared, &place);
    memory.mark_used(region);
    Ok(None)
}

/// `0:EAX`, `P0:EAX` or `0:%rax`, if that comes next.
pub(super) fn register(
    reader: &mut Reader<'_, '_>,
) -> Result<Option<(i64, String, Span)>, Diagnostic> {
    if reader.peek_at(1) != Some(Word::Sign(":")) {
        return Ok(None);
    }
    let start = reader.span().start;
    let thread = match reader.peek() {
        Some(Word::Number(thread)) => Some(thread),
        Some(Word::Name(name)) => thread_number(name),
        Some(Word::Sign(_)) | None => None,
    };
    let Some(thread) = thread else {
        return Err(reader.expected("a thread, as in `0:EAX`"));
    };
    reader.next();
    reader.next();
    reader.take("%");
    let (name, span) = reader.name("a register")?;
    Ok(Some((thread, name.to_owned(), start..span.end)))
}

/// The number in `P0`.
pub(super) fn thread_number(name: &str) -> Option<i64> {
    let digits = name.strip_prefix('P')?;
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

/// The value after `=`; 0 if there is none.
fn initial_value(
    reader: &mut Reader<'_, '_>,
    place: &Span,
) -> Result<Vec<(Value, Span)>, Diagnostic> {
    if !reader.take("=") {
        return Ok(vec![(Value::Number(0), place.clone())]);
    }
    if !reader.take("{") {
        return Ok(vec![value(reader)?]);
    }
    let mut values = Vec::new();
    loop {
        if reader.take("}") {
            break;
        }
        values.push(value(reader)?);
        if !reader.take(",") {
            reader.sign("}")?;
            break;
        }
    }
    if values.is_empty() {
        values.push((Value::Number(0), place.clone()));
    }
    Ok(values)
}

/// `1`, `-1`, `x`, `&x`, `&a[0]` or `ATOMIC_INIT(1)`.
pub(super) fn value(reader: &mut Reader<'_, '_>) -> Result<(Value, Span), Diagnostic> {
    let start = reader.span().start;
    let ampersand = reader.take("&");
    if let Some(Word::Name(name)) = reader.peek() {
        reader.next();
        let is_init = name == "ATOMIC_INIT" || name == "ATOMIC_VAR_INIT";
        if is_init && !ampersand && reader.take("(") {
            let number = reader.number()?;
            reader.sign(")")?;
            return Ok((Value::Number(number.0), start..reader.last_end()));
        }
        if reader.take("[") {
            let (index, place) = reader.number()?;
            if index != 0 {
                let message = "only the address of the first element can be an initial value";
                return Err(Diagnostic::error(message, place));
            }
            reader.sign("]")?;
        }
        let span = start..reader.last_end();
        return Ok((Value::Address(name.to_owned()), span));
    }
    if ampersand {
        return Err(reader.expected("a shared variable"));
    }
    let (number, span) = reader
        .number()
        .map_err(|_| reader.expected("a number or a shared variable"))?;
    Ok((Value::Number(number), span))
}

fn end(reader: &mut Reader<'_, '_>) -> Result<(), Diagnostic> {
    if reader.is_done() || reader.take(";") {
        return Ok(());
    }
    Err(reader.expected("`;`"))
}
