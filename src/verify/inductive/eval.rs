//! Expressions over values of which some are unknown, and some are not chosen yet.

use super::search::Place;
use crate::expr::{Binary, Expr, Var};

/// The value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Got {
    Value(i32),
    /// It may be any value.
    Unknown,
    /// It depends on this place, for which no value is chosen yet.
    Needs(Place),
    /// It depends on whether this thread is at this location.
    Undecided(usize, usize),
}

/// The value, as far as it can be told. What does not matter to it is not asked for.
pub(super) fn evaluate(e: &Expr, get: &dyn Fn(Var) -> Got) -> Got {
    match e {
        Expr::Number(number) => Got::Value(*number),
        Expr::Var(var) => get(*var),
        Expr::Unary(op, a) => match evaluate(a, get) {
            Got::Value(a) => Got::Value(op.apply(a)),
            other @ (Got::Unknown | Got::Needs(_) | Got::Undecided(..)) => other,
        },
        Expr::Binary(op, a, b) => binary(*op, a, b, get),
        Expr::If(parts) => {
            let [c, a, b] = &**parts;
            match evaluate(c, get) {
                Got::Value(0) => evaluate(b, get),
                Got::Value(_) => evaluate(a, get),
                other @ (Got::Unknown | Got::Needs(_) | Got::Undecided(..)) => other,
            }
        }
    }
}

fn binary(op: Binary, a: &Expr, b: &Expr, get: &dyn Fn(Var) -> Got) -> Got {
    // What decides the value alone.
    let decides = |value: i32| match op {
        Binary::And if value == 0 => Some(0),
        Binary::Or if value != 0 => Some(1),
        Binary::And
        | Binary::Or
        | Binary::BitOr
        | Binary::BitXor
        | Binary::BitAnd
        | Binary::Eq
        | Binary::Ne
        | Binary::Lt
        | Binary::Le
        | Binary::Gt
        | Binary::Ge
        | Binary::Shl
        | Binary::Shr
        | Binary::Add
        | Binary::Sub
        | Binary::Mul
        | Binary::Div
        | Binary::Rem => None,
    };
    let first = evaluate(a, get);
    match first {
        Got::Value(a) => {
            if let Some(value) = decides(a) {
                return Got::Value(value);
            }
        }
        Got::Unknown => {}
        Got::Needs(_) | Got::Undecided(..) => return first,
    }
    match (first, evaluate(b, get)) {
        (Got::Value(a), Got::Value(b)) => Got::Value(op.apply(a, b)),
        (_, Got::Value(b)) => decides(b).map_or(Got::Unknown, Got::Value),
        (_, other @ (Got::Unknown | Got::Needs(_) | Got::Undecided(..))) => other,
    }
}
