//! Expressions of 32 bits, unsigned, as they are built: with constants computed, and with what changes nothing
//! left out.
//!
//! A *half* has the type `unsigned int`, a *condition* the type `int` and the value 0 or 1. Both are without
//! effects, so one whose value does not matter may be left out.

use crate::lower::typed::{BinaryOp, Expr, ExprKind, Type, TypeKind, UnaryOp};
use crate::text::Place;

const fn int(bits: u8, signed: bool) -> Type {
    Type {
        kind: TypeKind::Int { bits, signed },
        atomic: false,
        volatile: false,
    }
}

/// The type of halves.
pub(in crate::lower::words) const HALF: Type = int(32, false);
/// The type of conditions.
pub(in crate::lower::words) const CONDITION: Type = int(32, true);

pub(in crate::lower::words) fn constant(value: u32, place: Place) -> Expr {
    Expr {
        kind: ExprKind::Const(value.into()),
        ty: HALF,
        place,
    }
}

pub(in crate::lower::words) fn truth(value: bool, place: Place) -> Expr {
    Expr {
        kind: ExprKind::Const(value.into()),
        ty: CONDITION,
        place,
    }
}

/// The value of a constant.
pub(in crate::lower::words) fn known(e: &Expr) -> Option<u32> {
    if let ExprKind::Const(value) = e.kind {
        Some(value as u32)
    } else {
        None
    }
}

/// A conversion.
pub(in crate::lower::words) fn cast(e: Expr, to: Type) -> Expr {
    let place = e.place;
    Expr {
        kind: ExprKind::Cast(Box::new(e)),
        ty: to,
        place,
    }
}

fn binary(op: BinaryOp, a: &Expr, b: &Expr, ty: Type) -> Expr {
    Expr {
        kind: ExprKind::Binary(op, Box::new(a.clone()), Box::new(b.clone())),
        ty,
        place: a.place,
    }
}

fn half(op: BinaryOp, a: &Expr, b: &Expr) -> Expr {
    binary(op, a, b, HALF)
}

pub(super) fn add(a: &Expr, b: &Expr) -> Expr {
    match (known(a), known(b)) {
        (Some(x), Some(y)) => constant(x.wrapping_add(y), a.place),
        (Some(0), _) => b.clone(),
        (_, Some(0)) => a.clone(),
        _ => half(BinaryOp::Add, a, b),
    }
}

pub(super) fn sub(a: &Expr, b: &Expr) -> Expr {
    match (known(a), known(b)) {
        (Some(x), Some(y)) => constant(x.wrapping_sub(y), a.place),
        (_, Some(0)) => a.clone(),
        _ => half(BinaryOp::Sub, a, b),
    }
}

pub(super) fn mul(a: &Expr, b: &Expr) -> Expr {
    match (known(a), known(b)) {
        (Some(x), Some(y)) => constant(x.wrapping_mul(y), a.place),
        (Some(0), _) | (_, Some(1)) => a.clone(),
        (_, Some(0)) | (Some(1), _) => b.clone(),
        _ => half(BinaryOp::Mul, a, b),
    }
}

pub(super) fn and(a: &Expr, b: &Expr) -> Expr {
    match (known(a), known(b)) {
        (Some(x), Some(y)) => constant(x & y, a.place),
        (Some(0), _) | (_, Some(u32::MAX)) => a.clone(),
        (_, Some(0)) | (Some(u32::MAX), _) => b.clone(),
        _ => half(BinaryOp::BitAnd, a, b),
    }
}

pub(super) fn or(a: &Expr, b: &Expr) -> Expr {
    match (known(a), known(b)) {
        (Some(x), Some(y)) => constant(x | y, a.place),
        (Some(u32::MAX), _) | (_, Some(0)) => a.clone(),
        (_, Some(u32::MAX)) | (Some(0), _) => b.clone(),
        _ => half(BinaryOp::BitOr, a, b),
    }
}

pub(super) fn xor(a: &Expr, b: &Expr) -> Expr {
    match (known(a), known(b)) {
        (Some(x), Some(y)) => constant(x ^ y, a.place),
        (_, Some(0)) => a.clone(),
        (Some(0), _) => b.clone(),
        (_, Some(u32::MAX)) => inverted(a),
        (Some(u32::MAX), _) => inverted(b),
        _ => half(BinaryOp::BitXor, a, b),
    }
}

/// `~a`
pub(super) fn inverted(a: &Expr) -> Expr {
    if let Some(x) = known(a) {
        return constant(!x, a.place);
    }
    Expr {
        kind: ExprKind::Unary(UnaryOp::BitNot, Box::new(a.clone())),
        ty: HALF,
        place: a.place,
    }
}

/// `a << by`, where `by` is below 32. Where it is not known, it is an expression that shows this: a mask.
pub(super) fn left(a: &Expr, by: &Expr) -> Expr {
    match (known(a), known(by)) {
        (Some(x), Some(by)) => constant(x.wrapping_shl(by), a.place),
        (Some(0), _) | (_, Some(0)) => a.clone(),
        _ => half(BinaryOp::Shl, a, by),
    }
}

/// `a >> by`, under the same condition.
pub(super) fn right(a: &Expr, by: &Expr) -> Expr {
    match (known(a), known(by)) {
        (Some(x), Some(by)) => constant(x.wrapping_shr(by), a.place),
        (Some(0), _) | (_, Some(0)) => a.clone(),
        _ => half(BinaryOp::Shr, a, by),
    }
}

/// `a >> by` with copies of the sign, under the same condition.
pub(super) fn right_signed(a: &Expr, by: &Expr) -> Expr {
    match (known(a), known(by)) {
        (Some(x), Some(by)) => constant((x as i32).wrapping_shr(by) as u32, a.place),
        (Some(0 | u32::MAX), _) | (_, Some(0)) => a.clone(),
        _ => {
            let shifted = binary(BinaryOp::Shr, &cast(a.clone(), CONDITION), by, CONDITION);
            cast(shifted, HALF)
        }
    }
}

/// All bits are the sign of this.
pub(super) fn signs(a: &Expr) -> Expr {
    right_signed(a, &constant(31, a.place))
}

pub(super) fn equal(a: &Expr, b: &Expr) -> Expr {
    match (known(a), known(b)) {
        (Some(x), Some(y)) => truth(x == y, a.place),
        (Some(_), None) => binary(BinaryOp::Eq, b, a, CONDITION),
        _ => binary(BinaryOp::Eq, a, b, CONDITION),
    }
}

/// Whether this is not 0.
pub(super) fn is_some(a: &Expr) -> Expr {
    match known(a) {
        Some(x) => truth(x != 0, a.place),
        None => binary(BinaryOp::Ne, a, &constant(0, a.place), CONDITION),
    }
}

/// Whether this is 0.
pub(super) fn is_none(a: &Expr) -> Expr {
    equal(a, &constant(0, a.place))
}

/// `a < b`, as unsigned numbers.
pub(super) fn below(a: &Expr, b: &Expr) -> Expr {
    match (known(a), known(b)) {
        (Some(x), Some(y)) => truth(x < y, a.place),
        (Some(u32::MAX), _) | (_, Some(0)) => truth(false, a.place),
        (Some(0), _) => is_some(b),
        (_, Some(1)) => is_none(a),
        _ => binary(BinaryOp::Lt, a, b, CONDITION),
    }
}

/// `a <= b`, as unsigned numbers.
pub(super) fn at_most(a: &Expr, b: &Expr) -> Expr {
    match (known(a), known(b)) {
        (Some(x), Some(y)) => truth(x <= y, a.place),
        (Some(0), _) | (_, Some(u32::MAX)) => truth(true, a.place),
        (_, Some(0)) => is_none(a),
        _ => binary(BinaryOp::Le, a, b, CONDITION),
    }
}

/// `a < b`, as signed numbers.
pub(super) fn below_signed(a: &Expr, b: &Expr) -> Expr {
    if let (Some(x), Some(y)) = (known(a), known(b)) {
        return truth((x as i32) < (y as i32), a.place);
    }
    let (x, y) = (as_signed(a), as_signed(b));
    binary(BinaryOp::Lt, &x, &y, CONDITION)
}

/// `a <= b`, as signed numbers.
pub(super) fn at_most_signed(a: &Expr, b: &Expr) -> Expr {
    if let (Some(x), Some(y)) = (known(a), known(b)) {
        return truth((x as i32) <= (y as i32), a.place);
    }
    let (x, y) = (as_signed(a), as_signed(b));
    binary(BinaryOp::Le, &x, &y, CONDITION)
}

/// The same bits as a signed number.
pub(super) fn as_signed(a: &Expr) -> Expr {
    match known(a) {
        Some(x) => Expr {
            kind: ExprKind::Const((x as i32).into()),
            ty: CONDITION,
            place: a.place,
        },
        None => cast(a.clone(), CONDITION),
    }
}

/// Whether the highest bit is 0.
pub(super) fn is_positive(a: &Expr) -> Expr {
    at_most_signed(&constant(0, a.place), a)
}

/// Both of two conditions.
pub(super) fn both(a: &Expr, b: &Expr) -> Expr {
    match (known(a), known(b)) {
        (Some(0), _) | (_, Some(1)) => a.clone(),
        (_, Some(0)) | (Some(1), _) => b.clone(),
        _ => binary(BinaryOp::BitAnd, a, b, CONDITION),
    }
}

/// At least one of two conditions.
pub(super) fn either(a: &Expr, b: &Expr) -> Expr {
    match (known(a), known(b)) {
        (Some(1), _) | (_, Some(0)) => a.clone(),
        (_, Some(1)) | (Some(0), _) => b.clone(),
        _ => binary(BinaryOp::BitOr, a, b, CONDITION),
    }
}

/// That a condition is not met.
pub(super) fn not(a: &Expr) -> Expr {
    if let Some(x) = known(a) {
        return truth(x == 0, a.place);
    }
    Expr {
        kind: ExprKind::Unary(UnaryOp::Not, Box::new(a.clone())),
        ty: CONDITION,
        place: a.place,
    }
}

/// A condition as a half: 1 or 0.
pub(super) fn as_half(condition: &Expr) -> Expr {
    match known(condition) {
        Some(x) => constant(x, condition.place),
        None => cast(condition.clone(), HALF),
    }
}

/// All bits are 1 where a condition is met, and 0 elsewhere.
pub(super) fn mask(condition: &Expr) -> Expr {
    sub(&constant(0, condition.place), &as_half(condition))
}
