//! How wide the values of expressions are.

use super::Classes;
use crate::lower::typed::{BinaryOp, Expr, ExprKind, StmtKind, Type, TypeKind, UnaryOp};

/// A shift to the left by as many bits packs a number.
const FAR: i64 = 24;

impl<'u> Classes<'u> {
    /// Whether an expression of a 64-bit type may have a value that is not the sign extension of its lower half, as far
    /// as that is followed.
    pub(in crate::lower::words) fn is_wide(&mut self, e: &'u Expr) -> bool {
        if !is_64_bit(&e.ty) {
            return false;
        }
        if let Some(value) = constant(e) {
            return is_huge(value);
        }
        match &e.kind {
            ExprKind::Unary(_, a) => self.is_wide(a),
            ExprKind::Cast(a) => self.is_wide(a) || self.is_large(a),
            ExprKind::Binary(op, a, b) | ExprKind::Checked(op, a, b) => {
                self.makes_wide(*op, Some(a), b) || self.is_beyond(*op, e)
            }
            ExprKind::Conditional(_, a, b) => self.is_wide(a) || self.is_wide(b),
            ExprKind::Comma(_, b) => self.is_wide(b),
            ExprKind::Load(_)
            | ExprKind::Assign(..)
            | ExprKind::Update { .. }
            | ExprKind::Call(..) => {
                let class = self.value(e);
                self.is_wide_class(class)
            }
            ExprKind::Statement(stmts) => match stmts.last().map(|last| &last.kind) {
                Some(StmtKind::Expr(last)) => self.is_wide(last),
                _ => false,
            },
            ExprKind::Const(_)
            | ExprKind::Text(_)
            | ExprKind::Function(_)
            | ExprKind::AddressOf(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::New(_) => false,
        }
    }

    /// The same of `a op b`; without `a`, of one that may have any class.
    pub(super) fn makes_wide(&mut self, op: BinaryOp, a: Option<&'u Expr>, b: &'u Expr) -> bool {
        let by = constant(b);
        let is_first = |this: &mut Self| a.is_some_and(|a| this.is_wide(a));
        match op {
            BinaryOp::Shl => by.is_some_and(|by| by >= FAR) || is_first(self),
            // What remains has fewer bits than a half.
            BinaryOp::Shr => by.is_none_or(|by| by <= 32) && is_first(self),
            BinaryOp::BitAnd => {
                let small =
                    |value: Option<i64>| value.is_some_and(|mask| (0..1 << 31).contains(&mask));
                let huge = |value: Option<i64>| value.is_some_and(is_huge);
                let of_a = a.and_then(constant);
                if small(by) || small(of_a) {
                    false
                } else if huge(by) {
                    is_first(self)
                } else if huge(of_a) {
                    self.is_wide(b)
                } else {
                    is_first(self) || self.is_wide(b)
                }
            }
            BinaryOp::Div | BinaryOp::Rem => by.is_some_and(is_power) && is_first(self),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::BitOr | BinaryOp::BitXor => {
                is_first(self) || self.is_wide(b)
            }
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::PointerAdd
            | BinaryOp::PointerSub
            | BinaryOp::PointerDiff => false,
        }
    }
}

pub(in crate::lower::words) fn is_64_bit(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Int { bits: 64, .. })
}

/// Whether no cell represents this value of 64 bits.
pub(super) fn is_huge(value: i64) -> bool {
    i32::try_from(value).is_err()
}

/// A power of two by which halves can be divided.
fn is_power(value: i64) -> bool {
    value > 0 && value & (value - 1) == 0
}

/// The value of an expression of constants: of a 64-bit type its bits.
pub(in crate::lower::words) fn constant(e: &Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Const(value) if e.ty.is_integer() => Some(*value),
        ExprKind::Cast(a) if is_64_bit(&e.ty) && a.ty.is_integer() => constant(a),
        ExprKind::Binary(op, a, b) | ExprKind::Checked(op, a, b) if is_64_bit(&e.ty) => {
            let (a, b) = (constant(a)?, constant(b)?);
            Some(match op {
                BinaryOp::Add => a.wrapping_add(b),
                BinaryOp::Sub => a.wrapping_sub(b),
                BinaryOp::BitAnd => a & b,
                BinaryOp::BitOr => a | b,
                BinaryOp::BitXor => a ^ b,
                BinaryOp::Shl => a.checked_shl(u32::try_from(b).ok()?)?,
                _ => return None,
            })
        }
        ExprKind::Unary(UnaryOp::BitNot, a) if is_64_bit(&e.ty) => Some(!constant(a)?),
        _ => None,
    }
}
