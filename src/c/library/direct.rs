//! What languages without C's library call: operations that have no name in C.
//!
//! The memory orders are the last arguments, by their numbers in C.

use super::atomics::{compare, fetch};
use super::{Compared, Entry, Expected, Lock, Meaning, Order, Returns, at_least, exactly};
use crate::c::hir::{BinaryOp, Yields};

macro_rules! entries {
    ($($(#[$doc:meta])* $name:ident = $entry:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) static $name: Entry = $entry;
    )*};
}

const fn before(op: BinaryOp) -> Meaning {
    fetch(op, Yields::Before, Order::Argument)
}

entries! {
    /// Object, order.
    LOAD = exactly("load", Returns::Pointee, 2, Meaning::Load(Order::Argument));
    /// Object, value, order.
    STORE = exactly("store", Returns::Void, 3, Meaning::Store(Order::Argument));
    /// Object, value, order; so are the next ones.
    SWAP = exactly("swap", Returns::Pointee, 3, Meaning::Exchange(Order::Argument));
    FETCH_ADD = exactly("fetch_add", Returns::Pointee, 3, before(BinaryOp::Add));
    FETCH_SUB = exactly("fetch_sub", Returns::Pointee, 3, before(BinaryOp::Sub));
    FETCH_AND = exactly("fetch_and", Returns::Pointee, 3, before(BinaryOp::BitAnd));
    FETCH_OR = exactly("fetch_or", Returns::Pointee, 3, before(BinaryOp::BitOr));
    FETCH_XOR = exactly("fetch_xor", Returns::Pointee, 3, before(BinaryOp::BitXor));
    /// Object, expected value, new value, orders of success and failure; yields the old value.
    COMPARE_EXCHANGE = exactly(
        "compare_exchange",
        Returns::Pointee,
        5,
        compare(Expected::ByValue, Compared::Old, Order::Argument)
    );
    /// Order.
    FENCE = exactly("fence", Returns::Void, 1, Meaning::ThreadFence(Order::Argument));
    /// Nothing but a barrier for compilers; arguments are evaluated.
    COMPILER_FENCE = at_least("compiler_fence", Returns::Void, 0, Meaning::CompilerBarrier);
    /// Nothing; arguments are evaluated.
    IGNORE = at_least("ignore", Returns::Void, 0, Meaning::Ignore);
    /// Routine, its arguments.
    SPAWN = at_least("spawn", Returns::Thread, 1, Meaning::Spawn);
    /// Thread, where the result goes or null.
    JOIN = exactly("join", Returns::Int, 2, Meaning::Join);
    SCOPE_BEGIN = exactly("scope", Returns::Void, 0, Meaning::ScopeBegin);
    SCOPE_END = exactly("scope", Returns::Void, 0, Meaning::ScopeEnd);
    /// Lock; it is released by a store.
    LOCK = exactly("lock", Returns::Void, 1, Meaning::Lock(Lock::C11));
    TRY_LOCK = exactly("try_lock", Returns::Bool, 1, Meaning::TryLock(Lock::C11));
    UNLOCK = exactly("unlock", Returns::Void, 1, Meaning::Unlock(Lock::C11));
    /// Condition.
    ASSERT = exactly("assert", Returns::Void, 1, Meaning::Assert);
    FAIL = exactly("panic", Returns::Void, 0, Meaning::Fail);
}
