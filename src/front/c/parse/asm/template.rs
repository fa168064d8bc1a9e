//! The text of a template, as instructions.
//!
//! AT&T syntax: the source first, the destination last. Instructions end at `;` and at the end of a line;
//! `lock` may be one of its own, before the instruction that it belongs to. What the Linux kernel notes
//! about its locked instructions in another section, and labels that are numbers, are no instructions.

use super::table::{self, Action, Register};

/// An instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Instruction {
    pub(super) locked: bool,
    pub(super) action: Action,
    /// How many bits it accesses, if its name says so.
    pub(super) bits: Option<u32>,
    pub(super) arguments: Vec<Argument>,
    /// As it is written, for messages.
    pub(super) text: String,
}

/// An operand of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Argument {
    /// `$1`
    Constant(i64),
    /// `%0`, `%[name]`, `%b0`: an operand of the statement, and so many bits of it.
    Operand(Which, Option<u32>),
    /// `(%0)`: what the operand points to.
    Pointed(Which),
    /// `%%eax`
    Register(Register, u32),
    /// `(%%rsp)`, with or without an offset.
    Stack,
}

/// How a template names an operand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Which {
    Number(usize),
    Name(String),
}

/// The instructions of a template, or the text of the first one that is not supported. Only in an
/// `extended` one, with colons after it, `%` names operands.
pub(super) fn instructions(template: &str, extended: bool) -> Result<Vec<Instruction>, String> {
    let mut found = Vec::new();
    let (mut locked, mut elsewhere) = (false, false);
    for line in template.split('\n') {
        let code = line.split('#').next().unwrap_or_default();
        for part in code.split(';') {
            let text = part.split_whitespace().collect::<Vec<_>>().join(" ");
            let Some(text) = instruction_of(&text, &mut elsewhere) else {
                continue;
            };
            if text.eq_ignore_ascii_case("lock") && !locked {
                locked = true;
                continue;
            }
            let one = instruction(text, locked, extended).ok_or_else(|| text.to_owned())?;
            locked = false;
            found.push(one);
        }
    }
    if locked || elsewhere {
        return Err(template.trim().to_owned());
    }
    Ok(found)
}

/// What is left of a part without labels, if it is in the section of the code.
fn instruction_of<'t>(text: &'t str, elsewhere: &mut bool) -> Option<&'t str> {
    let mut text = text;
    while let Some((label, rest)) = text.split_once(':')
        && !label.is_empty()
        && label.bytes().all(|byte| byte.is_ascii_digit())
    {
        text = rest.trim_start();
    }
    if text.starts_with(".pushsection ") {
        *elsewhere = true;
        return None;
    }
    if *elsewhere {
        *elsewhere = text != ".popsection";
        return None;
    }
    (!text.is_empty()).then_some(text)
}

/// Instructions that are written as bytes, for assemblers that do not know them, without spaces.
const ENCODED: [(&str, &str); 4] = [
    (".byte0xf3,0x90", "pause"),
    (".byte0x0f,0xae,0xf0", "mfence"),
    (".byte0x0f,0xae,0xf8", "sfence"),
    (".byte0x0f,0xae,0xe8", "lfence"),
];

fn instruction(text: &str, locked: bool, extended: bool) -> Option<Instruction> {
    let lower = text.to_ascii_lowercase();
    let (locked, rest) = match lower.strip_prefix("lock ") {
        Some(_) if locked => return None,
        Some(rest) => (true, &text[text.len() - rest.len()..]),
        None => (locked, text),
    };
    let bytes: String = lower.split_whitespace().collect();
    let mut encoded = ENCODED.iter();
    let (name, operands) = if let Some((_, name)) = encoded.find(|(known, _)| *known == bytes) {
        (*name, "")
    } else if rest.eq_ignore_ascii_case("rep nop") {
        (rest, "")
    } else {
        rest.split_once(' ').unwrap_or((rest, ""))
    };
    let (action, count, bits) = table::action(&name.to_ascii_lowercase())?;
    let arguments = split(operands)
        .map(|operand| argument(&operand, extended))
        .collect::<Option<Vec<_>>>()?;
    (arguments.len() == count).then(|| Instruction {
        locked,
        action,
        bits,
        arguments,
        text: text.to_owned(),
    })
}

/// The operands, without spaces; commas in brackets do not separate them.
fn split(operands: &str) -> impl Iterator<Item = String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in operands.chars().filter(|c| *c != ' ') {
        match c {
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    let none = operands.is_empty();
    parts.into_iter().filter(move |_| !none)
}

fn argument(text: &str, extended: bool) -> Option<Argument> {
    if let Some(number) = text.strip_prefix('$') {
        return constant(number).map(Argument::Constant);
    }
    if let Some((offset, inside)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        let offset = if offset.is_empty() {
            0
        } else {
            constant(offset)?
        };
        let register = inside.replace('%', "");
        if inside.starts_with('%') && matches!(register.as_str(), "rsp" | "esp") {
            return Some(Argument::Stack);
        }
        let (which, bits) = operand(inside.strip_prefix('%').filter(|_| extended)?)?;
        return (offset == 0 && matches!(bits, None | Some(64)))
            .then_some(Argument::Pointed(which));
    }
    let name = text.strip_prefix('%')?;
    let hard = if extended {
        name.strip_prefix('%')
    } else {
        Some(name)
    };
    if let Some(hard) = hard {
        let (register, bits) = table::register(&hard.to_ascii_lowercase())?;
        return Some(Argument::Register(register, bits));
    }
    operand(name).map(|(which, bits)| Argument::Operand(which, bits))
}

/// What follows `%`: a letter for the width or none, and a number or a name in brackets.
fn operand(text: &str) -> Option<(Which, Option<u32>)> {
    let first = text.chars().next()?;
    let (bits, rest) = match table::width(first) {
        // As a letter before a number, `l` means something else.
        Some(_) if first == 'l' => return None,
        Some(bits) => (Some(bits), &text[1..]),
        None => (None, text),
    };
    if let Some(name) = rest
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        return Some((Which::Name(name.to_owned()), bits));
    }
    let digits = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    let number = rest.parse().ok().filter(|_| digits)?;
    Some((Which::Number(number), bits))
}

fn constant(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let hexadecimal = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = match hexadecimal {
        Some(digits) => (digits, 16),
        // A leading 0 makes it octal.
        None if digits.len() > 1 && digits.starts_with('0') => (&digits[1..], 8),
        None => (digits, 10),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let number = i64::from_str_radix(digits, radix).ok()?;
    i32::try_from(sign * number).ok().map(i64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(template: &str) -> Result<Vec<Argument>, String> {
        let all = instructions(template, true)?;
        Ok(all.into_iter().flat_map(|one| one.arguments).collect())
    }

    #[test]
    fn operands_are_numbers_names_registers_and_constants() {
        let (zero, name) = (Which::Number(0), Which::Name("new".to_owned()));
        assert_eq!(
            shown("lock; cmpxchgl %k[new], (%0)\n\tmovb $-0x1,%%al"),
            Ok(vec![
                Argument::Operand(name, Some(32)),
                Argument::Pointed(zero),
                Argument::Constant(-1),
                Argument::Register(Register::A, 8),
            ])
        );
        assert_eq!(
            shown("lock orq $010, -8(%%rsp)"),
            Ok(vec![Argument::Constant(8), Argument::Stack])
        );
    }

    #[test]
    fn what_is_not_known_is_named() {
        for (template, named) in [
            ("mfence; hlt", "hlt"),
            ("xchg %0", "xchg %0"),
            ("xchg %l0,%1", "xchg %l0,%1"),
            ("movl 4(%0),%1", "movl 4(%0),%1"),
            ("movl (%0,%1,4),%2", "movl (%0,%1,4),%2"),
            ("movl %%r8d,%0", "movl %%r8d,%0"),
            ("mov $99999999999,%0", "mov $99999999999,%0"),
            ("{xchgl|xchg} %0,%1", "{xchgl|xchg} %0,%1"),
            ("lock; lock; incl %0", "lock"),
            ("mfence; lock", "mfence; lock"),
            ("jmp 1f", "jmp 1f"),
            ("sync", "sync"),
            ("xchg %é,%1", "xchg %é,%1"),
        ] {
            assert_eq!(shown(template), Err(named.to_owned()), "{template}");
        }
    }

    #[test]
    fn notes_in_other_sections_are_skipped() {
        let kernel = ".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; \
                      incl %0 # counts";
        let all = instructions(kernel, true).expect("it is one instruction");
        assert_eq!(all.len(), 1);
        assert!(all[0].locked && all[0].bits == Some(32));
    }
}
