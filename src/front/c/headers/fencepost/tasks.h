#pragma once
#include <linux/sched.h>
#ifdef NEEDS___fencepost_bits
#include <linux/wait_bit.h>
wait_queue_head_t __fencepost_bits;
#endif
#ifdef NEEDS___fencepost_allow_signals
void __fencepost_allow_signals(unsigned long allowed)
{
    WRITE_ONCE(current->__allowed, allowed);
}
#endif
#define __FENCEPOST_TAKES_SIGNALS __fencepost_takes_signals()
#ifdef NEEDS___fencepost_takes
bool __fencepost_takes(unsigned long signals)
{
#ifdef NEEDS___fencepost_allow_signals
    return __FENCEPOST_TAKES_SIGNALS || READ_ONCE(current->__allowed) & signals;
#else
    return __FENCEPOST_TAKES_SIGNALS;
#endif
}
#endif
/* Where no thread is to park, none looks whether it is. */
#ifdef NEEDS___fencepost_park_here
void __fencepost_park_here(void)
{
#ifdef NEEDS___fencepost_park
    struct task_struct *self = current;
    while (READ_ONCE(self->__park)) {
        set_special_state(TASK_PARKED);
        if (READ_ONCE(self->__park)) {
            xadd(&self->__parked, 1);
            __sleep();
        }
        __set_current_state(TASK_RUNNING);
    }
#endif
}
#endif
#ifdef NEEDS___fencepost_park
/* Waits until the thread has parked. */
int __fencepost_park(struct task_struct *task)
{
    BUG_ON(READ_ONCE(task->__park));
    xchg(&task->__park, 1);
    if (task != current) {
        wake_up_process(task);
        while (!smp_load_acquire(&task->__parked))
            ;
        xadd(&task->__parked, -1);
    }
    return 0;
}
#endif
#ifdef NEEDS___fencepost_unpark
void __fencepost_unpark(struct task_struct *task)
{
#ifdef NEEDS___fencepost_park
    if (READ_ONCE(task->__park)) {
        xchg(&task->__park, 0);
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
