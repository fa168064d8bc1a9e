//! Built-ins of compilers that compute.

use super::{Entry, Returns, exactly};
use crate::lower::operation::{BitFunction, Meaning};
use crate::lower::typed::BinaryOp;

const fn of(name: &'static str, what: BitFunction, width: u8) -> Entry {
    exactly(name, Returns::Int, 1, Meaning::Bits { what, width })
}

/// Functions of the bits of an unsigned number of this width.
pub(super) const BITS: &[Entry] = &[
    of("__builtin_clz", BitFunction::LeadingZeros, 32),
    of("__builtin_clzl", BitFunction::LeadingZeros, 64),
    of("__builtin_clzll", BitFunction::LeadingZeros, 64),
    of("__builtin_ctz", BitFunction::TrailingZeros, 32),
    of("__builtin_ctzl", BitFunction::TrailingZeros, 64),
    of("__builtin_ctzll", BitFunction::TrailingZeros, 64),
    of("__builtin_ffs", BitFunction::FirstSet, 32),
    of("__builtin_ffsl", BitFunction::FirstSet, 64),
    of("__builtin_ffsll", BitFunction::FirstSet, 64),
    of("ffs", BitFunction::FirstSet, 32),
    of("ffsl", BitFunction::FirstSet, 64),
    of("ffsll", BitFunction::FirstSet, 64),
    of("__builtin_popcount", BitFunction::Ones, 32),
    of("__builtin_popcountl", BitFunction::Ones, 64),
    of("__builtin_popcountll", BitFunction::Ones, 64),
    of("__builtin_parity", BitFunction::Parity, 32),
    of("__builtin_parityl", BitFunction::Parity, 64),
    of("__builtin_parityll", BitFunction::Parity, 64),
    exactly("__builtin_bswap16", Returns::UnsignedShort, 1, swap(16)),
    exactly("__builtin_bswap32", Returns::UnsignedInt, 1, swap(32)),
    exactly("__builtin_bswap64", Returns::UnsignedLong, 1, swap(64)),
];

const fn swap(width: u8) -> Meaning {
    Meaning::Bits {
        what: BitFunction::SwapBytes,
        width,
    }
}

const fn over(name: &'static str, op: BinaryOp, ty: Option<(u8, bool)>) -> Entry {
    exactly(name, Returns::Bool, 3, Meaning::Overflow(op, ty))
}

const INT: Option<(u8, bool)> = Some((32, true));
const UNSIGNED: Option<(u8, bool)> = Some((32, false));
const LONG: Option<(u8, bool)> = Some((64, true));
const UNSIGNED_LONG: Option<(u8, bool)> = Some((64, false));

/// Arithmetic that yields whether it overflows; the operands have these types.
pub(super) const OVERFLOW: &[Entry] = &[
    over("__builtin_add_overflow", BinaryOp::Add, None),
    over("__builtin_sub_overflow", BinaryOp::Sub, None),
    over("__builtin_mul_overflow", BinaryOp::Mul, None),
    over("__builtin_sadd_overflow", BinaryOp::Add, INT),
    over("__builtin_ssub_overflow", BinaryOp::Sub, INT),
    over("__builtin_smul_overflow", BinaryOp::Mul, INT),
    over("__builtin_uadd_overflow", BinaryOp::Add, UNSIGNED),
    over("__builtin_usub_overflow", BinaryOp::Sub, UNSIGNED),
    over("__builtin_umul_overflow", BinaryOp::Mul, UNSIGNED),
    over("__builtin_saddl_overflow", BinaryOp::Add, LONG),
    over("__builtin_ssubl_overflow", BinaryOp::Sub, LONG),
    over("__builtin_smull_overflow", BinaryOp::Mul, LONG),
    over("__builtin_uaddl_overflow", BinaryOp::Add, UNSIGNED_LONG),
    over("__builtin_usubl_overflow", BinaryOp::Sub, UNSIGNED_LONG),
    over("__builtin_umull_overflow", BinaryOp::Mul, UNSIGNED_LONG),
    over("__builtin_saddll_overflow", BinaryOp::Add, LONG),
    over("__builtin_ssubll_overflow", BinaryOp::Sub, LONG),
    over("__builtin_smulll_overflow", BinaryOp::Mul, LONG),
    over("__builtin_uaddll_overflow", BinaryOp::Add, UNSIGNED_LONG),
    over("__builtin_usubll_overflow", BinaryOp::Sub, UNSIGNED_LONG),
    over("__builtin_umulll_overflow", BinaryOp::Mul, UNSIGNED_LONG),
];
