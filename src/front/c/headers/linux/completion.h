#pragma once
/* A number of events that have happened, under the lock of a queue of those who wait for one. */
#include <limits.h>
#include <linux/wait.h>
struct completion { unsigned int done; __fencepost_mutex lock; __fencepost_condition woken; };
#define COMPLETION_INITIALIZER(name) { 0, {0}, {0} }
#define COMPLETION_INITIALIZER_ONSTACK(name) COMPLETION_INITIALIZER(name)
#define DECLARE_COMPLETION(name) struct completion name = COMPLETION_INITIALIZER(name)
#define DECLARE_COMPLETION_ONSTACK(name) DECLARE_COMPLETION(name)
#define init_completion(x) \
    ({ \
        struct completion *__made = (x); \
        __made->done = 0; \
        mtx_init(&__made->lock, 0); \
        cnd_init(&__made->woken); \
    })
#define reinit_completion(x) ((void)((x)->done = 0))
#define complete(x) \
    ({ \
        struct completion *__event = (x); \
        mtx_lock(&__event->lock); \
        if (__event->done != UINT_MAX) \
            WRITE_ONCE(__event->done, __event->done + 1); \
        cnd_signal(&__event->woken); \
        mtx_unlock(&__event->lock); \
    })
#define complete_all(x) \
    ({ \
        struct completion *__event = (x); \
        mtx_lock(&__event->lock); \
        WRITE_ONCE(__event->done, UINT_MAX); \
        cnd_broadcast(&__event->woken); \
        mtx_unlock(&__event->lock); \
    })
#define __take_completion(event) \
    ({ if ((event)->done != UINT_MAX) WRITE_ONCE((event)->done, (event)->done - 1); })
#define wait_for_completion(x) \
    ({ \
        struct completion *__event = (x); \
        mtx_lock(&__event->lock); \
        while (!__event->done) \
            cnd_wait(&__event->woken, &__event->lock); \
        __take_completion(__event); \
        mtx_unlock(&__event->lock); \
    })
#define try_wait_for_completion(x) \
    ({ \
        struct completion *__event = (x); \
        bool __happened = READ_ONCE(__event->done) != 0; \
        if (__happened) { \
            mtx_lock(&__event->lock); \
            __happened = __event->done != 0; \
            if (__happened) \
                __take_completion(__event); \
            mtx_unlock(&__event->lock); \
        } \
        __happened; \
    })
#define completion_done(x) \
    ({ \
        struct completion *__event = (x); \
        bool __happened = READ_ONCE(__event->done) != 0; \
        if (__happened) { \
            mtx_lock(&__event->lock); \
            mtx_unlock(&__event->lock); \
        } \
        __happened; \
    })
#define wait_for_completion_io(x) wait_for_completion(x)
/* Finds no event where the time is over or a signal arrives before one, which a thread that goes on later may. */
#define wait_for_completion_timeout(x, timeout) \
    ({ long __time = (timeout); __completed_in_time(x) ? (unsigned long)__any_rest(__time, 1) : 0UL; })
#define __completed_in_time(x) \
    ({ \
        struct completion *__event = (x); \
        mtx_lock(&__event->lock); \
        bool __in_time = __event->done != 0; \
        if (__in_time) \
            __take_completion(__event); \
        mtx_unlock(&__event->lock); \
        __in_time; \
    })
#define __completed_or(x, is_over) \
    ({ \
        struct completion *__event = (x); \
        int __ended = 0; \
        mtx_lock(&__event->lock); \
        while (!__ended && !__event->done) { \
            if (is_over) \
                __ended = -ERESTARTSYS; \
            else \
                cnd_wait(&__event->woken, &__event->lock); \
        } \
        if (!__ended) \
            __take_completion(__event); \
        mtx_unlock(&__event->lock); \
        __ended; \
    })
#define wait_for_completion_interruptible(x) __completed_or(x, __signalled())
#define wait_for_completion_killable(x) __completed_or(x, __killed())
#define __completed_in_time_or(x, timeout, is_over) \
    ({ \
        long __time = (timeout); \
        __completed_in_time(x) ? __any_rest(__time, 1) : (is_over) ? (long)-ERESTARTSYS : 0L; \
    })
#define wait_for_completion_interruptible_timeout(x, timeout) \
    __completed_in_time_or(x, timeout, __signalled())
#define wait_for_completion_killable_timeout(x, timeout) __completed_in_time_or(x, timeout, __killed())
