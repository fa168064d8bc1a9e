#pragma once
#include <linux/sched.h>
#ifdef NEEDS___fencepost_bits
#include <linux/wait_bit.h>
wait_queue_head_t __fencepost_bits;
#endif
/* The number of a task, and that of the thread at hand. */
#define __FENCEPOST_NUMBER_OF(task) ((int)((task) - __fencepost_tasks))
#define __FENCEPOST_OWN_TASK ((int)thrd_current() & 63)
#define __FENCEPOST_TAKES_SIGNALS __fencepost_takes_signals()
/* The signals that threads of the kernel have allowed. */
#ifdef NEEDS_allow_signal
static unsigned long __fencepost_allowed[16];
void allow_signal(int signal)
{
    unsigned long *own = &__fencepost_allowed[__FENCEPOST_OWN_TASK];
    WRITE_ONCE(*own, READ_ONCE(*own) | 1UL << signal);
}
#endif
#ifdef NEEDS_disallow_signal
void disallow_signal(int signal)
{
#ifdef NEEDS_allow_signal
    unsigned long *own = &__fencepost_allowed[__FENCEPOST_OWN_TASK];
    WRITE_ONCE(*own, READ_ONCE(*own) & ~(1UL << signal));
#endif
}
#endif
#ifdef NEEDS___fencepost_takes
bool __fencepost_takes(unsigned long signals)
{
#ifdef NEEDS_allow_signal
    return __FENCEPOST_TAKES_SIGNALS || READ_ONCE(__fencepost_allowed[__FENCEPOST_OWN_TASK]) & signals;
#else
    return __FENCEPOST_TAKES_SIGNALS;
#endif
}
#endif
/* Whether threads are to park, and how often they have since another one looked. Where none is to, none looks. */
#ifdef NEEDS_kthread_park
static int __fencepost_parks[16], __fencepost_parked[16];
/* Waits until the thread has parked. */
int kthread_park(struct task_struct *task)
{
    int number = __FENCEPOST_NUMBER_OF(task);
    BUG_ON(READ_ONCE(__fencepost_parks[number]));
    xchg(&__fencepost_parks[number], 1);
    if (task != current) {
        wake_up_process(task);
        while (!smp_load_acquire(&__fencepost_parked[number]))
            ;
        xadd(&__fencepost_parked[number], -1);
    }
    return 0;
}
#define __FENCEPOST_SHOULD_PARK (READ_ONCE(__fencepost_parks[__FENCEPOST_OWN_TASK]) != 0)
#else
#define __FENCEPOST_SHOULD_PARK 0
#endif
#ifdef NEEDS___fencepost_should_park
bool __fencepost_should_park(void)
{
    return __FENCEPOST_SHOULD_PARK;
}
#endif
#ifdef NEEDS___fencepost_park_here
void __fencepost_park_here(void)
{
#ifdef NEEDS_kthread_park
    while (__FENCEPOST_SHOULD_PARK) {
        set_special_state(TASK_PARKED);
        if (__FENCEPOST_SHOULD_PARK) {
            xadd(&__fencepost_parked[__FENCEPOST_OWN_TASK], 1);
            __sleep();
        }
        __set_current_state(TASK_RUNNING);
    }
#endif
}
#endif
#ifdef NEEDS___fencepost_unpark
void __fencepost_unpark(struct task_struct *task)
{
#ifdef NEEDS_kthread_park
    int number = __FENCEPOST_NUMBER_OF(task);
    if (READ_ONCE(__fencepost_parks[number])) {
        xchg(&__fencepost_parks[number], 0);
        wake_up_state(task, TASK_PARKED);
    }
#endif
}
#endif
/* The tasks of a program of Linux, once for all its files. */
#define __FENCEPOST_TASK(number) { TASK_NEW, (number) ? (number) : 64 }
#ifdef NEEDS___fencepost_tasks
struct task_struct __fencepost_tasks[16] = {
    __FENCEPOST_TASK(0), __FENCEPOST_TASK(1), __FENCEPOST_TASK(2), __FENCEPOST_TASK(3),
    __FENCEPOST_TASK(4), __FENCEPOST_TASK(5), __FENCEPOST_TASK(6), __FENCEPOST_TASK(7),
    __FENCEPOST_TASK(8), __FENCEPOST_TASK(9), __FENCEPOST_TASK(10), __FENCEPOST_TASK(11),
    __FENCEPOST_TASK(12), __FENCEPOST_TASK(13), __FENCEPOST_TASK(14), __FENCEPOST_TASK(15),
};
#endif
