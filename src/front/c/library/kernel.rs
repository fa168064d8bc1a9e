//! The Linux kernel's atomic operations.
//!
//! Names that start with `__fencepost_` are what the macros of the built-in header become: the object
//! comes first, by its address, whatever the order in the kernel's name.
//!
//! All read-modify-writes are locked instructions, in assembly that no compiler changes. The last
//! argument, the order of the kernel's memory model, makes no difference on x86.

use super::atomics::{compare, fetch};
use super::{Entry, Returns, exactly};
use crate::lower::operation::{Compared, Expected, Meaning, Order};
use crate::lower::typed::{BinaryOp, Yields};

/// Accesses and read-modify-writes.
pub(super) const ATOMIC: &[Entry] = &[
    exactly(
        "__fencepost_read_once",
        Returns::Pointee,
        1,
        Meaning::Load(Order::Once),
    ),
    exactly(
        "__fencepost_write_once",
        Returns::Void,
        2,
        Meaning::Store(Order::Once),
    ),
    exactly(
        "smp_load_acquire",
        Returns::Pointee,
        1,
        Meaning::Load(Order::Acquire),
    ),
    exactly(
        "smp_store_release",
        Returns::Void,
        2,
        Meaning::Store(Order::Release),
    ),
    exactly(
        "__fencepost_atomic_read",
        Returns::Pointee,
        1,
        Meaning::Load(Order::Once),
    ),
    exactly(
        "__fencepost_atomic_read_acquire",
        Returns::Pointee,
        1,
        Meaning::Load(Order::Acquire),
    ),
    exactly(
        "__fencepost_atomic_set",
        Returns::Void,
        2,
        Meaning::Store(Order::Once),
    ),
    exactly(
        "__fencepost_atomic_set_release",
        Returns::Void,
        2,
        Meaning::Store(Order::Release),
    ),
    exactly(
        "__fencepost_atomic_add",
        Returns::Void,
        2,
        fetch(BinaryOp::Add, Yields::After, Order::SeqCst),
    ),
    exactly(
        "__fencepost_atomic_sub",
        Returns::Void,
        2,
        fetch(BinaryOp::Sub, Yields::After, Order::SeqCst),
    ),
    exactly(
        "__fencepost_atomic_and",
        Returns::Void,
        2,
        fetch(BinaryOp::BitAnd, Yields::After, Order::SeqCst),
    ),
    exactly(
        "__fencepost_atomic_or",
        Returns::Void,
        2,
        fetch(BinaryOp::BitOr, Yields::After, Order::SeqCst),
    ),
    exactly(
        "__fencepost_atomic_xor",
        Returns::Void,
        2,
        fetch(BinaryOp::BitXor, Yields::After, Order::SeqCst),
    ),
    exactly(
        "__fencepost_atomic_fetch_add",
        Returns::Pointee,
        3,
        fetch(BinaryOp::Add, Yields::Before, Order::SeqCst),
    ),
    exactly(
        "__fencepost_atomic_fetch_sub",
        Returns::Pointee,
        3,
        fetch(BinaryOp::Sub, Yields::Before, Order::SeqCst),
    ),
    exactly(
        "__fencepost_atomic_fetch_and",
        Returns::Pointee,
        3,
        fetch(BinaryOp::BitAnd, Yields::Before, Order::SeqCst),
    ),
    exactly(
        "__fencepost_atomic_fetch_or",
        Returns::Pointee,
        3,
        fetch(BinaryOp::BitOr, Yields::Before, Order::SeqCst),
    ),
    exactly(
        "__fencepost_atomic_fetch_xor",
        Returns::Pointee,
        3,
        fetch(BinaryOp::BitXor, Yields::Before, Order::SeqCst),
    ),
    exactly(
        "__fencepost_atomic_add_return",
        Returns::Pointee,
        3,
        fetch(BinaryOp::Add, Yields::After, Order::SeqCst),
    ),
    exactly(
        "__fencepost_atomic_sub_return",
        Returns::Pointee,
        3,
        fetch(BinaryOp::Sub, Yields::After, Order::SeqCst),
    ),
    exactly(
        "__fencepost_store_mb",
        Returns::Void,
        2,
        Meaning::Store(Order::SeqCst),
    ),
    exactly(
        "__fencepost_xchg",
        Returns::Pointee,
        3,
        Meaning::Exchange(Order::SeqCst),
    ),
    exactly(
        "__fencepost_cmpxchg",
        Returns::Pointee,
        5,
        compare(Expected::ByValue, Compared::Old, Order::SeqCst),
    ),
    exactly(
        "__fencepost_try_cmpxchg",
        Returns::Bool,
        5,
        compare(Expected::ByPointer, Compared::Success, Order::SeqCst),
    ),
];
