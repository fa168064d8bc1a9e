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
    /// Lock; a reader's or a writer's, which is released by a store.
    LOCK_READ = exactly("read", Returns::Void, 1, Meaning::Lock(Lock::Read));
    LOCK_WRITE = exactly("write", Returns::Void, 1, Meaning::Lock(Lock::Write));
    TRY_LOCK_READ = exactly("try_read", Returns::Bool, 1, Meaning::TryLock(Lock::Read));
    TRY_LOCK_WRITE = exactly("try_write", Returns::Bool, 1, Meaning::TryLock(Lock::Write));
    UNLOCK_READ = exactly("read", Returns::Void, 1, Meaning::Unlock(Lock::Read));
    UNLOCK_WRITE = exactly("write", Returns::Void, 1, Meaning::Unlock(Lock::Write));
    /// Condition variable, lock.
    WAIT = exactly("wait", Returns::Void, 2, Meaning::ConditionWait(Lock::C11));
    /// Condition variable.
    NOTIFY_ONE = exactly("notify_one", Returns::Void, 1, Meaning::ConditionSignal(false));
    NOTIFY_ALL = exactly("notify_all", Returns::Void, 1, Meaning::ConditionSignal(true));
    /// Waits for the token of this thread, and takes it.
    PARK = exactly("park", Returns::Void, 0, Meaning::Park);
    /// Thread, which gets its token.
    UNPARK = exactly("unpark", Returns::Void, 1, Meaning::Unpark);
    /// The handle of this thread.
    CURRENT = exactly("current", Returns::Thread, 0, Meaning::ThreadSelf);
    /// Condition.
    ASSERT = exactly("assert", Returns::Void, 1, Meaning::Assert);
    FAIL = exactly("panic", Returns::Void, 0, Meaning::Fail);
}
