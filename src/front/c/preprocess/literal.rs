//! Integer constants of `#if`, character constants and string literals: what they stand for.

/// What a literal stands for, and what is wrong with it.
pub(super) struct Decoded<T> {
    pub(super) value: T,
    pub(super) error: Option<String>,
    pub(super) warning: Option<String>,
}

impl<T> Decoded<T> {
    fn map<U>(self, change: impl FnOnce(T) -> U) -> Decoded<U> {
        Decoded {
            value: change(self.value),
            error: self.error,
            warning: self.warning,
        }
    }
}

/// An element of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    Char(char),
    /// From an octal or hexadecimal escape sequence.
    Code(u32),
}

/// An integer constant of a condition: its bits, and whether it is unsigned.
pub(super) fn integer(text: &str) -> Result<(u64, bool), String> {
    let lower = text.to_ascii_lowercase();
    let (radix, digits) = if let Some(digits) = lower.strip_prefix("0x") {
        (16, digits)
    } else if let Some(digits) = lower.strip_prefix("0b") {
        (2, digits)
    } else if lower.starts_with('0') {
        (8, &*lower)
    } else {
        (10, &*lower)
    };
    let end = digits.find(|c: char| !c.is_digit(if radix == 16 { 16 } else { 10 }));
    let (digits, suffix) = digits.split_at(end.unwrap_or(digits.len()));
    let is_float =
        suffix.contains('.') || radix != 16 && suffix.starts_with('e') || suffix.starts_with('p');
    if is_float {
        return Err(format!("`{text}` is not an integer"));
    }
    let unsigned = match suffix {
        "" | "l" | "ll" => false,
        "u" | "ul" | "ull" | "lu" | "llu" => true,
        _ => {
            return Err(format!(
                "`{text}` is not an integer: its end `{suffix}` is no suffix"
            ));
        }
    };
    if digits.is_empty() || digits.chars().any(|c| !c.is_digit(radix)) {
        return Err(format!("`{text}` is not an integer of base {radix}"));
    }
    let Ok(bits) = u64::from_str_radix(digits, radix) else {
        return Err(format!("`{text}` does not fit 64 bits"));
    };
    Ok((bits, unsigned || bits > i64::MAX as u64))
}

/// The value of a character constant, which is spelled with its prefix and quotes.
pub(super) fn character(text: &str) -> Decoded<i64> {
    let (prefix, units) = units(text, '\'');
    let Decoded {
        value: units,
        mut error,
        mut warning,
    } = units;
    if units.is_empty() {
        error = error.or_else(|| Some("this character constant is empty".to_owned()));
    }
    let value = if prefix.is_empty() {
        let bytes = bytes(&units, &mut error);
        if bytes.len() > 1 {
            warning = warning
                .or_else(|| Some("this character constant has several characters".to_owned()));
        }
        match bytes.as_slice() {
            // `char` is signed on x86.
            [byte] => i64::from(*byte as i8),
            several => {
                let joined = several
                    .iter()
                    .fold(0_u32, |all, &byte| all << 8 | u32::from(byte));
                i64::from(joined as i32)
            }
        }
    } else {
        if units.len() > 1 {
            let message = "a wide character constant has one character";
            error = error.or_else(|| Some(message.to_owned()));
        }
        let code = units.last().map_or(0, |unit| match *unit {
            Unit::Char(c) => u32::from(c),
            Unit::Code(code) => code,
        });
        match prefix {
            "L" => i64::from(code as i32),
            "u" => i64::from(code as u16),
            _ => i64::from(code),
        }
    };
    Decoded {
        value,
        error,
        warning,
    }
}

/// The bytes of units in UTF-8.
fn bytes(units: &[Unit], error: &mut Option<String>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for unit in units {
        match *unit {
            Unit::Char(c) => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
            Unit::Code(code) => {
                if code > 0xff {
                    error.get_or_insert_with(|| {
                        "this escape sequence does not fit a `char`".to_owned()
                    });
                }
                bytes.push(code as u8);
            }
        }
    }
    bytes
}

/// The text of a string literal, which is spelled with its prefix and quotes. A byte that is written
/// as an escape sequence becomes the character of that number.
pub(super) fn string(text: &str) -> Decoded<String> {
    let (_, units) = units(text, '"');
    units.map(|units| {
        let decoded = |unit: &Unit| match *unit {
            Unit::Char(c) => c,
            Unit::Code(code) => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
        };
        units.iter().map(decoded).collect()
    })
}

/// The text of a string literal, whatever is wrong with it.
pub(super) fn text(literal: &str) -> String {
    string(literal).value
}

/// The prefix of a literal, and what is between its quotes.
fn units(text: &str, quote: char) -> (&str, Decoded<Vec<Unit>>) {
    let (prefix, rest) = text.split_once(quote).unwrap_or((text, ""));
    let inner = rest.strip_suffix(quote).unwrap_or(rest);
    let mut decoded = Decoded {
        value: Vec::new(),
        error: None,
        warning: None,
    };
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        let unit = if c == '\\' {
            escape(&mut rest, &mut decoded)
        } else {
            Unit::Char(c)
        };
        decoded.value.push(unit);
    }
    (prefix, decoded)
}

/// The escape sequence after a backslash.
fn escape(rest: &mut std::str::Chars<'_>, decoded: &mut Decoded<Vec<Unit>>) -> Unit {
    let ahead = rest.clone();
    let Some(c) = rest.next() else {
        return Unit::Char('\\');
    };
    match c {
        'n' => Unit::Char('\n'),
        't' => Unit::Char('\t'),
        'r' => Unit::Char('\r'),
        'a' => Unit::Char('\x07'),
        'b' => Unit::Char('\x08'),
        'f' => Unit::Char('\x0c'),
        'v' => Unit::Char('\x0b'),
        // GNU: escape.
        'e' | 'E' => Unit::Char('\x1b'),
        '\\' | '\'' | '"' | '?' => Unit::Char(c),
        '0'..='7' => {
            *rest = ahead;
            Unit::Code(digits(rest, 8, 3).unwrap_or(0))
        }
        'x' => Unit::Code(digits(rest, 16, usize::MAX).unwrap_or_else(|| {
            let message = "`\\x` needs hexadecimal digits that fit 32 bits".to_owned();
            decoded.error.get_or_insert(message);
            0
        })),
        'u' | 'U' => {
            let count = if c == 'u' { 4 } else { 8 };
            let before = rest.as_str().len();
            let code = digits(rest, 16, count);
            let whole = before - rest.as_str().len() == count;
            let found = code.filter(|_| whole).and_then(char::from_u32);
            Unit::Char(found.unwrap_or_else(|| {
                let message = format!("`\\{c}` needs {count} hexadecimal digits of a character");
                decoded.error.get_or_insert(message);
                char::REPLACEMENT_CHARACTER
            }))
        }
        other => {
            let message = format!("unknown escape sequence `\\{other}`: it is read as `{other}`");
            decoded.warning.get_or_insert(message);
            Unit::Char(other)
        }
    }
}

/// The number that up to so many digits spell; `None` if there is none or it does not fit.
fn digits(rest: &mut std::str::Chars<'_>, radix: u32, most: usize) -> Option<u32> {
    let mut value = None;
    let mut fits = true;
    for _ in 0..most {
        let Some(digit) = rest.clone().next().and_then(|c| c.to_digit(radix)) else {
            break;
        };
        rest.next();
        let before: u32 = value.unwrap_or(0);
        fits &= before.checked_mul(radix).is_some();
        value = Some(before.wrapping_mul(radix).wrapping_add(digit));
    }
    value.filter(|_| fits)
}
