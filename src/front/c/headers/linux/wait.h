#pragma once
/* Queues of threads that sleep until a condition holds, with the accesses of Linux. The lock of a queue is taken by a
   locked instruction and released by a store. A sleeper enters the queue and sets its state under the lock, the latter
   by an exchange, before it looks at its condition. A waker takes the lock, whether a thread waits or not; only
   `waitqueue_active` and `wq_has_sleeper` look for one first, and `waitqueue_active` is a load without a barrier. A
   wake-up is for all threads, and for one of those that wait exclusively. A signal may end an interruptible
   `wait_event` of a thread that does not ignore it. */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <asm/barrier.h>
struct wait_queue_entry { unsigned int flags, queued; struct task_struct *private; struct wait_queue_entry *next; };
typedef struct wait_queue_entry wait_queue_entry_t, wait_queue_t;
typedef struct wait_queue_head { spinlock_t lock; struct wait_queue_entry *first; } wait_queue_head_t;
#define WQ_FLAG_EXCLUSIVE 1u
/* A wake-up takes it off the queue. */
#define __WQ_FLAG_LEAVES 2u
#define __WAIT_QUEUE_HEAD_INITIALIZER(name) { {0}, (struct wait_queue_entry *)0 }
#define DECLARE_WAIT_QUEUE_HEAD(name) wait_queue_head_t name = __WAIT_QUEUE_HEAD_INITIALIZER(name)
#define DECLARE_WAIT_QUEUE_HEAD_ONSTACK(name) DECLARE_WAIT_QUEUE_HEAD(name)
#define init_waitqueue_head(queue) \
    ({ \
        wait_queue_head_t *__made = (queue); \
        spin_lock_init(&__made->lock); \
        __made->first = (struct wait_queue_entry *)0; \
    })
#define __WAIT_ENTRY(task, flags) { (flags), 0, (task), (struct wait_queue_entry *)0 }
#define DEFINE_WAIT(name) struct wait_queue_entry name = __WAIT_ENTRY(current, __WQ_FLAG_LEAVES)
#define DECLARE_WAITQUEUE(name, task) struct wait_queue_entry name = __WAIT_ENTRY(task, 0)
#define __init_entry(entry, task, how) \
    ({ \
        struct wait_queue_entry *__fresh = (entry); \
        __fresh->flags = (how); \
        __fresh->queued = 0; \
        __fresh->private = (task); \
        __fresh->next = (struct wait_queue_entry *)0; \
    })
#define init_wait(entry) __init_entry(entry, current, __WQ_FLAG_LEAVES)
#define init_waitqueue_entry(entry, task) __init_entry(entry, task, 0)

/* Under the lock. Those that wait exclusively come last. */
#define __set_exclusive(entry, how) ((void)((entry)->flags = ((entry)->flags & ~WQ_FLAG_EXCLUSIVE) | (how)))
#define __enqueue(queue, entry, last) \
    ({ \
        struct wait_queue_entry **__place = &(queue)->first; \
        if (last) \
            while (*__place) \
                __place = &(*__place)->next; \
        (entry)->next = *__place; \
        WRITE_ONCE((entry)->queued, 1); \
        WRITE_ONCE(*__place, (entry)); \
    })
#define __dequeue(queue, entry) \
    ({ \
        struct wait_queue_entry **__place = &(queue)->first; \
        while (*__place != (entry)) \
            __place = &(*__place)->next; \
        WRITE_ONCE(*__place, (entry)->next); \
        WRITE_ONCE((entry)->queued, 0); \
    })
#define __add_wait_queue_how(queue, entry, how) \
    ({ \
        wait_queue_head_t *__to = (queue); \
        struct wait_queue_entry *__added = (entry); \
        spin_lock(&__to->lock); \
        __set_exclusive(__added, how); \
        __enqueue(__to, __added, how); \
        spin_unlock(&__to->lock); \
    })
#define add_wait_queue(queue, entry) __add_wait_queue_how(queue, entry, 0u)
#define add_wait_queue_exclusive(queue, entry) __add_wait_queue_how(queue, entry, WQ_FLAG_EXCLUSIVE)
#define remove_wait_queue(queue, entry) \
    ({ \
        wait_queue_head_t *__to = (queue); \
        struct wait_queue_entry *__left = (entry); \
        spin_lock(&__to->lock); \
        if (__left->queued) \
            __dequeue(__to, __left); \
        spin_unlock(&__to->lock); \
    })
#define __prepare_to_wait(queue, entry, state, how, settle) \
    ({ \
        wait_queue_head_t *__to = (queue); \
        struct wait_queue_entry *__added = (entry); \
        spin_lock(&__to->lock); \
        settle; \
        if (!__added->queued) \
            __enqueue(__to, __added, how); \
        set_current_state(state); \
        spin_unlock(&__to->lock); \
    })
#define prepare_to_wait(queue, entry, state) \
    __prepare_to_wait(queue, entry, state, 0u, __set_exclusive(__added, 0u))
#define prepare_to_wait_exclusive(queue, entry, state) \
    __prepare_to_wait(queue, entry, state, WQ_FLAG_EXCLUSIVE, __set_exclusive(__added, WQ_FLAG_EXCLUSIVE))
#define finish_wait(queue, entry) \
    ({ \
        struct wait_queue_entry *__done = (entry); \
        __set_current_state(TASK_RUNNING); \
        if (smp_load_acquire(&__done->queued)) \
            remove_wait_queue(queue, __done); \
    })

#define waitqueue_active(queue) (READ_ONCE((queue)->first) != (struct wait_queue_entry *)0)
#define wq_has_sleeper(queue) ({ wait_queue_head_t *__asked = (queue); smp_mb(); waitqueue_active(__asked); })
/* Under the lock: wakes all threads in these states, and so many that wait exclusively. */
#define __wake_up_locked(queue, states, exclusive) \
    ({ \
        struct wait_queue_entry **__place = &(queue)->first; \
        int __more = (exclusive); \
        while (*__place) { \
            struct wait_queue_entry *__woken = *__place; \
            unsigned int __how = __woken->flags; \
            int __awake = __wake_task(__woken->private, states); \
            if (__awake && (__how & __WQ_FLAG_LEAVES)) { \
                WRITE_ONCE(*__place, __woken->next); \
                smp_store_release(&__woken->queued, 0); \
            } else \
                __place = &__woken->next; \
            if (__awake && (__how & WQ_FLAG_EXCLUSIVE) && !--__more) \
                break; \
        } \
    })
#define __wake_up(queue, states, exclusive, key) \
    ({ \
        wait_queue_head_t *__of = (queue); \
        (void)(key); \
        spin_lock(&__of->lock); \
        __wake_up_locked(__of, states, exclusive); \
        spin_unlock(&__of->lock); \
    })
#define wake_up(queue) __wake_up(queue, TASK_NORMAL, 1, NULL)
#define wake_up_nr(queue, count) __wake_up(queue, TASK_NORMAL, count, NULL)
#define wake_up_all(queue) __wake_up(queue, TASK_NORMAL, 0, NULL)
#define wake_up_sync(queue) wake_up(queue)
#define wake_up_locked(queue) ({ wait_queue_head_t *__of = (queue); __wake_up_locked(__of, TASK_NORMAL, 1); })
#define wake_up_all_locked(queue) ({ wait_queue_head_t *__of = (queue); __wake_up_locked(__of, TASK_NORMAL, 0); })
#define wake_up_interruptible(queue) __wake_up(queue, TASK_INTERRUPTIBLE, 1, NULL)
#define wake_up_interruptible_nr(queue, count) __wake_up(queue, TASK_INTERRUPTIBLE, count, NULL)
#define wake_up_interruptible_all(queue) __wake_up(queue, TASK_INTERRUPTIBLE, 0, NULL)
#define wake_up_interruptible_sync(queue) wake_up_interruptible(queue)
#define wake_up_poll(queue, events) wake_up(queue)
#define wake_up_interruptible_poll(queue, events) wake_up_interruptible(queue)

/* Yields whether the condition held in the end. `sleep` yields 0 after a wake-up, 1 when the time is over, 2 for a
   signal; then the condition is looked at for the last time. Where a signal comes, or the time ends, is a choice: what
   other threads do before this one goes on is among the executions. */
#define __wait_event(queue, condition, state, set, sleep) \
    ({ \
        wait_queue_head_t *__queue = &(queue); \
        int __holds = !!(condition), __over = 0; \
        if (!__holds) { \
            struct wait_queue_entry __entry = __WAIT_ENTRY(current, __WQ_FLAG_LEAVES | (set)); \
            for (;;) { \
                if (__over == 2) \
                    remove_wait_queue(__queue, &__entry); \
                else \
                    __prepare_to_wait(__queue, &__entry, state, set, (void)0); \
                __holds = !!(condition); \
                if (__holds || __over) \
                    break; \
                __over = (sleep); \
            } \
            finish_wait(__queue, &__entry); \
        } \
        __holds; \
    })
#define __until_woken() ({ __sleep(); 0; })
#define __until_woken_or(is_over) ({ int __signal = (is_over) ? 2 : 0; if (!__signal) __sleep(); __signal; })
#define __until_woken_or_signal() __until_woken_or(__signalled())
#define __until_woken_or_kill() __until_woken_or(__killed())
#define __until_time() ({ smp_mb(); 1; })
#define wait_event(queue, condition) \
    ((void)__wait_event(queue, condition, TASK_UNINTERRUPTIBLE, 0u, __until_woken()))
#define io_wait_event(queue, condition) wait_event(queue, condition)
#define wait_event_idle(queue, condition) \
    ((void)__wait_event(queue, condition, TASK_IDLE, 0u, __until_woken()))
#define wait_event_idle_exclusive(queue, condition) \
    ((void)__wait_event(queue, condition, TASK_IDLE, WQ_FLAG_EXCLUSIVE, __until_woken()))
#define wait_event_interruptible(queue, condition) \
    (__wait_event(queue, condition, TASK_INTERRUPTIBLE, 0u, __until_woken_or_signal()) ? 0 : -ERESTARTSYS)
#define wait_event_interruptible_exclusive(queue, condition) \
    (__wait_event(queue, condition, TASK_INTERRUPTIBLE, WQ_FLAG_EXCLUSIVE, __until_woken_or_signal()) \
         ? 0 : -ERESTARTSYS)
#define wait_event_freezable(queue, condition) wait_event_interruptible(queue, condition)
#define wait_event_killable(queue, condition) \
    (__wait_event(queue, condition, TASK_KILLABLE, 0u, __until_woken_or_kill()) ? 0 : -ERESTARTSYS)
#define wait_event_killable_exclusive(queue, condition) \
    (__wait_event(queue, condition, TASK_KILLABLE, WQ_FLAG_EXCLUSIVE, __until_woken_or_kill()) ? 0 : -ERESTARTSYS)
#define wait_event_timeout(queue, condition, timeout) \
    ({ \
        long __left = (timeout); \
        __wait_event(queue, condition, TASK_UNINTERRUPTIBLE, 0u, __until_time()) ? __any_rest(__left, 1) : 0L; \
    })
#define wait_event_idle_timeout(queue, condition, timeout) wait_event_timeout(queue, condition, timeout)
#define __wait_event_timeout_or(queue, condition, timeout, state, is_over) \
    ({ \
        long __left = (timeout); \
        __wait_event(queue, condition, state, 0u, __until_time()) \
            ? __any_rest(__left, 1) : (is_over) ? (long)-ERESTARTSYS : 0L; \
    })
#define wait_event_interruptible_timeout(queue, condition, timeout) \
    __wait_event_timeout_or(queue, condition, timeout, TASK_INTERRUPTIBLE, __signalled())
#define wait_event_killable_timeout(queue, condition, timeout) \
    __wait_event_timeout_or(queue, condition, timeout, TASK_KILLABLE, __killed())
#define wait_event_cmd(queue, condition, before, after) \
    ((void)__wait_event(queue, condition, TASK_UNINTERRUPTIBLE, 0u, ({ before; __sleep(); after; 0; })))
/* The condition is looked at with the lock. */
#define wait_event_lock_irq(queue, condition, l) wait_event_cmd(queue, condition, spin_unlock(&(l)), spin_lock(&(l)))
#define wait_event_lock_irq_cmd(queue, condition, l, cmd) \
    wait_event_cmd(queue, condition, spin_unlock(&(l)); cmd, spin_lock(&(l)))
#define wait_event_interruptible_lock_irq(queue, condition, l) \
    (__wait_event(queue, condition, TASK_INTERRUPTIBLE, 0u, \
                  ({ spin_unlock(&(l)); int __ended = __until_woken_or_signal(); spin_lock(&(l)); __ended; })) \
         ? 0 : -ERESTARTSYS)
