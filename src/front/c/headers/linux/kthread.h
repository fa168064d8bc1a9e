#pragma once
/* Threads of the kernel, which start at once. Nothing stops them, and nothing waits for their end. */
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/slab.h>
struct task_struct { __fencepost_thread thread; };
#define kthread_run(function, data, ...) \
    ({ \
        struct task_struct *__task = malloc(sizeof(struct task_struct)); \
        thrd_create(&__task->thread, (function), (data)); \
        (void)printf(__VA_ARGS__); \
        __task; \
    })
