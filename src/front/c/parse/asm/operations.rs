//! What instructions do to memory, as operations of the typed program.
//!
//! Compilers neither split, merge nor replace what inline assembly does, so no operation is one that
//! `lower::compiled` looks at. None of them orders other accesses for the compiler, either: that is up to
//! `memory` among the clobbers.

use crate::lower::operation::{Compared, Expected, Meaning, Operation, Order};
use crate::lower::typed::{BinaryOp, Yields};

const fn row(name: &'static str, meaning: Meaning) -> Operation {
    Operation { name, meaning }
}

const fn fetch(name: &'static str, op: BinaryOp) -> Operation {
    let (yields, order) = (Yields::Before, Order::Once);
    row(name, Meaning::Fetch { op, yields, order })
}

pub(super) static LOAD: Operation = row("mov", Meaning::Load(Order::Once));
pub(super) static STORE: Operation = row("mov", Meaning::Store(Order::Once));
pub(super) static EXCHANGE: Operation = row("xchg", Meaning::Exchange(Order::Once));
pub(super) static COMPARE: Operation = row(
    "cmpxchg",
    Meaning::CompareExchange {
        expected: Expected::ByValue,
        yields: Compared::Old,
        order: Order::Once,
    },
);
/// Any 32 bits.
pub(super) static ANY: Operation = row(
    "rdtsc",
    Meaning::Nondet {
        low: i32::MIN,
        high: i32::MAX,
    },
);
/// A locked instruction that is none of the others.
pub(super) static BEGIN: Operation = row("lock", Meaning::AtomicBegin);
pub(super) static END: Operation = row("lock", Meaning::AtomicEnd);

static ADD: Operation = fetch("lock add", BinaryOp::Add);
static SUB: Operation = fetch("lock sub", BinaryOp::Sub);
static AND: Operation = fetch("lock and", BinaryOp::BitAnd);
static OR: Operation = fetch("lock or", BinaryOp::BitOr);
static XOR: Operation = fetch("lock xor", BinaryOp::BitXor);

/// The locked instruction that stores `old op operand`, if there is one.
pub(super) fn locked(op: BinaryOp) -> Option<&'static Operation> {
    [&ADD, &SUB, &AND, &OR, &XOR]
        .into_iter()
        .find(|row| matches!(row.meaning, Meaning::Fetch { op: known, .. } if known == op))
}
