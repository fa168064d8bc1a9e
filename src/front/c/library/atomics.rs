//! Atomic operations: of C11, and the built-ins of compilers.
//!
//! **Absent.** `__atomic_load` and others that take the operand by a pointer (the parser reads them as
//! those on values), `nand`, and `atomic_is_lock_free`.

use super::{Entry, Returns, at_least, exactly};
use crate::lower::operation::{Compared, Expected, Meaning, Order};
use crate::lower::typed::{BinaryOp, Yields};

pub(super) const fn fetch(op: BinaryOp, yields: Yields, order: Order) -> Meaning {
    Meaning::Fetch { op, yields, order }
}

pub(super) const fn compare(expected: Expected, yields: Compared, order: Order) -> Meaning {
    Meaning::CompareExchange {
        expected,
        yields,
        order,
    }
}

/// `<stdatomic.h>`
pub(super) const C11: &[Entry] = &[
    exactly(
        "atomic_init",
        Returns::Void,
        2,
        Meaning::Store(Order::Relaxed),
    ),
    exactly(
        "atomic_load",
        Returns::Pointee,
        1,
        Meaning::Load(Order::SeqCst),
    ),
    exactly(
        "atomic_store",
        Returns::Void,
        2,
        Meaning::Store(Order::SeqCst),
    ),
    exactly(
        "atomic_exchange",
        Returns::Pointee,
        2,
        Meaning::Exchange(Order::SeqCst),
    ),
    exactly(
        "atomic_compare_exchange_strong",
        Returns::Bool,
        3,
        compare(Expected::ByPointer, Compared::Success, Order::SeqCst),
    ),
    exactly(
        "atomic_compare_exchange_weak",
        Returns::Bool,
        3,
        compare(Expected::ByPointer, Compared::Success, Order::SeqCst),
    ),
    exactly(
        "atomic_fetch_add",
        Returns::Pointee,
        2,
        fetch(BinaryOp::Add, Yields::Before, Order::SeqCst),
    ),
    exactly(
        "atomic_fetch_sub",
        Returns::Pointee,
        2,
        fetch(BinaryOp::Sub, Yields::Before, Order::SeqCst),
    ),
    exactly(
        "atomic_fetch_and",
        Returns::Pointee,
        2,
        fetch(BinaryOp::BitAnd, Yields::Before, Order::SeqCst),
    ),
    exactly(
        "atomic_fetch_or",
        Returns::Pointee,
        2,
        fetch(BinaryOp::BitOr, Yields::Before, Order::SeqCst),
    ),
    exactly(
        "atomic_fetch_xor",
        Returns::Pointee,
        2,
        fetch(BinaryOp::BitXor, Yields::Before, Order::SeqCst),
    ),
    exactly(
        "atomic_flag_test_and_set",
        Returns::Bool,
        1,
        Meaning::TestAndSet(Order::SeqCst),
    ),
    exactly(
        "atomic_flag_clear",
        Returns::Void,
        1,
        Meaning::Clear(Order::SeqCst),
    ),
    exactly(
        "atomic_load_explicit",
        Returns::Pointee,
        2,
        Meaning::Load(Order::Argument),
    ),
    exactly(
        "atomic_store_explicit",
        Returns::Void,
        3,
        Meaning::Store(Order::Argument),
    ),
    exactly(
        "atomic_exchange_explicit",
        Returns::Pointee,
        3,
        Meaning::Exchange(Order::Argument),
    ),
    exactly(
        "atomic_compare_exchange_strong_explicit",
        Returns::Bool,
        5,
        compare(Expected::ByPointer, Compared::Success, Order::Argument),
    ),
    exactly(
        "atomic_compare_exchange_weak_explicit",
        Returns::Bool,
        5,
        compare(Expected::ByPointer, Compared::Success, Order::Argument),
    ),
    exactly(
        "atomic_fetch_add_explicit",
        Returns::Pointee,
        3,
        fetch(BinaryOp::Add, Yields::Before, Order::Argument),
    ),
    exactly(
        "atomic_fetch_sub_explicit",
        Returns::Pointee,
        3,
        fetch(BinaryOp::Sub, Yields::Before, Order::Argument),
    ),
    exactly(
        "atomic_fetch_and_explicit",
        Returns::Pointee,
        3,
        fetch(BinaryOp::BitAnd, Yields::Before, Order::Argument),
    ),
    exactly(
        "atomic_fetch_or_explicit",
        Returns::Pointee,
        3,
        fetch(BinaryOp::BitOr, Yields::Before, Order::Argument),
    ),
    exactly(
        "atomic_fetch_xor_explicit",
        Returns::Pointee,
        3,
        fetch(BinaryOp::BitXor, Yields::Before, Order::Argument),
    ),
    exactly(
        "atomic_flag_test_and_set_explicit",
        Returns::Bool,
        2,
        Meaning::TestAndSet(Order::Argument),
    ),
    exactly(
        "atomic_flag_clear_explicit",
        Returns::Void,
        2,
        Meaning::Clear(Order::Argument),
    ),
    exactly(
        "atomic_thread_fence",
        Returns::Void,
        1,
        Meaning::ThreadFence(Order::Argument),
    ),
    exactly(
        "atomic_signal_fence",
        Returns::Void,
        1,
        Meaning::CompilerBarrier,
    ),
];

/// `__atomic_…`
pub(super) const BUILTIN: &[Entry] = &[
    exactly(
        "__atomic_load_n",
        Returns::Pointee,
        2,
        Meaning::Load(Order::Argument),
    ),
    exactly(
        "__atomic_store_n",
        Returns::Void,
        3,
        Meaning::Store(Order::Argument),
    ),
    exactly(
        "__atomic_exchange_n",
        Returns::Pointee,
        3,
        Meaning::Exchange(Order::Argument),
    ),
    exactly(
        "__atomic_compare_exchange_n",
        Returns::Bool,
        6,
        compare(Expected::ByPointer, Compared::Success, Order::Argument),
    ),
    exactly(
        "__atomic_fetch_add",
        Returns::Pointee,
        3,
        fetch(BinaryOp::Add, Yields::Before, Order::Argument),
    ),
    exactly(
        "__atomic_add_fetch",
        Returns::Pointee,
        3,
        fetch(BinaryOp::Add, Yields::After, Order::Argument),
    ),
    exactly(
        "__atomic_fetch_sub",
        Returns::Pointee,
        3,
        fetch(BinaryOp::Sub, Yields::Before, Order::Argument),
    ),
    exactly(
        "__atomic_sub_fetch",
        Returns::Pointee,
        3,
        fetch(BinaryOp::Sub, Yields::After, Order::Argument),
    ),
    exactly(
        "__atomic_fetch_and",
        Returns::Pointee,
        3,
        fetch(BinaryOp::BitAnd, Yields::Before, Order::Argument),
    ),
    exactly(
        "__atomic_and_fetch",
        Returns::Pointee,
        3,
        fetch(BinaryOp::BitAnd, Yields::After, Order::Argument),
    ),
    exactly(
        "__atomic_fetch_or",
        Returns::Pointee,
        3,
        fetch(BinaryOp::BitOr, Yields::Before, Order::Argument),
    ),
    exactly(
        "__atomic_or_fetch",
        Returns::Pointee,
        3,
        fetch(BinaryOp::BitOr, Yields::After, Order::Argument),
    ),
    exactly(
        "__atomic_fetch_xor",
        Returns::Pointee,
        3,
        fetch(BinaryOp::BitXor, Yields::Before, Order::Argument),
    ),
    exactly(
        "__atomic_xor_fetch",
        Returns::Pointee,
        3,
        fetch(BinaryOp::BitXor, Yields::After, Order::Argument),
    ),
    exactly(
        "__atomic_test_and_set",
        Returns::Bool,
        2,
        Meaning::TestAndSet(Order::Argument),
    ),
    exactly(
        "__atomic_clear",
        Returns::Void,
        2,
        Meaning::Clear(Order::Argument),
    ),
    exactly(
        "__atomic_thread_fence",
        Returns::Void,
        1,
        Meaning::ThreadFence(Order::Argument),
    ),
    exactly(
        "__atomic_signal_fence",
        Returns::Void,
        1,
        Meaning::CompilerBarrier,
    ),
];

/// `__sync_…`, which take and ignore further arguments.
pub(super) const SYNC: &[Entry] = &[
    at_least(
        "__sync_fetch_and_add",
        Returns::Pointee,
        2,
        fetch(BinaryOp::Add, Yields::Before, Order::SeqCst),
    ),
    at_least(
        "__sync_add_and_fetch",
        Returns::Pointee,
        2,
        fetch(BinaryOp::Add, Yields::After, Order::SeqCst),
    ),
    at_least(
        "__sync_fetch_and_sub",
        Returns::Pointee,
        2,
        fetch(BinaryOp::Sub, Yields::Before, Order::SeqCst),
    ),
    at_least(
        "__sync_sub_and_fetch",
        Returns::Pointee,
        2,
        fetch(BinaryOp::Sub, Yields::After, Order::SeqCst),
    ),
    at_least(
        "__sync_fetch_and_and",
        Returns::Pointee,
        2,
        fetch(BinaryOp::BitAnd, Yields::Before, Order::SeqCst),
    ),
    at_least(
        "__sync_and_and_fetch",
        Returns::Pointee,
        2,
        fetch(BinaryOp::BitAnd, Yields::After, Order::SeqCst),
    ),
    at_least(
        "__sync_fetch_and_or",
        Returns::Pointee,
        2,
        fetch(BinaryOp::BitOr, Yields::Before, Order::SeqCst),
    ),
    at_least(
        "__sync_or_and_fetch",
        Returns::Pointee,
        2,
        fetch(BinaryOp::BitOr, Yields::After, Order::SeqCst),
    ),
    at_least(
        "__sync_fetch_and_xor",
        Returns::Pointee,
        2,
        fetch(BinaryOp::BitXor, Yields::Before, Order::SeqCst),
    ),
    at_least(
        "__sync_xor_and_fetch",
        Returns::Pointee,
        2,
        fetch(BinaryOp::BitXor, Yields::After, Order::SeqCst),
    ),
    at_least(
        "__sync_bool_compare_and_swap",
        Returns::Bool,
        3,
        compare(Expected::ByValue, Compared::Success, Order::SeqCst),
    ),
    at_least(
        "__sync_val_compare_and_swap",
        Returns::Pointee,
        3,
        compare(Expected::ByValue, Compared::Old, Order::SeqCst),
    ),
    at_least(
        "__sync_lock_test_and_set",
        Returns::Pointee,
        2,
        Meaning::Exchange(Order::Acquire),
    ),
    at_least(
        "__sync_lock_release",
        Returns::Void,
        1,
        Meaning::Clear(Order::Release),
    ),
    at_least("__sync_synchronize", Returns::Void, 0, Meaning::FullFence),
];
