//! Memory, the ends of processes, checks, what verifiers of other projects name, and what is ignored.
//!
//! **Absent.** Functions that write texts through pointers, such as `sprintf`, are written in C.

use super::{Entry, Returns, at_least, exactly, formatted};
use crate::lower::operation::Meaning;

/// Ends, and violations. Reaching what a compiler may assume to be unreachable is one.
pub(super) const ENDS: &[Entry] = &[
    exactly("__fencepost_assert", Returns::Void, 1, Meaning::Assert),
    exactly("reach_error", Returns::Void, 0, Meaning::Fail),
    exactly("__VERIFIER_error", Returns::Void, 0, Meaning::Fail),
    exactly("__builtin_unreachable", Returns::Void, 0, Meaning::Fail),
    exactly("__builtin_trap", Returns::Void, 0, Meaning::Fail),
    at_least("__assert_fail", Returns::Void, 1, Meaning::Fail),
    exactly("abort", Returns::Void, 0, Meaning::Exit),
    exactly("exit", Returns::Void, 1, Meaning::OrderlyExit),
    exactly("_exit", Returns::Void, 1, Meaning::Exit),
    exactly("_Exit", Returns::Void, 1, Meaning::Exit),
    exactly("quick_exit", Returns::Void, 1, Meaning::Exit),
];

/// The names of software verification competitions and of other checkers.
pub(super) const VERIFIER: &[Entry] = &[
    exactly("__VERIFIER_assert", Returns::Void, 1, Meaning::Assert),
    exactly("__VERIFIER_assume", Returns::Void, 1, Meaning::Assume),
    exactly("assume_abort_if_not", Returns::Void, 1, Meaning::Assume),
    exactly(
        "__VERIFIER_atomic_begin",
        Returns::Void,
        0,
        Meaning::AtomicBegin,
    ),
    exactly(
        "__VERIFIER_atomic_end",
        Returns::Void,
        0,
        Meaning::AtomicEnd,
    ),
    exactly(
        "__VERIFIER_nondet_int",
        Returns::Int,
        0,
        any(i32::MIN, i32::MAX),
    ),
    exactly(
        "__VERIFIER_nondet_uint",
        Returns::UnsignedInt,
        0,
        any(i32::MIN, i32::MAX),
    ),
    exactly(
        "__VERIFIER_nondet_unsigned_int",
        Returns::UnsignedInt,
        0,
        any(i32::MIN, i32::MAX),
    ),
    exactly("__VERIFIER_nondet_bool", Returns::Bool, 0, any(0, 1)),
    exactly("__VERIFIER_nondet_char", Returns::Int, 0, any(-128, 127)),
    exactly("__VERIFIER_nondet_uchar", Returns::Int, 0, any(0, 255)),
    exactly(
        "__VERIFIER_nondet_short",
        Returns::Int,
        0,
        any(-32_768, 32_767),
    ),
    exactly("__VERIFIER_nondet_ushort", Returns::Int, 0, any(0, 65_535)),
    exactly("__VERIFIER_spin_start", Returns::Void, 0, Meaning::Ignore),
    exactly("__VERIFIER_loop_begin", Returns::Void, 0, Meaning::Ignore),
    exactly("__VERIFIER_spin_end", Returns::Void, 1, Meaning::Ignore),
    exactly("__VERIFIER_loop_bound", Returns::Void, 1, Meaning::Ignore),
];

/// Memory of the heap.
pub(super) const MEMORY: &[Entry] = &[
    exactly("malloc", Returns::Pointer, 1, Meaning::Malloc),
    exactly("calloc", Returns::Pointer, 2, Meaning::Calloc),
    exactly("alloca", Returns::Pointer, 1, Meaning::Alloca),
    exactly("__builtin_alloca", Returns::Pointer, 1, Meaning::Alloca),
    exactly("__fencepost_unmap", Returns::Void, 2, Meaning::Unmap),
    exactly(
        "__fencepost_container",
        Returns::Pointer,
        2,
        Meaning::Container,
    ),
    exactly("aligned_alloc", Returns::Pointer, 2, Meaning::AlignedAlloc),
    exactly("memalign", Returns::Pointer, 2, Meaning::AlignedAlloc),
    exactly("realloc", Returns::Pointer, 2, Meaning::Realloc),
    exactly("posix_memalign", Returns::Int, 3, Meaning::AllocateAt),
    exactly("free", Returns::Void, 1, Meaning::Free),
    exactly("memcpy", Returns::Pointer, 3, Meaning::CopyBytes),
    exactly("memmove", Returns::Pointer, 3, Meaning::CopyBytes),
    exactly("memset", Returns::Pointer, 3, Meaning::FillBytes),
    exactly(
        "__fencepost_any_bytes",
        Returns::Pointer,
        3,
        Meaning::AnyBytes,
    ),
    exactly("memcmp", Returns::Int, 3, Meaning::CompareBytes),
    exactly("__builtin_memcpy", Returns::Pointer, 3, Meaning::CopyBytes),
    exactly("__builtin_memmove", Returns::Pointer, 3, Meaning::CopyBytes),
    exactly("__builtin_memset", Returns::Pointer, 3, Meaning::FillBytes),
    exactly("__builtin_memcmp", Returns::Int, 3, Meaning::CompareBytes),
];

/// Instructions of x86.
pub(super) const MACHINE: &[Entry] = &[
    exactly("_mm_mfence", Returns::Void, 0, Meaning::FullFence),
    exactly("_mm_sfence", Returns::Void, 0, Meaning::StoreFence),
    exactly("_mm_lfence", Returns::Void, 0, Meaning::CompilerBarrier),
    exactly("_mm_pause", Returns::Void, 0, Meaning::Ignore),
    exactly(
        "__builtin_ia32_mfence",
        Returns::Void,
        0,
        Meaning::FullFence,
    ),
    exactly(
        "__builtin_ia32_sfence",
        Returns::Void,
        0,
        Meaning::StoreFence,
    ),
    exactly(
        "__builtin_ia32_lfence",
        Returns::Void,
        0,
        Meaning::CompilerBarrier,
    ),
    exactly("__builtin_ia32_pause", Returns::Void, 0, Meaning::Ignore),
];

/// Output, waiting, hints: no fences, and nothing that a thread could observe.
pub(super) const IGNORED: &[Entry] = &[
    exactly(
        "__errno_location",
        Returns::Pointer,
        0,
        Meaning::ErrorNumber,
    ),
    exactly("__fencepost_fails", Returns::Void, 0, Meaning::SetsError),
    exactly("rand", Returns::Int, 0, any(0, i32::MAX)),
    exactly("random", Returns::Long, 0, any(0, i32::MAX)),
    exactly("srand", Returns::Void, 1, Meaning::Ignore),
    exactly("srandom", Returns::Void, 1, Meaning::Ignore),
    formatted("printf", 1),
    formatted("fprintf", 2),
    formatted("dprintf", 2),
    formatted("printk", 1),
    formatted("vprintf", 1),
    formatted("vfprintf", 2),
    formatted("vdprintf", 2),
    exactly("puts", Returns::Int, 1, Meaning::Print),
    exactly("fputs", Returns::Int, 2, Meaning::Print),
    exactly("putchar", Returns::Int, 1, any(i32::MIN, i32::MAX)),
    exactly("fflush", Returns::Int, 1, Meaning::Ignore),
    exactly("perror", Returns::Void, 1, Meaning::Ignore),
    exactly("sched_yield", Returns::Int, 0, Meaning::Ignore),
    exactly("sleep", Returns::UnsignedInt, 1, Meaning::Ignore),
    exactly("usleep", Returns::Int, 1, Meaning::Ignore),
    exactly("nanosleep", Returns::Int, 2, Meaning::Ignore),
    exactly("udelay", Returns::Void, 1, Meaning::Ignore),
    exactly("mdelay", Returns::Void, 1, Meaning::Ignore),
    exactly("msleep", Returns::Void, 1, Meaning::Ignore),
    exactly("schedule", Returns::Void, 0, Meaning::Ignore),
    exactly("cond_resched", Returns::Void, 0, Meaning::Ignore),
    at_least("__builtin_prefetch", Returns::Void, 1, Meaning::Ignore),
];

const fn any(low: i32, high: i32) -> Meaning {
    Meaning::Nondet { low, high }
}
