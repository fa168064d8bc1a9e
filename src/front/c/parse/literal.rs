//! Integer constants: the first type of C's list that their value and suffix allow.

use super::Parser;
use super::primary::integer_constant;
use crate::c::check::{Checked, INT, LONG, UNSIGNED, UNSIGNED_LONG, expr, float};
use crate::lower::typed::{Expr, ExprKind, Type};
use crate::text::Place;

/// What is wrong with a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrong {
    Floating,
    Malformed,
    TooLarge,
}

impl Parser<'_> {
    pub(super) fn number(&mut self, text: &str, place: Place) -> Checked<Expr> {
        match integer(text) {
            Ok((value, ty)) => Ok(integer_constant(value, &ty, place)),
            Err(Wrong::Floating) if let Some(bits) = floating(text) => {
                let kind = ExprKind::Const(0);
                Ok(expr(kind, float(bits), place))
            }
            Err(Wrong::Malformed | Wrong::Floating) => {
                Err(self.check.error(format!("`{text}` is not a number"), place))
            }
            Err(Wrong::TooLarge) => {
                let message = format!("`{text}` does not fit into 64 bits");
                Err(self.check.error(message, place))
            }
        }
    }
}

/// The size of the floating-point constant that this spells, in bits; its value is not kept.
fn floating(text: &str) -> Option<u8> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix, sign) = match lower.strip_prefix("0x") {
        Some(digits) => (digits, 16, 'p'),
        None => (lower.as_str(), 10, 'e'),
    };
    let (mantissa, exponent) = match digits.split_once(sign) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (digits, None),
    };
    let last = exponent.unwrap_or(mantissa);
    let is_suffix = |c: char| c == 'l' || c == 'f' && (radix == 10 || exponent.is_some());
    let suffix = last.chars().last().filter(|c| is_suffix(*c));
    let without = |part: &str| match suffix {
        Some(suffix) => part.strip_suffix(suffix).unwrap_or(part).to_owned(),
        None => part.to_owned(),
    };
    let (mantissa, exponent) = match exponent {
        Some(exponent) => (mantissa.to_owned(), Some(without(exponent))),
        None => (without(mantissa), None),
    };
    let mut count = 0;
    let mut points = 0;
    for c in mantissa.chars() {
        match c {
            '.' => points += 1,
            c if c.is_digit(radix) => count += 1,
            _ => return None,
        }
    }
    let number = |text: &str| {
        let text = text.strip_prefix(['+', '-']).unwrap_or(text);
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_whole = exponent.as_deref().map_or(radix == 10, number);
    (count > 0 && points <= 1 && is_whole).then_some(match suffix {
        Some('f') => 32,
        Some(_) => 128,
        None => 64,
    })
}

fn integer(text: &str) -> Result<(i64, Type), Wrong> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = if let Some(digits) = lower.strip_prefix("0x") {
        (digits, 16)
    } else if let Some(digits) = lower.strip_prefix("0b") {
        (digits, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (&lower[1..], 8)
    } else {
        (lower.as_str(), 10)
    };
    let exponent = if radix == 16 { 'p' } else { 'e' };
    if digits.contains('.') || digits.contains(exponent) {
        return Err(Wrong::Floating);
    }
    let number = digits.trim_end_matches(['u', 'l']);
    let (unsigned, long) = match &digits[number.len()..] {
        "" => (false, false),
        "u" => (true, false),
        "l" | "ll" => (false, true),
        "ul" | "lu" | "ull" | "llu" => (true, true),
        _ => return Err(Wrong::Malformed),
    };
    if radix == 10 && number.ends_with('f') {
        return Err(Wrong::Floating);
    }
    // `0` and `0u` have no digits after the prefix of octal numbers.
    let number = if number.is_empty() && radix == 8 {
        "0"
    } else {
        number
    };
    let digit = |c: char| c.is_digit(radix);
    if number.is_empty() || !number.chars().all(digit) {
        return Err(Wrong::Malformed);
    }
    let value = u64::from_str_radix(number, radix).map_err(|_| Wrong::TooLarge)?;
    let fits_signed = [(INT, i32::MAX as u64), (LONG, i64::MAX as u64)];
    let fits_unsigned = [(UNSIGNED, u64::from(u32::MAX)), (UNSIGNED_LONG, u64::MAX)];
    let mut chosen = None;
    for (signed, wide) in fits_signed.into_iter().zip(fits_unsigned) {
        if long && signed.0 == INT {
            continue;
        }
        if !unsigned && value <= signed.1 {
            chosen = Some(signed.0);
            break;
        }
        // A decimal constant without `u` has no unsigned type.
        if (unsigned || radix != 10) && value <= wide.1 {
            chosen = Some(wide.0);
            break;
        }
    }
    let ty = chosen.ok_or(Wrong::TooLarge)?;
    Ok((value as i64, ty))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floating_constants_have_the_size_of_their_suffix() {
        for (text, bits) in [
            ("1.0", Some(64)),
            ("1.", Some(64)),
            (".5f", Some(32)),
            ("1e3", Some(64)),
            ("1E-3L", Some(128)),
            ("0x1.8p3", Some(64)),
            ("0x1p+3f", Some(32)),
            ("0x1.8", None),
            ("1e", None),
            (".", None),
            ("1.2.3", None),
            ("1.0x", None),
        ] {
            assert_eq!(floating(text), bits, "{text}");
        }
    }

    #[test]
    fn the_type_of_a_constant_follows_its_value_and_suffix() {
        for (text, value, ty) in [
            ("0", 0, INT),
            ("0u", 0, UNSIGNED),
            ("0L", 0, LONG),
            ("007", 7, INT),
            ("2147483647", 2_147_483_647, INT),
            ("2147483648", 2_147_483_648, LONG),
            ("0x7fffffff", 0x7fff_ffff, INT),
            ("0xFFFFFFFF", 0xffff_ffff, UNSIGNED),
            ("4294967295U", 0xffff_ffff, UNSIGNED),
            ("4294967296u", 0x1_0000_0000, UNSIGNED_LONG),
            ("0x1Ful", 31, UNSIGNED_LONG),
            ("0xFFFFFFFFFFFFFFFF", -1, UNSIGNED_LONG),
            ("1LLU", 1, UNSIGNED_LONG),
            ("0b101", 5, INT),
        ] {
            assert_eq!(integer(text), Ok((value, ty)), "{text}");
        }
        for (text, wrong) in [
            ("1.0", Wrong::Floating),
            ("1e3", Wrong::Floating),
            ("0x1p3", Wrong::Floating),
            ("1.f", Wrong::Floating),
            ("08", Wrong::Malformed),
            ("1lul", Wrong::Malformed),
            ("0x", Wrong::Malformed),
            ("12ab", Wrong::Malformed),
            ("9223372036854775808", Wrong::TooLarge),
            ("0x10000000000000000", Wrong::TooLarge),
        ] {
            assert_eq!(integer(text), Err(wrong), "{text}");
        }
    }
}
