//! Threads, locks and semaphores of POSIX and of C11.
//!
//! **Absent.** Cancellation. Values of threads by keys, handlers for the end of the process, kinds of mutexes, and locks
//! that are given up after a time are written in C (`headers/fencepost`).

use super::{Entry, Returns, at_least, exactly};
use crate::lower::operation::{Idle, Lock, Meaning, Numbered, Round};

/// A call that finds no thread waiting looks at a count, and returns.
const fn signal(all: bool) -> Meaning {
    Meaning::ConditionSignal {
        all,
        idle: Idle::Loads,
    }
}

/// `<pthread.h>`
pub(super) const POSIX: &[Entry] = &[
    exactly("pthread_create", Returns::Int, 4, Meaning::PthreadCreate),
    exactly("pthread_join", Returns::Int, 2, Meaning::Join),
    exactly("pthread_exit", Returns::Void, 1, Meaning::ThreadExit),
    exactly("pthread_self", Returns::Thread, 0, Meaning::ThreadSelf),
    exactly("pthread_mutex_init", Returns::Int, 2, Meaning::MutexInit),
    exactly(
        "pthread_mutex_lock",
        Returns::Int,
        1,
        Meaning::Lock(Lock::Pthread),
    ),
    exactly(
        "pthread_mutex_trylock",
        Returns::Int,
        1,
        Meaning::TryLock(Lock::Pthread, Idle::Loads),
    ),
    exactly(
        "pthread_mutex_unlock",
        Returns::Int,
        1,
        Meaning::Unlock(Lock::Pthread),
    ),
    exactly("pthread_spin_init", Returns::Int, 2, Meaning::MutexInit),
    exactly(
        "pthread_spin_lock",
        Returns::Int,
        1,
        Meaning::Lock(Lock::Spin),
    ),
    exactly(
        "pthread_spin_trylock",
        Returns::Int,
        1,
        Meaning::TryLock(Lock::Spin, Idle::Locked),
    ),
    exactly(
        "pthread_spin_unlock",
        Returns::Int,
        1,
        Meaning::Unlock(Lock::Spin),
    ),
    exactly("pthread_rwlock_init", Returns::Int, 2, Meaning::MutexInit),
    exactly(
        "pthread_rwlock_rdlock",
        Returns::Int,
        1,
        Meaning::Lock(Lock::Read),
    ),
    exactly(
        "pthread_rwlock_wrlock",
        Returns::Int,
        1,
        Meaning::Lock(Lock::Write),
    ),
    exactly(
        "pthread_rwlock_tryrdlock",
        Returns::Int,
        1,
        Meaning::TryLock(Lock::Read, Idle::Loads),
    ),
    exactly(
        "pthread_rwlock_trywrlock",
        Returns::Int,
        1,
        Meaning::TryLock(Lock::Write, Idle::Loads),
    ),
    exactly(
        "pthread_rwlock_unlock",
        Returns::Int,
        1,
        Meaning::Unlock(Lock::ReadOrWrite),
    ),
    exactly("pthread_cond_init", Returns::Int, 2, Meaning::ConditionInit),
    exactly(
        "pthread_cond_wait",
        Returns::Int,
        2,
        Meaning::ConditionWait(Lock::Pthread),
    ),
    exactly(
        "pthread_cond_timedwait",
        Returns::Int,
        3,
        Meaning::ConditionWait(Lock::Pthread),
    ),
    exactly("pthread_cond_signal", Returns::Int, 1, signal(false)),
    exactly("pthread_cond_broadcast", Returns::Int, 1, signal(true)),
    exactly(
        "pthread_barrier_init",
        Returns::Int,
        3,
        Meaning::BarrierInit,
    ),
    exactly(
        "pthread_barrier_wait",
        Returns::Int,
        1,
        Meaning::BarrierWait,
    ),
    exactly("pthread_once", Returns::Int, 2, Meaning::Once),
    at_least("syscall", Returns::Long, 1, Meaning::SystemCall),
    exactly("gettid", Returns::Int, 0, Meaning::ThreadSelf),
];

/// What prepares, describes or destroys objects and has no effect on what threads observe.
pub(super) const IGNORED: &[Entry] = &[
    exactly("pthread_detach", Returns::Int, 1, Meaning::Ignore),
    exactly("pthread_mutex_destroy", Returns::Int, 1, Meaning::Ignore),
    exactly("pthread_spin_destroy", Returns::Int, 1, Meaning::Ignore),
    exactly("pthread_rwlock_destroy", Returns::Int, 1, Meaning::Ignore),
    exactly("pthread_cond_destroy", Returns::Int, 1, Meaning::Ignore),
    exactly("pthread_barrier_destroy", Returns::Int, 1, Meaning::Ignore),
    exactly("pthread_yield", Returns::Int, 0, Meaning::Ignore),
    exactly("pthread_setconcurrency", Returns::Int, 1, Meaning::Ignore),
    exactly("pthread_attr_init", Returns::Int, 1, Meaning::Ignore),
    exactly("pthread_attr_destroy", Returns::Int, 1, Meaning::Ignore),
    exactly(
        "pthread_attr_setdetachstate",
        Returns::Int,
        2,
        Meaning::Ignore,
    ),
    exactly(
        "pthread_attr_setstacksize",
        Returns::Int,
        2,
        Meaning::Ignore,
    ),
    exactly("pthread_attr_setscope", Returns::Int, 2, Meaning::Ignore),
    exactly("pthread_mutexattr_init", Returns::Int, 1, Meaning::Ignore),
    exactly(
        "pthread_mutexattr_destroy",
        Returns::Int,
        1,
        Meaning::Ignore,
    ),
    exactly(
        "pthread_mutexattr_settype",
        Returns::Int,
        2,
        Meaning::MutexType,
    ),
    exactly(
        "pthread_mutexattr_setprotocol",
        Returns::Int,
        2,
        Meaning::Ignore,
    ),
    exactly(
        "pthread_mutexattr_setpshared",
        Returns::Int,
        2,
        Meaning::Ignore,
    ),
    exactly("pthread_condattr_init", Returns::Int, 1, Meaning::Ignore),
    exactly("pthread_condattr_destroy", Returns::Int, 1, Meaning::Ignore),
    exactly(
        "pthread_condattr_setpshared",
        Returns::Int,
        2,
        Meaning::Ignore,
    ),
    exactly(
        "pthread_condattr_setclock",
        Returns::Int,
        2,
        Meaning::Ignore,
    ),
    exactly("pthread_rwlockattr_init", Returns::Int, 1, Meaning::Ignore),
    exactly(
        "pthread_rwlockattr_destroy",
        Returns::Int,
        1,
        Meaning::Ignore,
    ),
    exactly("pthread_barrierattr_init", Returns::Int, 1, Meaning::Ignore),
    exactly(
        "pthread_barrierattr_destroy",
        Returns::Int,
        1,
        Meaning::Ignore,
    ),
    at_least("pthread_setname_np", Returns::Int, 1, Meaning::Ignore),
];

/// `<threads.h>`
pub(super) const C11: &[Entry] = &[
    exactly("thrd_create", Returns::Int, 3, Meaning::ThrdCreate),
    exactly("thrd_join", Returns::Int, 2, Meaning::Join),
    exactly("thrd_exit", Returns::Void, 1, Meaning::ThreadExit),
    exactly("thrd_current", Returns::Thread, 0, Meaning::ThreadSelf),
    exactly("thrd_yield", Returns::Void, 0, Meaning::Ignore),
    exactly("thrd_sleep", Returns::Int, 2, Meaning::Ignore),
    exactly("thrd_detach", Returns::Int, 1, Meaning::Ignore),
    exactly("mtx_init", Returns::Int, 2, Meaning::MutexInit),
    exactly("mtx_lock", Returns::Int, 1, Meaning::Lock(Lock::C11)),
    exactly(
        "mtx_trylock",
        Returns::Int,
        1,
        Meaning::TryLock(Lock::C11, Idle::Loads),
    ),
    exactly("mtx_unlock", Returns::Int, 1, Meaning::Unlock(Lock::C11)),
    exactly("mtx_destroy", Returns::Void, 1, Meaning::Ignore),
    exactly("cnd_init", Returns::Int, 1, Meaning::ConditionInit),
    exactly(
        "cnd_wait",
        Returns::Int,
        2,
        Meaning::ConditionWait(Lock::C11),
    ),
    exactly(
        "cnd_timedwait",
        Returns::Int,
        3,
        Meaning::ConditionWait(Lock::C11),
    ),
    exactly("cnd_signal", Returns::Int, 1, signal(false)),
    exactly("cnd_broadcast", Returns::Int, 1, signal(true)),
    exactly("cnd_destroy", Returns::Void, 1, Meaning::Ignore),
    exactly("call_once", Returns::Void, 2, Meaning::Once),
];

/// `<semaphore.h>`
pub(super) const SEMAPHORES: &[Entry] = &[
    exactly("sem_init", Returns::Int, 3, Meaning::SemaphoreInit),
    exactly("sem_wait", Returns::Int, 1, Meaning::SemaphoreWait),
    exactly("sem_trywait", Returns::Int, 1, Meaning::SemaphoreTryWait),
    exactly("sem_post", Returns::Int, 1, Meaning::SemaphorePost),
    exactly(
        "__fencepost_semaphore_value",
        Returns::Int,
        1,
        Meaning::Held,
    ),
    exactly("sem_destroy", Returns::Int, 1, Meaning::Ignore),
];

/// What headers of the kernel make of its threads.
pub(super) const KERNEL: &[Entry] = &[
    at_least("__fencepost_start", Returns::Thread, 2, Meaning::Start),
    at_least("__fencepost_later", Returns::Thread, 2, Meaning::Later),
    exactly(
        "__fencepost_cpu",
        Returns::Int,
        1,
        Meaning::OwnNumber(Numbered::Cpus),
    ),
    exactly(
        "__fencepost_own_number",
        Returns::UnsignedInt,
        1,
        Meaning::OwnNumber(Numbered::Bits),
    ),
    exactly(
        "__fencepost_takes_signals",
        Returns::Bool,
        0,
        Meaning::TakesSignals,
    ),
    exactly(
        "__fencepost_next_number",
        Returns::UnsignedInt,
        1,
        Meaning::NextNumber,
    ),
    exactly(
        "__fencepost_has_rounds",
        Returns::Bool,
        0,
        Meaning::Round(Round::Any),
    ),
    exactly(
        "__fencepost_function_in",
        Returns::Pointer,
        2,
        Meaning::Round(Round::Function),
    ),
    exactly(
        "__fencepost_own_round",
        Returns::UnsignedInt,
        2,
        Meaning::Round(Round::Own),
    ),
    exactly(
        "__fencepost_round_of",
        Returns::UnsignedInt,
        4,
        Meaning::Round(Round::Of),
    ),
];
