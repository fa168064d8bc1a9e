//! What a program asks of the system: times, numbers of processes, limits; signals, and what has no effect
//! on what threads observe.
//!
//! None of it is a fence. Results are any value that the function may have, and another one at each call:
//! more than a real system yields, never less.

use super::{Arguments, Entry, Returns, exactly};
use crate::lower::operation::{Meaning, Omission, Operation, TextFact};

const fn any(low: i32, high: i32) -> Meaning {
    Meaning::Nondet { low, high }
}

const fn fill(from: u8, low: i32, high: i32) -> Meaning {
    Meaning::Fill { from, low, high }
}

/// Functions that store through the pointers from one argument on.
pub(super) const FILLED: &[Entry] = &[
    exactly("time", Returns::Long, 1, fill(0, -1, i32::MAX)),
    exactly("clock_getres", Returns::Int, 2, fill(1, -1, 0)),
    exactly("getrusage", Returns::Int, 2, fill(1, -1, 0)),
    exactly("getcpu", Returns::Int, 2, fill(0, -1, 0)),
    exactly("pthread_setcancelstate", Returns::Int, 2, fill(1, 0, 0)),
    exactly("pthread_setcanceltype", Returns::Int, 2, fill(1, 0, 0)),
    exactly("pthread_attr_getstacksize", Returns::Int, 2, fill(1, 0, 0)),
    exactly(
        "pthread_attr_getdetachstate",
        Returns::Int,
        2,
        fill(1, 0, 0),
    ),
];

/// Functions that only yield a value.
pub(super) const ANY: &[Entry] = &[
    exactly("__fencepost_any_char", Returns::Int, 0, any(-128, 127)),
    exactly("__fencepost_any_length", Returns::Int, 0, any(0, i32::MAX)),
    exactly(
        "__fencepost_any_second",
        Returns::Long,
        0,
        any(0, 2_000_000_000),
    ),
    exactly(
        "__fencepost_any_nanosecond",
        Returns::Long,
        0,
        any(0, 999_999_999),
    ),
    exactly("clock", Returns::Long, 0, any(-1, i32::MAX)),
    exactly("getpid", Returns::Int, 0, any(1, i32::MAX)),
    exactly("getppid", Returns::Int, 0, any(0, i32::MAX)),
    exactly("getuid", Returns::UnsignedInt, 0, any(i32::MIN, i32::MAX)),
    exactly("geteuid", Returns::UnsignedInt, 0, any(i32::MIN, i32::MAX)),
    exactly("sched_getcpu", Returns::Int, 0, any(-1, 1 << 20)),
    exactly("sysconf", Returns::Long, 1, any(-1, i32::MAX)),
    exactly("getpagesize", Returns::Int, 0, any(4096, 4096)),
    exactly("get_nprocs", Returns::Int, 0, any(1, 1 << 20)),
    exactly("get_nprocs_conf", Returns::Int, 0, any(1, 1 << 20)),
    exactly("lrand48", Returns::Long, 0, any(0, i32::MAX)),
    exactly("mrand48", Returns::Long, 0, any(i32::MIN, i32::MAX)),
    exactly("rand_r", Returns::Int, 1, fill(0, 0, i32::MAX)),
];

/// Signals, which never arrive. What `signal` yields is the default handler.
pub(super) const SIGNALS: &[Entry] = &[
    exactly("signal", Returns::Pointer, 2, Meaning::Handler),
    exactly("sigaction", Returns::Int, 3, Meaning::Handler),
    exactly("sigemptyset", Returns::Int, 1, Meaning::Ignore),
    exactly("sigfillset", Returns::Int, 1, Meaning::Ignore),
    exactly("sigaddset", Returns::Int, 2, Meaning::Ignore),
    exactly("sigdelset", Returns::Int, 2, Meaning::Ignore),
    exactly("sigprocmask", Returns::Int, 3, Meaning::Ignore),
    exactly("pthread_sigmask", Returns::Int, 3, Meaning::Ignore),
];

/// What user space does by itself is not among the executions.
const OPERATIONS: Omission = Omission {
    warning: "operations of files and devices are called only where the program calls them",
    note: "`--thread FUNCTION`, once for each of them, makes a program of threads that execute them",
    executions: "user space calls an operation that is registered here",
};

/// Where threads run, what they are called, and how memory is kept.
pub(super) const IGNORED: &[Entry] = &[
    exactly(
        "__fencepost_cleanup_begin",
        Returns::Void,
        2,
        Meaning::CleanupBegin,
    ),
    exactly(
        "__fencepost_cleanup_end",
        Returns::Void,
        0,
        Meaning::CleanupEnd,
    ),
    exactly(
        "__fencepost_no_constructor",
        Returns::Void,
        1,
        Meaning::NoConstructor,
    ),
    exactly(
        "__fencepost_call_number",
        Returns::Int,
        0,
        Meaning::CallNumber,
    ),
    exactly(
        "__fencepost_operations",
        Returns::Void,
        0,
        Meaning::LeavesOut(OPERATIONS),
    ),
    exactly("__fencepost_hand_out", Returns::Void, 2, Meaning::HandOut),
    exactly("__fencepost_new_key", Returns::Int, 2, Meaning::NewKey),
    exactly(
        "__fencepost_sets_value",
        Returns::Void,
        0,
        Meaning::SetsValue,
    ),
    exactly("__fencepost_at_exit", Returns::Int, 2, Meaning::AtExit),
    exactly(
        "__fencepost_short_text",
        Returns::Void,
        0,
        Meaning::Text(TextFact::Short),
    ),
    exactly(
        "__fencepost_any_text",
        Returns::Void,
        0,
        Meaning::Text(TextFact::Any),
    ),
    exactly(
        "__fencepost_has_any_text",
        Returns::Int,
        1,
        Meaning::Text(TextFact::IsAny),
    ),
    exactly("pthread_testcancel", Returns::Void, 0, Meaning::Ignore),
    exactly("pthread_setaffinity_np", Returns::Int, 3, Meaning::Ignore),
    exactly("pthread_getaffinity_np", Returns::Int, 3, Meaning::Ignore),
    exactly(
        "pthread_attr_setaffinity_np",
        Returns::Int,
        3,
        Meaning::Ignore,
    ),
    exactly(
        "pthread_attr_setguardsize",
        Returns::Int,
        2,
        Meaning::Ignore,
    ),
    exactly(
        "pthread_attr_setschedpolicy",
        Returns::Int,
        2,
        Meaning::Ignore,
    ),
    exactly(
        "pthread_attr_setschedparam",
        Returns::Int,
        2,
        Meaning::Ignore,
    ),
    exactly(
        "pthread_attr_setinheritsched",
        Returns::Int,
        2,
        Meaning::Ignore,
    ),
    exactly("pthread_setschedparam", Returns::Int, 3, Meaning::Ignore),
    exactly(
        "pthread_mutexattr_setrobust",
        Returns::Int,
        2,
        Meaning::MutexType,
    ),
    exactly(
        "pthread_rwlockattr_setpshared",
        Returns::Int,
        2,
        Meaning::Ignore,
    ),
    exactly(
        "pthread_rwlockattr_setkind_np",
        Returns::Int,
        2,
        Meaning::Ignore,
    ),
    exactly(
        "pthread_barrierattr_setpshared",
        Returns::Int,
        2,
        Meaning::Ignore,
    ),
    exactly("sched_setaffinity", Returns::Int, 3, Meaning::Ignore),
    exactly("sched_getaffinity", Returns::Int, 3, Meaning::Ignore),
    exactly("sched_setscheduler", Returns::Int, 3, Meaning::Ignore),
    exactly("setpriority", Returns::Int, 3, any(-1, 0)),
    exactly("mlockall", Returns::Int, 1, any(-1, 0)),
    exactly("setbuf", Returns::Void, 2, Meaning::Ignore),
    exactly("setvbuf", Returns::Int, 4, any(-1, 0)),
    exactly("setlinebuf", Returns::Void, 1, Meaning::Ignore),
    formatted("warn", Returns::Void, 1, Meaning::Ignore),
    formatted("warnx", Returns::Void, 1, Meaning::Ignore),
];

/// What reads from the world outside by a format.
pub(super) const SCANNED: &[Entry] = &[
    scanned("scanf", 1),
    scanned("fscanf", 2),
    scanned("sscanf", 2),
];

const fn scanned(name: &'static str, arguments: u8) -> Entry {
    Entry {
        operation: Operation {
            name,
            meaning: any(i32::MIN, i32::MAX),
        },
        returns: Returns::Int,
        arguments: Arguments::Scanned(arguments),
    }
}

/// Where a jump out of functions would lead: it is only prepared.
pub(super) const JUMPS: &[Entry] = &[
    exactly("setjmp", Returns::Int, 1, any(0, 0)),
    exactly("_setjmp", Returns::Int, 1, any(0, 0)),
    exactly("sigsetjmp", Returns::Int, 2, any(0, 0)),
    exactly("__sigsetjmp", Returns::Int, 2, any(0, 0)),
    jump("longjmp"),
    jump("_longjmp"),
    jump("siglongjmp"),
];

const fn jump(name: &'static str) -> Entry {
    refused(
        name,
        Returns::Void,
        2,
        "a jump out of functions (`longjmp`) is not supported",
        "return an error through them, or end the thread or the process instead: `pthread_exit`, `exit`",
    )
}

/// What is refused where it is reached.
pub(super) const REFUSED: &[Entry] = &[
    refused(
        "pthread_cancel",
        Returns::Int,
        1,
        "a thread that is cancelled (`pthread_cancel`) is not supported",
        "let the thread look at a flag, and return or call `pthread_exit` where it may be cancelled",
    ),
    refused(
        "__fencepost_no_file",
        Returns::Void,
        0,
        "memory that is mapped to a file, or to a fixed address, is not supported",
        "map it with `MAP_ANONYMOUS` and without `MAP_FIXED`, or allocate it",
    ),
    refused(
        "__fencepost_no_protection",
        Returns::Void,
        0,
        "memory that cannot be both read and written is not supported",
        "protect it by `PROT_READ | PROT_WRITE`",
    ),
    refused(
        "__fencepost_no_two_handlers",
        Returns::Void,
        0,
        "a threaded interrupt whose handler may be called while its thread runs is not supported",
        "pass `IRQF_ONESHOT`, as almost all drivers do",
    ),
    refused(
        "__fencepost_try_again",
        Returns::Void,
        0,
        "`try_to_del_timer_sync` is not supported where something queues itself again",
        "call `timer_delete_sync`, or `timer_delete` where it must not wait",
    ),
    refused(
        "__fencepost_no_discarding",
        Returns::Void,
        0,
        "`madvise` that discards contents is not supported",
        "set the memory to 0, or leave the call out",
    ),
    refused(
        "__fencepost_no_elements",
        Returns::Void,
        0,
        "the type of the elements is not known here",
        "pass a pointer to that type, converted if need be, and its size as a constant: \
         `qsort((struct s *)p, n, sizeof (struct s), f)`",
    ),
];

/// They print a message, and end the process.
pub(super) const ENDS: &[Entry] = &[
    formatted("err", Returns::Void, 2, Meaning::OrderlyExit),
    formatted("errx", Returns::Void, 2, Meaning::OrderlyExit),
];

const fn formatted(name: &'static str, returns: Returns, arguments: u8, meaning: Meaning) -> Entry {
    Entry {
        operation: Operation { name, meaning },
        returns,
        arguments: Arguments::Formatted(arguments),
    }
}

const fn refused(
    name: &'static str,
    returns: Returns,
    arguments: u8,
    why: &'static str,
    way: &'static str,
) -> Entry {
    exactly(name, returns, arguments, Meaning::Refuse(why, way))
}
