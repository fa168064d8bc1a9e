#pragma once
/* Simple queues of threads that sleep: first come, first woken. A wake-up takes the thread off the queue, whether it
   sleeps or not. */
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
struct swait_queue { struct task_struct *task; struct swait_queue *next; unsigned int queued; };
struct swait_queue_head { raw_spinlock_t lock; struct swait_queue *first; };
#define __SWAIT_QUEUE_HEAD_INITIALIZER(name) { { 0 }, (struct swait_queue *)0 }
#define DECLARE_SWAIT_QUEUE_HEAD(name) struct swait_queue_head name = __SWAIT_QUEUE_HEAD_INITIALIZER(name)
#define init_swait_queue_head(queue) \
    ({ \
        struct swait_queue_head *__made = (queue); \
        raw_spin_lock_init(&__made->lock); \
        __made->first = (struct swait_queue *)0; \
    })
#define swait_active(queue) (READ_ONCE((queue)->first) != (struct swait_queue *)0)
#define swq_has_sleeper(queue) ({ struct swait_queue_head *__asked = (queue); smp_mb(); swait_active(__asked); })
#define __swake_up_first(queue) \
    ({ \
        struct swait_queue *__woken = (queue)->first; \
        if (__woken) { \
            wake_up_process(__woken->task); \
            WRITE_ONCE((queue)->first, __woken->next); \
            WRITE_ONCE(__woken->queued, 0); \
        } \
    })
#define swake_up_one(queue) \
    ({ \
        struct swait_queue_head *__of = (queue); \
        raw_spin_lock(&__of->lock); \
        __swake_up_first(__of); \
        raw_spin_unlock(&__of->lock); \
    })
#define __swait_event(queue, condition, state, is_over) \
    ({ \
        struct swait_queue_head *__queue = &(queue); \
        int __holds = !!(condition), __ended = 0; \
        if (!__holds) { \
            struct swait_queue __entry = { current, (struct swait_queue *)0, 0 }; \
            for (;;) { \
                raw_spin_lock(&__queue->lock); \
                if (__ended) \
                    __swait_leave(__queue, &__entry); \
                else { \
                    if (!__entry.queued) \
                        __swait_enter(__queue, &__entry); \
                    set_current_state(state); \
                } \
                raw_spin_unlock(&__queue->lock); \
                __holds = !!(condition); \
                if (__holds || __ended) \
                    break; \
                __ended = (is_over); \
                if (!__ended) \
                    __sleep(); \
            } \
            __set_current_state(TASK_RUNNING); \
            if (smp_load_acquire(&__entry.queued)) { \
                raw_spin_lock(&__queue->lock); \
                __swait_leave(__queue, &__entry); \
                raw_spin_unlock(&__queue->lock); \
            } \
        } \
        __holds; \
    })
#define __swait_enter(queue, entry) \
    ({ \
        struct swait_queue **__place = &(queue)->first; \
        while (*__place) \
            __place = &(*__place)->next; \
        (entry)->next = (struct swait_queue *)0; \
        WRITE_ONCE((entry)->queued, 1); \
        WRITE_ONCE(*__place, (entry)); \
    })
#define __swait_leave(queue, entry) \
    ({ \
        if ((entry)->queued) { \
            struct swait_queue **__place = &(queue)->first; \
            while (*__place != (entry)) \
                __place = &(*__place)->next; \
            WRITE_ONCE(*__place, (entry)->next); \
            WRITE_ONCE((entry)->queued, 0); \
        } \
    })
#define swait_event_exclusive(queue, condition) ((void)__swait_event(queue, condition, TASK_UNINTERRUPTIBLE, 0))
#define swait_event_idle_exclusive(queue, condition) ((void)__swait_event(queue, condition, TASK_IDLE, 0))
#define swait_event_interruptible_exclusive(queue, condition) \
    (__swait_event(queue, condition, TASK_INTERRUPTIBLE, __signalled()) ? 0 : -ERESTARTSYS)
