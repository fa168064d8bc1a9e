#pragma once
#include <linux/sched.h>
#ifdef NEEDS___fencepost_bits
#include <linux/wait_bit.h>
wait_queue_head_t __fencepost_bits;
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
