//! Values of so many bits, and what is computed with them: as unsigned numbers that wrap.

use crate::c::check::{BOOL, INT, UNSIGNED, cast, expr, integer, wrapped};
use crate::lower::typed::{BinaryOp, Expr, ExprKind, Type, TypeKind, UnaryOp};
use crate::text::Place;

/// The unsigned type of so many bits.
pub(super) fn uint(bits: u32) -> Type {
    integer(bits as u8, false)
}

/// How many bits of a register or of memory a scalar takes.
pub(super) fn bits_of(ty: &Type) -> u32 {
    match ty.kind {
        TypeKind::Bool => 8,
        TypeKind::Int { bits, .. } => u32::from(bits),
        TypeKind::Pointer(_) => 64,
        TypeKind::Void
        | TypeKind::Float { .. }
        | TypeKind::Array(..)
        | TypeKind::Struct(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => 0,
    }
}

/// A number of this type.
pub(super) fn constant(value: i64, ty: &Type, place: Place) -> Expr {
    expr(ExprKind::Const(wrapped(value, ty)), ty.clone(), place)
}

/// Two numbers, combined in so many bits.
pub(super) fn compute(op: BinaryOp, left: Expr, right: Expr, bits: u32) -> Expr {
    let place = left.place;
    let of = if bits < 32 { UNSIGNED } else { uint(bits) };
    let (left, right) = (cast(left, &of), cast(right, &of));
    let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
    cast(expr(kind, of, place), &uint(bits))
}

/// A comparison of two values of one type, as a truth value.
pub(super) fn compare(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let place = left.place;
    let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
    cast(expr(kind, INT, place), &BOOL)
}

/// The other truth value.
pub(super) fn negated(value: Expr) -> Expr {
    let place = value.place;
    let kind = ExprKind::Unary(UnaryOp::Not, Box::new(value));
    cast(expr(kind, INT, place), &BOOL)
}
