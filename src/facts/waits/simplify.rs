//! Conditions in one form, so that equal and opposite ones are found by comparing them.

use super::{Predicate, not};
use crate::program::{Addr, BinaryOp, Expr, Observable, UnaryOp};
use std::collections::BTreeMap;

/// The expression with known cells replaced, constants folded, and comparisons in one form: a
/// condition and its opposite differ by a `!` only.
pub(super) fn simplified(e: &Predicate, known: &BTreeMap<Addr, i32>) -> Predicate {
    let folded = |e: Predicate| match e.as_const() {
        Some(value) => Expr::Const(value),
        None => e,
    };
    match e {
        Expr::Var(Observable::Cell(cell)) => match known.get(cell) {
            Some(&value) => Expr::Const(value),
            None => e.clone(),
        },
        Expr::Const(_) | Expr::Var(_) => e.clone(),
        Expr::Unary(UnaryOp::Not, a) => not_of(simplified(a, known)),
        Expr::Unary(op, a) => folded(Expr::unary(*op, simplified(a, known))),
        Expr::Binary(op, a, b) => {
            let (a, b) = (simplified(a, known), simplified(b, known));
            match op {
                BinaryOp::Ne => not_of(simplified(&Expr::binary(BinaryOp::Eq, a, b), known)),
                BinaryOp::Ge => not_of(folded(Expr::binary(BinaryOp::Lt, a, b))),
                BinaryOp::Le => not_of(folded(Expr::binary(BinaryOp::Lt, b, a))),
                BinaryOp::Gt => folded(Expr::binary(BinaryOp::Lt, b, a)),
                BinaryOp::Eq if a == b => Expr::Const(1),
                BinaryOp::Eq if b.as_const() == Some(0) => not_of(a),
                BinaryOp::Eq if a.as_const() == Some(0) => not_of(b),
                BinaryOp::And if a.as_const() == Some(0) || b.as_const() == Some(0) => {
                    Expr::Const(0)
                }
                BinaryOp::Or if is_true(&a) || is_true(&b) => Expr::Const(1),
                BinaryOp::Or
                | BinaryOp::And
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::BitAnd
                | BinaryOp::Eq
                | BinaryOp::Lt
                | BinaryOp::Shl
                | BinaryOp::Shr
                | BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::Div
                | BinaryOp::Rem => folded(Expr::binary(*op, a, b)),
            }
        }
        Expr::Conditional(parts) => {
            let [c, a, b] = &**parts;
            let (c, a, b) = (
                simplified(c, known),
                simplified(a, known),
                simplified(b, known),
            );
            match c.as_const() {
                Some(0) => b,
                Some(_) => a,
                None if a == b => a,
                None => Expr::conditional(c, a, b),
            }
        }
    }
}

/// `!e`; of a truth value that is negated, the value itself.
fn not_of(e: Predicate) -> Predicate {
    // Only if it is 0 or 1: `!!a` is not `a`.
    if let Expr::Unary(UnaryOp::Not, b) = &e
        && is_truth(b)
    {
        return (**b).clone();
    }
    not(e)
}

pub(super) fn is_true(e: &Predicate) -> bool {
    e.as_const().is_some_and(|value| value != 0)
}

/// Whether the value is 0 or 1 in any case.
fn is_truth(e: &Predicate) -> bool {
    match e {
        Expr::Const(value) => (0..=1).contains(value),
        Expr::Var(Observable::At(..)) | Expr::Unary(UnaryOp::Not, _) => true,
        Expr::Var(Observable::Register(..) | Observable::Cell(_)) | Expr::Unary(..) => false,
        Expr::Binary(op, _, _) => matches!(
            op,
            BinaryOp::Or
                | BinaryOp::And
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
        ),
        Expr::Conditional(parts) => {
            let [_, a, b] = &**parts;
            is_truth(a) && is_truth(b)
        }
    }
}
