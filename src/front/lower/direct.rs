//! The operations of languages that have no name in C, or another one.
//!
//! The memory orders are the last arguments, by their numbers in C.

use super::operation::{Compared, Expected, Idle, Lock, Meaning, Operation, Order};
use super::typed::{BinaryOp, Yields};

macro_rules! entries {
    ($($(#[$doc:meta])* $name:ident = $entry:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) static $name: Operation = $entry;
    )*};
}

const fn operation(name: &'static str, meaning: Meaning) -> Operation {
    Operation { name, meaning }
}

const fn before(op: BinaryOp) -> Meaning {
    Meaning::Fetch {
        op,
        yields: Yields::Before,
        order: Order::Argument,
    }
}

const fn notify(all: bool, idle: Idle) -> Meaning {
    Meaning::ConditionSignal { all, idle }
}

entries! {
    /// Object, order.
    LOAD = operation("load", Meaning::Load(Order::Argument));
    /// Object, value, order.
    STORE = operation("store", Meaning::Store(Order::Argument));
    /// Object, value, order; so are the next ones.
    SWAP = operation("swap", Meaning::Exchange(Order::Argument));
    FETCH_ADD = operation("fetch_add", before(BinaryOp::Add));
    FETCH_SUB = operation("fetch_sub", before(BinaryOp::Sub));
    FETCH_AND = operation("fetch_and", before(BinaryOp::BitAnd));
    FETCH_OR = operation("fetch_or", before(BinaryOp::BitOr));
    FETCH_XOR = operation("fetch_xor", before(BinaryOp::BitXor));
    /// Object, expected value, new value, orders of success and failure; yields the old value.
    COMPARE_EXCHANGE = operation("compare_exchange", Meaning::CompareExchange {
            expected: Expected::ByValue,
            yields: Compared::Old,
            order: Order::Argument,
        }
    );
    /// Order.
    FENCE = operation("fence", Meaning::ThreadFence(Order::Argument));
    /// Nothing but a barrier for compilers; arguments are evaluated.
    COMPILER_FENCE = operation("compiler_fence", Meaning::CompilerBarrier);
    /// Nothing; arguments are evaluated.
    IGNORE = operation("ignore", Meaning::Ignore);
    /// A text.
    PRINT = operation("printf", Meaning::Print);
    /// A text that is known, whose printing yields any value.
    PRINT_KNOWN = operation("puts", Meaning::Nondet { low: i32::MIN, high: i32::MAX });
    /// Routine, its arguments.
    SPAWN = operation("spawn", Meaning::Spawn);
    /// Thread, where the result goes or null.
    JOIN = operation("join", Meaning::Join);
    SCOPE_BEGIN = operation("scope", Meaning::ScopeBegin);
    SCOPE_END = operation("scope", Meaning::ScopeEnd);
    /// Lock; it is released by a store.
    LOCK = operation("lock", Meaning::Lock(Lock::C11));
    TRY_LOCK = operation("try_lock", Meaning::TryLock(Lock::C11, Idle::Locked));
    UNLOCK = operation("unlock", Meaning::Unlock(Lock::C11));
    /// Lock; a reader's or a writer's, which is released by a store.
    LOCK_READ = operation("read", Meaning::FairLock(Lock::Read));
    LOCK_WRITE = operation("write", Meaning::FairLock(Lock::Write));
    TRY_LOCK_READ = operation("try_read", Meaning::TryLock(Lock::Read, Idle::Loads));
    TRY_LOCK_WRITE = operation("try_write", Meaning::TryLock(Lock::Write, Idle::Loads));
    UNLOCK_READ = operation("read", Meaning::Unlock(Lock::Read));
    UNLOCK_WRITE = operation("write", Meaning::Unlock(Lock::Write));
    /// Condition variable, lock; with a third argument, for a time: whether that is over.
    WAIT = operation("wait", Meaning::ConditionWait(Lock::C11));
    /// Condition variable. Each notification is counted, whether a thread waits or not.
    NOTIFY_ONE = operation("notify_one", notify(false, Idle::Locked));
    NOTIFY_ALL = operation("notify_all", notify(true, Idle::Locked));
    /// The same; it is a load where no thread waits.
    NOTIFY_ONE_WAITING = operation("notify_one", notify(false, Idle::Loads));
    NOTIFY_ALL_WAITING = operation("notify_all", notify(true, Idle::Loads));
    /// 0 or 1.
    EITHER = operation("either", Meaning::Nondet { low: 0, high: 1 });
    /// Waits for the token of this thread, and takes it. With an argument, for a time.
    PARK = operation("park", Meaning::Park);
    /// Thread, which gets its token.
    UNPARK = operation("unpark", Meaning::Unpark);
    /// The handle of this thread.
    CURRENT = operation("current", Meaning::ThreadSelf);
    /// Its number, and its arguments.
    SYSTEM_CALL = operation("syscall", Meaning::SystemCall);
    /// The lower and the upper half of a number.
    NARROWED = operation("a number of 64 bits", Meaning::Narrowed);
    /// A number of 64 bits.
    UPPER = operation("the upper half of a number", Meaning::Upper);
    /// A block of the heap, which ends.
    FREE = operation("drop", Meaning::Free);
    /// Condition, without which an execution is not covered: a collection has no room; for how many elements it has.
    WITHIN_CAPACITY = operation("push", Meaning::Limit);
    /// Condition.
    ASSERT = operation("assert", Meaning::Assert);
    FAIL = operation("panic", Meaning::Fail);
}
