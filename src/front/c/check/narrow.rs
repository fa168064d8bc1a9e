//! Operations of 64 bits that need 32 only: computed there, where every value of `unsigned int` fits.
//!
//! ```text
//!   (unsigned long)e & c             ─▶ (unsigned long)(e & (unsigned)c)    c is a constant
//!   (unsigned long)e == c            ─▶ e == (unsigned)c                    c is one of 32 bits; the same for `!=`
//!   (unsigned long)e as a condition  ─▶ e
//! ```
//!
//! Here `e` has at most 32 bits and no sign. So `flags & BIT(31)` is what drivers mean, although `BIT(31)` is a long.

use super::convert::cast;
use super::fold::fold;
use super::{expr, integer};
use crate::lower::typed::{BinaryOp, Expr, ExprKind, Type};
use crate::text::Place;

/// Both operands in 32 bits without a sign, if one is such a value that was widened and the other is a constant, of
/// which perhaps only the lower bits matter.
fn narrow(left: &Expr, right: &Expr, lower: bool) -> Option<(Expr, Expr)> {
    match (widened(left), widened(right)) {
        (Some(value), _) => Some((value, constant(right, lower)?)),
        (None, Some(value)) => Some((constant(left, lower)?, value)),
        (None, None) => None,
    }
}

/// The value without a sign, of at most 32 bits, that this one of 64 bits is.
fn widened(value: &Expr) -> Option<Expr> {
    let ExprKind::Cast(inner) = &value.kind else {
        return None;
    };
    let is_unsigned = matches!(inner.ty.width(), Some((2..=32, false)));
    (is_wide(&value.ty) && is_unsigned && inner.ty.is_integer())
        .then(|| cast((**inner).clone(), &integer(32, false)))
}

fn constant(value: &Expr, lower: bool) -> Option<Expr> {
    let number = fold(value).ok().filter(|_| is_wide(&value.ty))?;
    let bits = if lower {
        number as u32
    } else {
        u32::try_from(number).ok()?
    };
    let kind = ExprKind::Const(i64::from(bits));
    Some(expr(kind, integer(32, false), value.place))
}

fn is_wide(ty: &Type) -> bool {
    matches!(ty.width(), Some((64, _)))
}

/// An operation whose result has the type of its operands.
pub(super) fn same(op: BinaryOp, left: Expr, right: Expr, place: Place) -> Expr {
    let ty = left.ty.clone();
    let narrow = (op == BinaryOp::BitAnd).then(|| narrow(&left, &right, true));
    let (left, right) = narrow.flatten().unwrap_or((left, right));
    let own = left.ty.clone();
    let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
    cast(expr(kind, own, place), &ty)
}

/// The operands of a comparison.
pub(super) fn compared(op: BinaryOp, left: Expr, right: Expr) -> (Expr, Expr) {
    let narrow = matches!(op, BinaryOp::Eq | BinaryOp::Ne).then(|| narrow(&left, &right, false));
    narrow.flatten().unwrap_or((left, right))
}

/// A value that is compared with 0.
pub(super) fn condition(value: Expr) -> Expr {
    widened(&value).unwrap_or(value)
}
