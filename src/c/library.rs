//! The functions of libraries and built-ins of compilers whose meaning is known, by name.
//!
//! The table is all that is known of them: a function that is neither defined in the program nor here
//! is refused where it is called.

mod atomics;
pub(crate) mod direct;
mod kernel;
mod locks;
mod other;
mod threads;

/// A known function.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    /// The type of a call.
    pub(crate) returns: Returns,
    /// The number of arguments; those after a printf-like format are ignored.
    pub(crate) arguments: Arguments,
    pub(crate) meaning: Meaning,
}

/// The type of a call of a known function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Returns {
    Void,
    Int,
    UnsignedInt,
    Long,
    Bool,
    /// `void *`
    Pointer,
    /// The (unqualified) type that the first argument points to: `atomic_load(&x)`, `READ_ONCE(x)`
    /// as `*__fencepost_read_once(&x)`.
    Pointee,
    /// `pthread_t`
    Thread,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arguments {
    Exactly(u8),
    AtLeast(u8),
}

/// The memory orders of C11.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
    /// The last argument, or the last but one for the success order of a compare-exchange.
    Argument,
}

/// What a call does. Argument 0 is a pointer to the object unless said otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// Yields the object's value.
    Load(Order),
    /// Stores argument 1.
    Store(Order),
    /// Stores argument 1, yields the value before.
    Exchange(Order),
    /// Stores `old op argument 1`.
    Fetch {
        op: super::hir::BinaryOp,
        yields: super::hir::Yields,
        order: Order,
    },
    /// Stores argument 2 if the object holds the expected value.
    CompareExchange {
        expected: Expected,
        yields: Compared,
        order: Order,
    },
    /// `atomic_flag_test_and_set`, `test_and_set_bit` have entries of their own: sets, yields 0 or 1.
    TestAndSet(Order),
    Clear(Order),
    /// `atomic_thread_fence(order)` and the like.
    ThreadFence(Order),
    /// `smp_mb()`
    FullFence,
    /// `smp_wmb()`
    StoreFence,
    /// `barrier()`, `smp_rmb()`: no instruction, but compilers move no access over it.
    CompilerBarrier,
    /// Argument 1 is the kind of a mutex.
    MutexType,
    /// Arguments: handle, attributes, routine, argument.
    PthreadCreate,
    /// Arguments: handle, routine, argument.
    ThrdCreate,
    /// Arguments: routine, and the arguments of that. Yields the handle.
    Spawn,
    /// The threads that this one creates from here on are joined at the end of the scope.
    ScopeBegin,
    ScopeEnd,
    /// Arguments: thread, where the result goes or null.
    Join,
    ThreadExit,
    ThreadSelf,
    /// Waits for the token of this thread, and takes it; it may also return for no reason.
    Park,
    /// Argument 0 is the thread that gets its token.
    Unpark,
    MutexInit,
    Lock(Lock),
    /// Yields 0 on success, or 1 if it returns a `bool`.
    TryLock(Lock),
    Unlock(Lock),
    /// Arguments: condition, lock of this kind.
    ConditionWait(Lock),
    ConditionInit,
    /// Whether all threads that wait are woken, and not one.
    ConditionSignal(bool),
    BarrierInit,
    BarrierWait,
    SemaphoreInit,
    SemaphoreWait,
    SemaphoreTryWait,
    SemaphorePost,
    /// Arguments: flag, routine.
    Once,
    Malloc,
    Calloc,
    Free,
    /// A violation where argument 0 is 0.
    Assert,
    /// A violation.
    Fail,
    /// Blocks where argument 0 is 0.
    Assume,
    /// The process ends: no further step of this thread.
    Exit,
    /// Any value of the type returned.
    Nondet {
        low: i32,
        high: i32,
    },
    AtomicBegin,
    AtomicEnd,
    /// Nothing; arguments are evaluated. Yields 0.
    Ignore,
}

/// Where the expected value of a compare-exchange comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expected {
    /// Argument 1 points to it, and receives the old value on failure.
    ByPointer,
    /// Argument 1.
    ByValue,
}

/// What a compare-exchange yields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Compared {
    Success,
    Old,
}

/// The kinds of locks, which differ in how they are released.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lock {
    /// POSIX: released by a locked instruction.
    Pthread,
    /// `mtx_t`: released by a store.
    C11,
    /// `spinlock_t`, `pthread_spinlock_t`: released by a store.
    Spin,
    Read,
    /// Released by a store, as in Linux.
    Write,
    /// `pthread_rwlock_unlock`: whichever of the two the thread holds.
    ReadOrWrite,
}

/// The entry of this name.
pub(crate) fn find(name: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry.name == name)
}

/// All names, in the order of the tables.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    entries().map(|entry| entry.name)
}

fn entries() -> impl Iterator<Item = &'static Entry> {
    TABLE.iter().copied().flatten()
}

/// All known functions.
const TABLE: &[&[Entry]] = &[
    atomics::C11,
    atomics::BUILTIN,
    atomics::SYNC,
    kernel::ATOMIC,
    locks::BARRIERS,
    locks::LOCKS,
    threads::POSIX,
    threads::IGNORED,
    threads::C11,
    threads::SEMAPHORES,
    other::ENDS,
    other::VERIFIER,
    other::MEMORY,
    other::MACHINE,
    other::IGNORED,
];

/// An entry with a fixed number of arguments.
const fn exactly(name: &'static str, returns: Returns, arguments: u8, meaning: Meaning) -> Entry {
    Entry {
        name,
        returns,
        arguments: Arguments::Exactly(arguments),
        meaning,
    }
}

/// An entry with a variable number of arguments.
const fn at_least(name: &'static str, returns: Returns, arguments: u8, meaning: Meaning) -> Entry {
    Entry {
        name,
        returns,
        arguments: Arguments::AtLeast(arguments),
        meaning,
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::wildcard_enum_match_arm,
        reason = "all other meanings have no order"
    )]

    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_is_there_once() {
        let all: BTreeSet<&str> = names().collect();
        assert_eq!(all.len(), names().count());
    }

    #[test]
    fn an_order_that_is_an_argument_has_one() {
        // The object, the operands, and the orders.
        for entry in entries() {
            let least = match entry.meaning {
                Meaning::Load(Order::Argument)
                | Meaning::TestAndSet(Order::Argument)
                | Meaning::Clear(Order::Argument) => 2,
                Meaning::Store(Order::Argument)
                | Meaning::Exchange(Order::Argument)
                | Meaning::Fetch {
                    order: Order::Argument,
                    ..
                } => 3,
                Meaning::CompareExchange {
                    order: Order::Argument,
                    ..
                } => 5,
                Meaning::ThreadFence(Order::Argument) => 1,
                _ => continue,
            };
            let (Arguments::Exactly(count) | Arguments::AtLeast(count)) = entry.arguments;
            assert!(count >= least, "{}", entry.name);
        }
    }
}
