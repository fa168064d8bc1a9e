//! Constant expressions of `#if`: 64-bit integers, signed or unsigned (C11 6.10.1p4).
//!
//! As in gcc, overflow wraps around, and shifts by 64 or more have the value that shifts by one at a
//! time lead to. What is not evaluated (`0 && 1 / 0`) is only read.

use super::expand::Tok;
use super::literal;
use crate::c::lex::Kind;
use crate::text::Place;

/// Why an expression has no value.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) place: Place,
    pub(super) message: String,
}

type Result<T> = std::result::Result<T, Problem>;

/// Parentheses and operators may be nested this deep.
const DEEPEST: u32 = 200;

/// Whether the expression of a directive at this place is not 0. Macros in it are expanded, and
/// `defined` replaced.
pub(super) fn evaluate(toks: &[Tok], directive: Place) -> Result<bool> {
    let mut reader = Reader {
        toks,
        at: 0,
        depth: 0,
        end: toks.last().map_or(directive, Tok::shown),
    };
    let value = reader.comma(true)?;
    match toks.get(reader.at) {
        None => Ok(value.bits != 0),
        Some(tok) => {
            let before = reader.at.checked_sub(1).map(|at| &toks[at]);
            let message = match before {
                Some(name) if tok.lexeme.is("(") && name.lexeme.kind == Kind::Word => {
                    format!("`{}` is not a macro that takes arguments", name.lexeme.text)
                }
                Some(_) | None => format!("expected an operator, found `{}`", tok.lexeme.text),
            };
            Err(Problem {
                place: tok.shown(),
                message,
            })
        }
    }
}

#[derive(Clone, Copy)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn truth(holds: bool) -> Self {
        Self {
            bits: u64::from(holds),
            unsigned: false,
        }
    }
}

struct Reader<'t> {
    toks: &'t [Tok],
    at: usize,
    depth: u32,
    /// Where what is missing at the end is reported.
    end: Place,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&'static str> {
        match self.toks.get(self.at)?.lexeme.kind {
            Kind::Punct(punct) => Some(punct),
            Kind::Word | Kind::Number | Kind::Char | Kind::Text | Kind::Open | Kind::Other => None,
        }
    }

    fn eat(&mut self, punct: &str) -> bool {
        let eaten = self.peek() == Some(punct);
        self.at += usize::from(eaten);
        eaten
    }

    fn problem<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Problem {
            place: self.toks.get(self.at).map_or(self.end, Tok::shown),
            message: message.into(),
        })
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEEPEST {
            return self.problem("this condition is nested too deeply");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Operands of `,`; errors of evaluation count only where it is live.
    fn comma(&mut self, live: bool) -> Result<Value> {
        let mut value = self.conditional(live)?;
        while self.eat(",") {
            value = self.conditional(live)?;
        }
        Ok(value)
    }

    fn conditional(&mut self, live: bool) -> Result<Value> {
        let condition = self.binary(0, live)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let first = condition.bits != 0;
        let yes = self.deeper(|reader| reader.comma(live && first))?;
        if !self.eat(":") {
            return self.problem("expected `:` after `?`");
        }
        let no = self.deeper(|reader| reader.conditional(live && !first))?;
        Ok(Value {
            bits: if first { yes.bits } else { no.bits },
            unsigned: yes.unsigned || no.unsigned,
        })
    }

    /// Operators that bind tighter than this level.
    fn binary(&mut self, above: u8, live: bool) -> Result<Value> {
        let mut left = self.unary(live)?;
        while let Some(operator) = self.peek() {
            let level = level(operator);
            if level <= above {
                break;
            }
            let at = self.at;
            self.at += 1;
            let live = match operator {
                "&&" => live && left.bits != 0,
                "||" => live && left.bits == 0,
                _ => live,
            };
            let right = self.binary(level, live)?;
            match compute(operator, left, right) {
                Some(value) => left = value,
                None if live => {
                    self.at = at;
                    return self.problem("division by zero");
                }
                None => {}
            }
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Result<Value> {
        let Some(tok) = self.toks.get(self.at) else {
            return self.problem("an operand is missing after this");
        };
        match tok.lexeme.kind {
            Kind::Punct(operator @ ("+" | "-" | "~" | "!")) => {
                self.at += 1;
                let Value { bits, unsigned } = self.deeper(|reader| reader.unary(live))?;
                Ok(match operator {
                    "-" => Value {
                        bits: bits.wrapping_neg(),
                        unsigned,
                    },
                    "~" => Value {
                        bits: !bits,
                        unsigned,
                    },
                    "!" => Value::truth(bits == 0),
                    _ => Value { bits, unsigned },
                })
            }
            Kind::Punct("(") => {
                self.at += 1;
                let value = self.deeper(|reader| reader.comma(live))?;
                if !self.eat(")") {
                    return self.problem("`)` is missing");
                }
                Ok(value)
            }
            Kind::Number => match literal::integer(&tok.lexeme.text) {
                Ok((bits, unsigned)) => {
                    self.at += 1;
                    Ok(Value { bits, unsigned })
                }
                Err(message) => self.problem(message),
            },
            Kind::Char => {
                let decoded = literal::character(&tok.lexeme.text);
                if let Some(message) = decoded.error {
                    return self.problem(message);
                }
                self.at += 1;
                Ok(Value {
                    bits: decoded.value as u64,
                    unsigned: false,
                })
            }
            // A name that no macro has is 0.
            Kind::Word => {
                self.at += 1;
                Ok(Value::truth(false))
            }
            Kind::Punct(_) | Kind::Text | Kind::Open | Kind::Other => {
                self.problem(format!("expected an operand, found `{}`", tok.lexeme.text))
            }
        }
    }
}

/// How tight a binary operator binds; 0 for what is none.
fn level(operator: &str) -> u8 {
    match operator {
        "*" | "/" | "%" => 10,
        "+" | "-" => 9,
        "<<" | ">>" => 8,
        "<" | ">" | "<=" | ">=" => 7,
        "==" | "!=" => 6,
        "&" => 5,
        "^" => 4,
        "|" => 3,
        "&&" => 2,
        "||" => 1,
        _ => 0,
    }
}

/// The value of a binary operation; `None` for a division by zero.
fn compute(operator: &str, left: Value, right: Value) -> Option<Value> {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (signed_a, signed_b) = (a as i64, b as i64);
    let less = if unsigned { a < b } else { signed_a < signed_b };
    let bits = match operator {
        "*" => a.wrapping_mul(b),
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "&" => a & b,
        "^" => a ^ b,
        "|" => a | b,
        "/" | "%" if b == 0 => return None,
        "/" if unsigned => a / b,
        "/" => signed_a.wrapping_div(signed_b) as u64,
        "%" if unsigned => a % b,
        "%" => signed_a.wrapping_rem(signed_b) as u64,
        "<<" | ">>" => return Some(shift(operator == "<<", left, right)),
        "<" => return Some(Value::truth(less)),
        ">=" => return Some(Value::truth(!less)),
        ">" => return Some(Value::truth(!less && a != b)),
        "<=" => return Some(Value::truth(less || a == b)),
        "==" => return Some(Value::truth(a == b)),
        "!=" => return Some(Value::truth(a != b)),
        "&&" => return Some(Value::truth(a != 0 && b != 0)),
        _ => return Some(Value::truth(a != 0 || b != 0)),
    };
    Some(Value { bits, unsigned })
}

/// A shift; one by a negative number goes the other way. The result is of the left operand's type.
fn shift(left: bool, value: Value, by: Value) -> Value {
    let negative = !by.unsigned && (by.bits as i64) < 0;
    let (left, by) = if negative {
        (!left, by.bits.wrapping_neg())
    } else {
        (left, by.bits)
    };
    let far = by >= 64;
    let sign = if value.unsigned {
        0
    } else {
        (value.bits as i64) >> 63
    };
    let bits = match (left, far) {
        (true, true) => 0,
        (true, false) => value.bits << by,
        (false, true) => sign as u64,
        (false, false) if value.unsigned => value.bits >> by,
        (false, false) => ((value.bits as i64) >> by) as u64,
    };
    Value { bits, ..value }
}
