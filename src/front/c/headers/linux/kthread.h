#pragma once
/* Threads of the kernel. `kthread_run` and `kthread_stop` take no lock that this shows; the first starts the
   thread at once, and the second waits for its end. Whether a thread is to stop is not known to it here. */
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/slab.h>
struct task_struct { __fencepost_thread thread; };
#define kthread_run(function, data, ...) \
    ({ \
        struct task_struct *__task = malloc(sizeof(struct task_struct)); \
        thrd_create(&__task->thread, (function), (data)); \
        __task; \
    })
