//! The Linux kernel's barriers and locks, and its read sections.
//!
//! `barrier all` would be too strong for a grace period: it empties the buffers of all threads, and a
//! program that is right with it may be wrong with RCU. `lower::grace` says what is done instead.

use super::{Entry, Returns, exactly};
use crate::lower::operation::{Idle, Lock, Meaning, Section};

/// Barriers.
pub(super) const BARRIERS: &[Entry] = &[
    exactly("smp_mb", Returns::Void, 0, Meaning::FullFence),
    exactly("mb", Returns::Void, 0, Meaning::FullFence),
    // On x86 `spin_lock` itself is the barrier, and this is nothing.
    exactly(
        "smp_mb__after_spinlock",
        Returns::Void,
        0,
        Meaning::CompilerBarrier,
    ),
    exactly("smp_wmb", Returns::Void, 0, Meaning::StoreFence),
    exactly("wmb", Returns::Void, 0, Meaning::StoreFence),
    exactly("smp_rmb", Returns::Void, 0, Meaning::CompilerBarrier),
    exactly("rmb", Returns::Void, 0, Meaning::CompilerBarrier),
    exactly("barrier", Returns::Void, 0, Meaning::CompilerBarrier),
    exactly(
        "smp_mb__before_atomic",
        Returns::Void,
        0,
        Meaning::CompilerBarrier,
    ),
    exactly(
        "smp_mb__after_atomic",
        Returns::Void,
        0,
        Meaning::CompilerBarrier,
    ),
    exactly(
        "smp_acquire__after_ctrl_dep",
        Returns::Void,
        0,
        Meaning::Ignore,
    ),
    exactly("cpu_relax", Returns::Void, 0, Meaning::CompilerBarrier),
];

/// Read sections of RCU, which are no instructions, and grace periods.
pub(super) const SECTIONS: &[Entry] = &[
    exactly(
        "rcu_read_lock",
        Returns::Void,
        0,
        Meaning::ReadSection(Section::Begins),
    ),
    exactly(
        "rcu_read_unlock",
        Returns::Void,
        0,
        Meaning::ReadSection(Section::Ends),
    ),
    exactly(
        "synchronize_rcu",
        Returns::Void,
        0,
        Meaning::ReadSection(Section::Awaited),
    ),
];

/// Locks. A `trylock` yields 1 on success. `struct mutex` is handled by macros.
pub(super) const LOCKS: &[Entry] = &[
    exactly("spin_lock_init", Returns::Void, 1, Meaning::MutexInit),
    exactly("spin_lock", Returns::Void, 1, Meaning::Lock(Lock::Spin)),
    exactly(
        "spin_trylock",
        Returns::Bool,
        1,
        Meaning::TryLock(Lock::Spin, Idle::Loads),
    ),
    exactly("spin_unlock", Returns::Void, 1, Meaning::Unlock(Lock::Spin)),
    exactly("__fencepost_is_locked", Returns::Int, 1, Meaning::Held),
    exactly(
        "__fencepost_down_read",
        Returns::Void,
        1,
        Meaning::FairLock(Lock::Read),
    ),
    exactly(
        "__fencepost_down_write",
        Returns::Void,
        1,
        Meaning::FairLock(Lock::Write),
    ),
    exactly("rwlock_init", Returns::Void, 1, Meaning::MutexInit),
    exactly("read_lock", Returns::Void, 1, Meaning::FairLock(Lock::Read)),
    exactly(
        "read_trylock",
        Returns::Bool,
        1,
        Meaning::TryLock(Lock::Read, Idle::Loads),
    ),
    exactly("read_unlock", Returns::Void, 1, Meaning::Unlock(Lock::Read)),
    exactly(
        "write_lock",
        Returns::Void,
        1,
        Meaning::FairLock(Lock::Write),
    ),
    exactly(
        "write_trylock",
        Returns::Bool,
        1,
        Meaning::TryLock(Lock::Write, Idle::Loads),
    ),
    exactly(
        "write_unlock",
        Returns::Void,
        1,
        Meaning::Unlock(Lock::Write),
    ),
];
