#pragma once
/* Semaphores of readers and one writer. All functions execute a locked instruction where they succeed. */
#include <linux/cleanup.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
struct rw_semaphore { __fencepost_rwlock lock; };
#define __RWSEM_INITIALIZER(name) { {0} }
#define DECLARE_RWSEM(name) struct rw_semaphore name = __RWSEM_INITIALIZER(name)
#define init_rwsem(s) ((void)pthread_rwlock_init(&(s)->lock, (void *)0))
#define down_read(s) __fencepost_down_read(&(s)->lock)
#define down_read_interruptible(s) \
    __lock_or_signal(pthread_rwlock_tryrdlock(&(s)->lock), (__fencepost_down_read(&(s)->lock), 0))
#define down_read_killable(s) \
    __lock_or_kill(pthread_rwlock_tryrdlock(&(s)->lock), (__fencepost_down_read(&(s)->lock), 0))
#define down_read_nested(s, subclass) down_read(s)
#define down_read_trylock(s) (pthread_rwlock_tryrdlock(&(s)->lock) == 0)
#define down_write(s) __fencepost_down_write(&(s)->lock)
#define down_write_killable(s) \
    __lock_or_kill(pthread_rwlock_trywrlock(&(s)->lock), (__fencepost_down_write(&(s)->lock), 0))
#define down_write_nested(s, subclass) down_write(s)
#define down_write_trylock(s) (pthread_rwlock_trywrlock(&(s)->lock) == 0)
#define up_read(s) ((void)pthread_rwlock_unlock(&(s)->lock))
#define up_write(s) ((void)pthread_rwlock_unlock(&(s)->lock))
/* No other writer comes between. */
#define downgrade_write(s) \
    ({ \
        struct rw_semaphore *__written = (s); \
        __VERIFIER_atomic_begin(); \
        pthread_rwlock_unlock(&__written->lock); \
        pthread_rwlock_rdlock(&__written->lock); \
        __VERIFIER_atomic_end(); \
    })
DEFINE_GUARD(rwsem_read, struct rw_semaphore *, down_read(_T), up_read(_T))
DEFINE_GUARD_COND(rwsem_read, _try, down_read_trylock(_T))
DEFINE_GUARD_COND(rwsem_read, _intr, down_read_interruptible(_T) == 0)
DEFINE_GUARD(rwsem_write, struct rw_semaphore *, down_write(_T), up_write(_T))
DEFINE_GUARD_COND(rwsem_write, _try, down_write_trylock(_T))
