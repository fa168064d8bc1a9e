#pragma once
/* A signal may come instead of the mutex, where it may. Which thread holds a mutex cannot be read. */
#include <linux/cleanup.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
struct mutex { __fencepost_mutex lock; };
#define __MUTEX_INITIALIZER(name) {{0}}
#define DEFINE_MUTEX(name) struct mutex name = {{0}}
#define mutex_init(m) ((void)pthread_mutex_init(&(m)->lock, (void *)0))
#define mutex_destroy(m) ((void)pthread_mutex_destroy(&(m)->lock))
#define mutex_lock(m) ((void)pthread_mutex_lock(&(m)->lock))
#define mutex_lock_interruptible(m) \
    __lock_or_signal(pthread_mutex_trylock(&(m)->lock), pthread_mutex_lock(&(m)->lock))
#define mutex_lock_killable(m) \
    __lock_or_kill(pthread_mutex_trylock(&(m)->lock), pthread_mutex_lock(&(m)->lock))
#define mutex_lock_io(m) mutex_lock(m)
#define mutex_lock_nested(m, subclass) mutex_lock(m)
#define mutex_lock_nest_lock(m, outer) mutex_lock(m)
#define mutex_lock_interruptible_nested(m, subclass) mutex_lock_interruptible(m)
#define mutex_lock_killable_nested(m, subclass) mutex_lock_killable(m)
#define mutex_trylock(m) (pthread_mutex_trylock(&(m)->lock) == 0)
#define mutex_unlock(m) ((void)pthread_mutex_unlock(&(m)->lock))
/* Takes the mutex only where the counter reaches 0. */
#define atomic_dec_and_mutex_lock(v, m) \
    ({ \
        __typeof__(v) __counted = (v); \
        struct mutex *__guard = (m); \
        int __reached = 0; \
        if (!atomic_add_unless(__counted, -1, 1)) { \
            mutex_lock(__guard); \
            __reached = atomic_dec_and_test(__counted); \
            if (!__reached) \
                mutex_unlock(__guard); \
        } \
        __reached; \
    })
#define mutex_is_locked(m) (__fencepost_is_locked(&(m)->lock) != 0)
DEFINE_GUARD(mutex, struct mutex *, mutex_lock(_T), mutex_unlock(_T))
DEFINE_GUARD_COND(mutex, _try, mutex_trylock(_T))
DEFINE_GUARD_COND(mutex, _intr, mutex_lock_interruptible(_T) == 0)
