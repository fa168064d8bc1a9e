//! The operations of libraries and compilers whose meaning is known.
//!
//! Front ends find them by the names of their language, check the arguments and the type of a call, and
//! name the operation in the typed program. `library` makes instructions of them.

pub(crate) use super::grace::Section;
use super::typed::{BinaryOp, Yields};

/// A known operation.
#[derive(Debug)]
pub(crate) struct Operation {
    /// What messages call it.
    pub(crate) name: &'static str,
    pub(crate) meaning: Meaning,
}

/// The memory orders of C11.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    Relaxed,
    /// Not of C11: that of `READ_ONCE` and its kind, which keep dependencies.
    Once,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
    /// The last argument, or the last but one for the success order of a compare-exchange.
    Argument,
}

/// What is said or asked about texts that are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextFact {
    /// One is written that is shorter than in reality.
    Short,
    /// One is written whose characters are any.
    Any,
    /// Yields whether the argument may be one of either kind: there is one, and the argument does not point to a text
    /// that nothing changes.
    IsAny,
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
        op: BinaryOp,
        yields: Yields,
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
    /// Yields the number of a new key. Arguments: what ends its values, with the number and the destructor; the
    /// destructor, or null.
    NewKey,
    /// The thread sets a value of a key.
    SetsValue,
    /// Yields the number of a handler for the end of the process. Arguments: what calls it, with the number and the
    /// handler; the handler.
    AtExit,
    /// The argument is a constructor of objects, or null.
    NoConstructor,
    /// About texts that are not known.
    Text(TextFact),
    /// It leaves out executions of the source.
    LeavesOut(Omission),
    /// Whether signals reach the thread at hand: threads of the kernel ignore them.
    TakesSignals,
    /// Arguments: handle, attributes, routine, argument.
    PthreadCreate,
    /// Arguments: handle, routine, argument.
    ThrdCreate,
    /// Arguments: routine, and the arguments of that. Yields the handle.
    Spawn,
    /// The same; the thread is named after the first argument of the routine, if that is a function.
    Start,
    /// The same for what the kernel does later, which a loop may do on its way out, or again (`rounds`).
    Later,
    /// The number of the thread at hand, which must be less than argument 0.
    OwnNumber(Numbered),
    /// The number of the next thread that this one creates, which must be less than argument 0.
    NextNumber,
    /// What executes objects that are queued again (`rounds`).
    Round(Round),
    /// The threads that this one creates from here on are joined at the end of the scope.
    ScopeBegin,
    ScopeEnd,
    /// Arguments: thread, where the result goes or null.
    Join,
    ThreadExit,
    ThreadSelf,
    /// Waits for the token of this thread, and takes it; it may also return for no reason. With an argument, it waits for a
    /// time.
    Park,
    /// Argument 0 is the thread that gets its token.
    Unpark,
    MutexInit,
    Lock(Lock),
    /// The same, where writers that wait may go before a reader (`fair`).
    FairLock(Lock),
    /// Yields 0 on success, or 1 if it returns a `bool`. Idle if the lock is taken.
    TryLock(Lock, Idle),
    Unlock(Lock),
    /// Arguments: condition, lock of this kind.
    ConditionWait(Lock),
    ConditionInit,
    /// Wakes all threads that wait, or one. Idle if none waits.
    ConditionSignal {
        all: bool,
        idle: Idle,
    },
    BarrierInit,
    BarrierWait,
    SemaphoreInit,
    SemaphoreWait,
    SemaphoreTryWait,
    /// What a lock or semaphore holds, by a load; only whether it is 0 has a meaning for locks.
    Held,
    SemaphorePost,
    /// Argument 0 is the number of the call, and 1 a word of memory in some of them.
    SystemCall,
    /// Arguments: flag, routine.
    Once,
    /// Yields the address of the structure whose member argument 0 points to; argument 1 is the address of that
    /// member, of any such structure, and is not evaluated.
    Container,
    Malloc,
    Calloc,
    /// Memory that ends with the call of the function at hand.
    Alloca,
    /// The same as `Free`; argument 1 is the number of bytes, which are all of the block.
    Unmap,
    /// Argument 1 is the size.
    AlignedAlloc,
    /// Argument 0 is null, argument 1 the size.
    Realloc,
    /// Stores the address of a new block where argument 0 points to; argument 2 is the size.
    AllocateAt,
    Free,
    /// Arguments: where to, where from, the number of bytes. Yields argument 0.
    CopyBytes,
    /// Arguments: where, the byte, the number of bytes. Yields argument 0.
    FillBytes,
    /// Stores any value in each scalar there. Arguments as of `FillBytes`; argument 1 does not count.
    AnyBytes,
    /// Arguments: two addresses, the number of bytes. Yields the sign of the first difference.
    CompareBytes,
    /// Yields the list of the arguments of the function at hand that have no parameters.
    ArgumentList,
    /// Yields the argument that argument 0, a list, names, as the type returned.
    NextArgument,
    /// Yields the number of this call among those that are inlined, up to 15.
    CallNumber,
    /// Yields the address of `errno`.
    ErrorNumber,
    /// A function of a library fails: `errno` is any number but 0.
    SetsError,
    /// Loads what argument 0 points to; argument 1 is the number of bytes.
    HandOut,
    /// Loads the text that argument 0 points to, up to its end. Yields any value.
    Print,
    /// A violation where argument 0 is 0.
    Assert,
    /// A violation.
    Fail,
    /// Blocks where argument 0 is 0.
    Assume,
    /// Executions are covered as long as argument 0 holds: a collection has room, for as many elements as argument 1.
    Limit,
    /// The process ends: no further step of this thread.
    Exit,
    /// The same, after the handlers for that were called.
    OrderlyExit,
    /// It is refused where it is reached: why, and a way round.
    Refuse(&'static str, &'static str),
    /// Any value of the type returned.
    Nondet {
        low: i32,
        high: i32,
    },
    /// Any value in each scalar that the pointers among the arguments lead to, from this argument on, where
    /// they are not null. Yields any value.
    Fill {
        from: u8,
        low: i32,
        high: i32,
    },
    /// Any text of at most one character, where argument 0 points to.
    FillText,
    /// Yields a function of the bits of argument 0, which is unsigned and has this width.
    Bits {
        what: BitFunction,
        width: u8,
    },
    /// Yields the number of 64 bits whose halves these are, the lower one first. The execution is not covered unless it is
    /// the sign extension of that.
    Narrowed,
    /// Yields the upper half of a number of 64 bits.
    Upper,
    /// Stores `argument 0 op argument 1` where argument 2 points to. Yields whether the exact result does
    /// not fit there. Both are converted to the type at hand first, if there is one.
    Overflow(BinaryOp, Option<(u8, bool)>),
    /// Until `CleanupEnd`, the end of the thread calls a handler: the function, its argument.
    CleanupBegin,
    CleanupEnd,
    /// Registers a handler of signals, which is never called; argument 2 is null, if there is one.
    Handler,
    AtomicBegin,
    AtomicEnd,
    /// What is done about read sections of RCU.
    ReadSection(Section),
    /// Nothing; arguments are evaluated. Yields 0.
    Ignore,
}

impl Meaning {
    /// Whether it creates a thread.
    pub(crate) fn creates(self) -> bool {
        matches!(
            self,
            Meaning::PthreadCreate
                | Meaning::ThrdCreate
                | Meaning::Spawn
                | Meaning::Start
                | Meaning::Later
        )
    }
}

/// Executions of the source that the program lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Omission {
    /// What happens instead.
    pub(crate) warning: &'static str,
    pub(crate) note: &'static str,
    /// What is the case in those executions.
    pub(crate) executions: &'static str,
}

impl Omission {
    /// Texts in reality are longer.
    pub(crate) const SHORT_TEXT: Omission = Omission {
        warning: "a text that is written here has at most one character, which is any one",
        note: "this is no matter if only people read it",
        executions: "the text has more characters",
    };
}

/// What threads have numbers for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Numbered {
    /// Each thread is on a CPU of its own.
    Cpus,
    /// A bit for each of them.
    Bits,
}

/// What is asked about threads that execute something again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Round {
    /// Whether there are any.
    Any,
    /// The second number of the thread at hand, or 0. Arguments: the word of the object, its function.
    Own,
    /// The thread that executes an object again, with its second number, or 0. Arguments: the same, what executes
    /// it, and the object.
    Of,
    /// The function in a word that was loaded. Arguments: the word, its value.
    Function,
}

/// Functions of the bits of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BitFunction {
    /// The zeros above the highest one; undefined for 0.
    LeadingZeros,
    /// The zeros below the lowest one; undefined for 0.
    TrailingZeros,
    /// One more than those; 0 for 0.
    FirstSet,
    Ones,
    /// Whether the number of ones is odd.
    Parity,
    /// The bytes in the other order.
    SwapBytes,
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

/// What a call executes that finds nothing to do, in the weakest of the libraries that have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Idle {
    /// It looks, and returns: stores stay buffered.
    Loads,
    /// A locked instruction.
    Locked,
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
