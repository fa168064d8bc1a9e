#pragma once
/* One thread that waits. It enters itself, and then sets its state by an exchange, before it looks at its condition; a
   waker executes a full barrier before it looks for a thread. */
#include <linux/rcupdate.h>
#include <linux/sched.h>
struct rcuwait { struct task_struct *task; };
#define __RCUWAIT_INITIALIZER(name) { (struct task_struct *)0 }
#define rcuwait_init(w) ((void)((w)->task = (struct task_struct *)0))
#define rcuwait_active(w) (rcu_access_pointer((w)->task) != (struct task_struct *)0)
#define rcuwait_wake_up(w) \
    ({ \
        struct rcuwait *__wait = (w); \
        smp_mb(); \
        struct task_struct *__waits = READ_ONCE(__wait->task); \
        __waits ? wake_up_process(__waits) : 0; \
    })
#define rcuwait_wait_event(w, condition, state) \
    ({ \
        struct rcuwait *__wait = (w); \
        int __ended = 0; \
        rcu_assign_pointer(__wait->task, current); \
        for (;;) { \
            set_current_state(state); \
            if (condition) \
                break; \
            if (signal_pending_state(state, current)) { \
                __ended = -EINTR; \
                break; \
            } \
            __sleep(); \
        } \
        rcu_assign_pointer(__wait->task, NULL); \
        __set_current_state(TASK_RUNNING); \
        __ended; \
    })
