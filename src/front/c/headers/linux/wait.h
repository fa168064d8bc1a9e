#pragma once
/* Queues of threads that sleep until a condition holds. The lock of a queue is taken by a locked instruction and
   released by a store, as in Linux. A thread that finds the condition false enters the queue and looks again; it
   does so under the lock here, and releases it as it falls asleep. So the condition must not take that lock.
   A sleep may end for no reason, and a wake-up wakes all. Whether a thread waits cannot be asked. */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/spinlock.h>
#include <asm/barrier.h>
typedef struct wait_queue_head { __fencepost_mutex lock; __fencepost_condition woken; } wait_queue_head_t;
#define __WAIT_QUEUE_HEAD_INITIALIZER(name) { {0}, {0} }
#define DECLARE_WAIT_QUEUE_HEAD(name) wait_queue_head_t name = __WAIT_QUEUE_HEAD_INITIALIZER(name)
#define DECLARE_WAIT_QUEUE_HEAD_ONSTACK(name) DECLARE_WAIT_QUEUE_HEAD(name)
#define ERESTARTSYS 512
#define init_waitqueue_head(queue) \
    ({ \
        wait_queue_head_t *__made = (queue); \
        mtx_init(&__made->lock, 0); \
        cnd_init(&__made->woken); \
    })
/* Yields whether the condition held in the end. Where `sleep` yields what is not 0, it was the last one. */
#define __wait_event(queue, condition, sleep) \
    ({ \
        wait_queue_head_t *__queue = &(queue); \
        int __holds = !!(condition), __over = 0; \
        if (!__holds) { \
            mtx_lock(&__queue->lock); \
            for (;;) { \
                smp_mb(); \
                __holds = !!(condition); \
                if (__holds || __over) \
                    break; \
                __over = sleep(__queue); \
            } \
            mtx_unlock(&__queue->lock); \
        } \
        __holds; \
    })
#define __sleep(queue) (cnd_wait(&(queue)->woken, &(queue)->lock), 0)
/* Until a time is over, or a signal arrives. */
#define __doze(queue) (cnd_timedwait(&(queue)->woken, &(queue)->lock, (void *)0) != 0)
#define wait_event(queue, condition) ((void)__wait_event(queue, condition, __sleep))
#define wait_event_interruptible(queue, condition) \
    (__wait_event(queue, condition, __doze) ? 0 : -ERESTARTSYS)
#define wait_event_killable(queue, condition) wait_event_interruptible(queue, condition)
#define wait_event_timeout(queue, condition, timeout) \
    ({ \
        long __left = (timeout), __after; \
        if (__wait_event(queue, condition, __doze)) { \
            __after = __VERIFIER_nondet_int(); \
            __VERIFIER_assume(__after >= 1 && (__after <= __left || __after == 1)); \
        } else \
            __after = 0; \
        __after; \
    })
#define wake_up(queue) \
    ({ \
        wait_queue_head_t *__wakes = (queue); \
        mtx_lock(&__wakes->lock); \
        cnd_broadcast(&__wakes->woken); \
        mtx_unlock(&__wakes->lock); \
    })
#define wake_up_all(queue) wake_up(queue)
#define wake_up_interruptible(queue) wake_up(queue)
#define wake_up_interruptible_all(queue) wake_up(queue)
