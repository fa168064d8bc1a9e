#pragma once
/* A count, which a locked instruction takes down and up. An attempt that fails only looks. */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
struct semaphore { int count; };
#define __SEMAPHORE_INITIALIZER(name, n) { (n) }
#define __DEFINE_SEMAPHORE(name, n, ...) struct semaphore name = { (n) }
#define DEFINE_SEMAPHORE(...) __DEFINE_SEMAPHORE(__VA_ARGS__, 1, 0)
#define sema_init(s, n) ((void)((s)->count = (n)))
#define down_trylock(s) \
    ({ \
        int *__count = &(s)->count, __has = READ_ONCE(*__count); \
        while (__has > 0 && !try_cmpxchg(__count, &__has, __has - 1)) \
            ; \
        __has <= 0; \
    })
#define down(s) \
    ({ \
        int *__count = &(s)->count, __has = READ_ONCE(*__count); \
        while (__has <= 0 || !try_cmpxchg(__count, &__has, __has - 1)) \
            __has = READ_ONCE(*__count); \
    })
#define down_interruptible(s) __lock_or_signal(down_trylock(s), (down(s), 0))
#define down_killable(s) __lock_or_kill(down_trylock(s), (down(s), 0))
/* Before a time is over, or not. */
#define down_timeout(s, time) ((void)(time), down_trylock(s) ? -ETIME : 0)
#define up(s) ((void)xadd(&(s)->count, 1))
