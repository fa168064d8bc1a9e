//! The Linux kernel's barriers and locks.
//!
//! **Absent.** RCU beyond its read sections, which do nothing by themselves: `synchronize_rcu` waits.

use super::{Entry, Lock, Meaning, Returns, exactly};

/// Barriers.
pub(super) const BARRIERS: &[Entry] = &[
    exactly("smp_mb", Returns::Void, 0, Meaning::FullFence),
    exactly("mb", Returns::Void, 0, Meaning::FullFence),
    exactly(
        "smp_mb__after_spinlock",
        Returns::Void,
        0,
        Meaning::FullFence,
    ),
    exactly("smp_wmb", Returns::Void, 0, Meaning::StoreFence),
    exactly("wmb", Returns::Void, 0, Meaning::StoreFence),
    exactly("smp_rmb", Returns::Void, 0, Meaning::Ignore),
    exactly("rmb", Returns::Void, 0, Meaning::Ignore),
    exactly("barrier", Returns::Void, 0, Meaning::Ignore),
    exactly("smp_mb__before_atomic", Returns::Void, 0, Meaning::Ignore),
    exactly("smp_mb__after_atomic", Returns::Void, 0, Meaning::Ignore),
    exactly(
        "smp_acquire__after_ctrl_dep",
        Returns::Void,
        0,
        Meaning::Ignore,
    ),
    exactly("cpu_relax", Returns::Void, 0, Meaning::Ignore),
    exactly("rcu_read_lock", Returns::Void, 0, Meaning::Ignore),
    exactly("rcu_read_unlock", Returns::Void, 0, Meaning::Ignore),
];

/// Locks. The kernel's `trylock`s yield 1 on success, which the macros turn round.
pub(super) const LOCKS: &[Entry] = &[
    exactly("spin_lock_init", Returns::Void, 1, Meaning::MutexInit),
    exactly("spin_lock", Returns::Void, 1, Meaning::Lock(Lock::Spin)),
    exactly("spin_unlock", Returns::Void, 1, Meaning::Unlock(Lock::Spin)),
    exactly("spin_lock_irq", Returns::Void, 1, Meaning::Lock(Lock::Spin)),
    exactly(
        "spin_unlock_irq",
        Returns::Void,
        1,
        Meaning::Unlock(Lock::Spin),
    ),
    exactly("spin_lock_bh", Returns::Void, 1, Meaning::Lock(Lock::Spin)),
    exactly(
        "spin_unlock_bh",
        Returns::Void,
        1,
        Meaning::Unlock(Lock::Spin),
    ),
    exactly("raw_spin_lock_init", Returns::Void, 1, Meaning::MutexInit),
    exactly("raw_spin_lock", Returns::Void, 1, Meaning::Lock(Lock::Spin)),
    exactly(
        "raw_spin_unlock",
        Returns::Void,
        1,
        Meaning::Unlock(Lock::Spin),
    ),
    exactly(
        "raw_spin_lock_irq",
        Returns::Void,
        1,
        Meaning::Lock(Lock::Spin),
    ),
    exactly(
        "raw_spin_unlock_irq",
        Returns::Void,
        1,
        Meaning::Unlock(Lock::Spin),
    ),
    exactly(
        "raw_spin_lock_bh",
        Returns::Void,
        1,
        Meaning::Lock(Lock::Spin),
    ),
    exactly(
        "raw_spin_unlock_bh",
        Returns::Void,
        1,
        Meaning::Unlock(Lock::Spin),
    ),
    exactly(
        "__fencepost_spin_trylock",
        Returns::Int,
        1,
        Meaning::TryLock(Lock::Spin),
    ),
    exactly("mutex_init", Returns::Void, 1, Meaning::MutexInit),
    exactly("mutex_lock", Returns::Void, 1, Meaning::Lock(Lock::Pthread)),
    exactly(
        "mutex_unlock",
        Returns::Void,
        1,
        Meaning::Unlock(Lock::Pthread),
    ),
    exactly(
        "__fencepost_mutex_trylock",
        Returns::Int,
        1,
        Meaning::TryLock(Lock::Pthread),
    ),
    exactly("read_lock", Returns::Void, 1, Meaning::Lock(Lock::Read)),
    exactly("read_unlock", Returns::Void, 1, Meaning::Unlock(Lock::Read)),
    exactly("write_lock", Returns::Void, 1, Meaning::Lock(Lock::Write)),
    exactly(
        "write_unlock",
        Returns::Void,
        1,
        Meaning::Unlock(Lock::Write),
    ),
];
