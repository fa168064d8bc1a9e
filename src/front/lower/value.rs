//! Values while lowering: known ones, exactly, and those that a register will hold.
//!
//! A known value is the mathematical one of its type. An unknown one is an expression over registers
//! whose 32 bits are, for types of up to 32 bits, those of the C value, sign- or zero-extended to 32;
//! for 64-bit types the lower ones, of which the upper ones are the sign extension (`wide`): so
//! `UINT64_MAX` is -1. A pointer is the address of a cell, 0 if null.

use crate::lower::typed::{Type, TypeKind};
use crate::program::{BinaryOp, Expr, RegId, UnaryOp};

/// The known value of a variable that has none. It is not a number that a program is likely to
/// compute; in 32 bits it is [`UNWRITTEN`].
pub(super) const UNSET: i64 = 0x5d13_b6a5_9d3f_5a27;

/// What memory holds whose contents are indeterminate: an assertion that it is not read follows the
/// loads. It is not an address, and a program whose own constants contain it is refused. **Incomplete:**
/// where a program computes this number and stores it in such memory, a read of it is a violation.
pub(super) const UNWRITTEN: i32 = 0x9d3f_5a27_u32 as i32;

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Known(i64),
    Unknown(Expr<RegId>),
}

impl Value {
    pub(super) const ZERO: Value = Value::Known(0);

    pub(super) fn known(&self) -> Option<i64> {
        match self {
            Value::Known(value) => Some(*value),
            Value::Unknown(_) => None,
        }
    }

    /// The bits of a known 64-bit value that is not the sign extension of 32.
    pub(super) fn huge(&self) -> Option<i64> {
        self.known()
            .filter(|&bits| i32::try_from(bits).is_err() && bits != UNSET)
    }
}

/// How values of a scalar type are represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) bits: u8,
    pub(super) signed: bool,
}

/// The shape of a scalar type. Pointers are signed 64-bit numbers: cells have positive addresses.
pub(super) fn shape(ty: &Type) -> Shape {
    match ty.kind {
        TypeKind::Bool => Shape {
            bits: 1,
            signed: false,
        },
        TypeKind::Int { bits, signed } => Shape { bits, signed },
        TypeKind::Float { bits } => Shape {
            bits: bits.min(64),
            signed: true,
        },
        TypeKind::Void
        | TypeKind::Pointer(_)
        | TypeKind::Array(..)
        | TypeKind::Struct(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => Shape {
            bits: 64,
            signed: true,
        },
    }
}

impl Shape {
    /// A number reduced to the values of the type.
    pub(super) fn wrap(self, value: i128) -> i64 {
        if self.bits == 1 {
            return i64::from(value != 0);
        }
        let modulus = 1_i128 << self.bits;
        let reduced = value.rem_euclid(modulus);
        let value = if self.signed && reduced >= modulus / 2 {
            reduced - modulus
        } else {
            reduced
        };
        // Values of unsigned 64-bit types beyond the signed range keep their bits.
        value as i64
    }

    /// The mathematical value that a known value stands for: for unsigned 64-bit types its bits.
    pub(super) fn exact(self, value: i64) -> i128 {
        if self.bits == 64 && !self.signed {
            i128::from(value as u64)
        } else {
            i128::from(value)
        }
    }

    /// The value whose 32-bit representation this is.
    pub(super) fn value_of_bits(self, bits: i32) -> i64 {
        if self.bits == 32 && !self.signed {
            i64::from(bits as u32)
        } else {
            i64::from(bits)
        }
    }

    /// The 32-bit representation of a known value, if it has one.
    pub(super) fn to_bits(self, value: i64) -> Option<i32> {
        if self.bits == 32 && !self.signed {
            Some(value as u32 as i32)
        } else {
            i32::try_from(value).ok()
        }
    }
}

/// A constant.
pub(super) fn c(value: i32) -> Expr<RegId> {
    Expr::Const(value)
}

pub(super) fn binary(op: BinaryOp, a: Expr<RegId>, b: Expr<RegId>) -> Expr<RegId> {
    Expr::binary(op, a, b)
}

pub(super) fn not(e: Expr<RegId>) -> Expr<RegId> {
    Expr::unary(UnaryOp::Not, e)
}

/// The value of an expression of 32 bits, reduced to a narrower type.
pub(super) fn narrowed(e: Expr<RegId>, to: Shape) -> Expr<RegId> {
    match (to.bits, to.signed) {
        (1, _) => binary(BinaryOp::Ne, e, c(0)),
        (bits @ (8 | 16), true) => {
            let by = i32::from(32 - bits);
            binary(BinaryOp::Shr, binary(BinaryOp::Shl, e, c(by)), c(by))
        }
        (bits @ (8 | 16), false) => binary(BinaryOp::BitAnd, e, c((1 << bits) - 1)),
        _ => e,
    }
}

/// `void`.
pub(super) fn void() -> Type {
    Type {
        kind: TypeKind::Void,
        atomic: false,
        volatile: false,
    }
}

/// `unsigned long`, which is `size_t`.
pub(super) fn unsigned_long() -> Type {
    Type {
        kind: TypeKind::Int {
            bits: 64,
            signed: false,
        },
        atomic: false,
        volatile: false,
    }
}

/// `int`.
pub(super) fn int() -> Type {
    Type {
        kind: TypeKind::Int {
            bits: 32,
            signed: true,
        },
        atomic: false,
        volatile: false,
    }
}

/// A pointer to this type.
pub(super) fn pointer(to: Type) -> Type {
    Type {
        kind: TypeKind::Pointer(Box::new(to)),
        atomic: false,
        volatile: false,
    }
}

/// `unsigned`
pub(super) fn uint() -> Type {
    Type {
        kind: TypeKind::Int {
            bits: 32,
            signed: false,
        },
        ..int()
    }
}

/// `long`.
pub(super) fn long() -> Type {
    Type {
        kind: TypeKind::Int {
            bits: 64,
            signed: true,
        },
        atomic: false,
        volatile: false,
    }
}

/// A value as a condition.
pub(super) fn condition(value: Value) -> Expr<RegId> {
    match value {
        Value::Known(value) => c(i32::from(value != 0)),
        Value::Unknown(e) => e,
    }
}
