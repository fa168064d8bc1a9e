#pragma once
/* Threads that sleep and are woken. Each thread of the program has a task, as main has one. A thread whose state is
   not TASK_RUNNING sleeps in `schedule` until a wake-up makes it TASK_RUNNING, or a signal, in a state that lets signals
   through. Threads of the kernel ignore signals unless they allow some. On x86 `set_current_state` is an exchange, `__set_current_state` a store that may still
   be in the buffer while later loads execute. `schedule` takes the lock of a queue of tasks and `wake_up_process` that
   of the task, both by a locked instruction, before they look at the state. */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <threads.h>
#define TASK_RUNNING 0x0
#define TASK_INTERRUPTIBLE 0x1
#define TASK_UNINTERRUPTIBLE 0x2
#define __TASK_STOPPED 0x4
#define __TASK_TRACED 0x8
#define TASK_STOPPED (TASK_WAKEKILL | __TASK_STOPPED)
#define TASK_TRACED __TASK_TRACED
#define TASK_PARKED 0x40
#define TASK_DEAD 0x80
#define TASK_WAKEKILL 0x100
#define TASK_NOLOAD 0x400
#define TASK_NEW 0x800
#define TASK_FREEZABLE 0x2000
#define TASK_KILLABLE (TASK_WAKEKILL | TASK_UNINTERRUPTIBLE)
#define TASK_IDLE (TASK_UNINTERRUPTIBLE | TASK_NOLOAD)
#define TASK_NORMAL (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE)
#define TASK_COMM_LEN 16
#define MAX_SCHEDULE_TIMEOUT 0x7fffffffL
/* `__stop`: `kthread_stop` was called. `__data`: what a thread that waits for its first wake-up is called with. */
struct task_struct { unsigned int __state; int pid, __stop; void *__data; };
/* By the numbers of threads, of which main has 64, and which are the numbers to join by. There is one table for all
   files. */
extern struct task_struct __fencepost_tasks[16];
#define current (&__fencepost_tasks[(int)thrd_current() & 63])
#define get_current() current
#define task_pid_nr(task) ((task)->pid)
#define get_task_struct(task) (task)
#define put_task_struct(task) ((void)(task))

/* A new task is running. */
#define __task_state(task) (READ_ONCE((task)->__state) & ~(unsigned int)TASK_NEW)
#define get_current_state() __task_state(current)
#define task_is_running(task) (__task_state(task) == TASK_RUNNING)
#define __set_current_state(state) WRITE_ONCE(current->__state, (state))
#define set_current_state(state) smp_store_mb(current->__state, (state))
/* With a lock, so that a wake-up at the same time comes before. */
#define set_special_state(state) ({ smp_mb(); WRITE_ONCE(current->__state, (state)); })
/* Yields whether the task slept. The caller has executed a barrier. */
#define __wake_task(task, states) \
    ({ \
        struct task_struct *__sleeper = (task); \
        int __slept = (READ_ONCE(__sleeper->__state) & (states)) != 0; \
        if (__slept) \
            smp_store_release(&__sleeper->__state, TASK_RUNNING); \
        __slept; \
    })
#define wake_up_state(task, states) ({ struct task_struct *__awake = (task); smp_mb(); __wake_task(__awake, states); })
#define wake_up_process(task) wake_up_state(task, TASK_NORMAL)
#define __sleep() \
    ({ \
        smp_mb(); \
        while (smp_load_acquire(&current->__state) & (TASK_NORMAL | TASK_PARKED | TASK_DEAD)) \
            ; \
    })
#define schedule() \
    ({ \
        if (__fencepost_takes(~0UL) && signal_pending_state(READ_ONCE(current->__state), current)) { \
            smp_mb(); \
            __set_current_state(TASK_RUNNING); \
        } else \
            __sleep(); \
    })
#define io_schedule() schedule()
/* The time may be over at once: that the thread goes on later is among the executions. */
#define schedule_timeout(time) \
    ({ \
        long __most = (time), __rest = 0; \
        if (__most == MAX_SCHEDULE_TIMEOUT) { \
            schedule(); \
            __rest = __most; \
        } else { \
            smp_mb(); \
            __set_current_state(TASK_RUNNING); \
            __rest = __any_rest(__most, 0); \
        } \
        __rest; \
    })
#define __any_rest(most, least) \
    ({ \
        int __any = rand(); \
        __VERIFIER_assume(__any >= (least) && (__any <= (most) || __any == (least))); \
        (long)__any; \
    })
#define schedule_timeout_interruptible(time) \
    ({ __set_current_state(TASK_INTERRUPTIBLE); schedule_timeout(time); })
#define schedule_timeout_uninterruptible(time) \
    ({ __set_current_state(TASK_UNINTERRUPTIBLE); schedule_timeout(time); })
#define schedule_timeout_killable(time) schedule_timeout_uninterruptible(time)
#define schedule_timeout_idle(time) schedule_timeout_uninterruptible(time)

/* cond_resched is known by name. */
#define sched_set_fifo(task) ((void)(task))
#define sched_set_fifo_low(task) ((void)(task))
#define sched_set_normal(task, nice) ((void)(task), (void)(nice))
#define set_user_nice(task, nice) ((void)(task), (void)(nice))
#define need_resched() __VERIFIER_nondet_bool()
#define cond_resched_lock(l) ((void)(l), 0)
#define yield() ((void)0)
/* Of another thread it is not known. */
#define __pending(task, signalled) ((task) == current ? (int)(signalled) : (int)__VERIFIER_nondet_bool())
#define signal_pending(task) __pending(task, __signalled())
#define fatal_signal_pending(task) __pending(task, __killed())
#define signal_pending_state(state, task) \
    ({ \
        unsigned int __in_state = (state); \
        __in_state & TASK_INTERRUPTIBLE ? signal_pending(task) \
            : __in_state & TASK_WAKEKILL ? fatal_signal_pending(task) : 0; \
    })
#define flush_signals(task) ((void)(task))
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGKILL 9
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
void allow_signal(int signal);
void disallow_signal(int signal);
/* A time, or none. Yields 0 when it is over; there is no sleep until the time 0. */
#define schedule_hrtimeout(expires, mode) \
    ({ \
        const s64 *__until = (expires); \
        (void)(mode); \
        if (!__until) \
            schedule(); \
        else { \
            if (*__until) \
                smp_mb(); \
            __set_current_state(TASK_RUNNING); \
        } \
        __until && (!*__until || __VERIFIER_nondet_bool()) ? 0 : -EINTR; \
    })
