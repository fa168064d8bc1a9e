#pragma once
/* Threads of the kernel. Creating one succeeds. One that `kthread_create` made waits for its first wake-up, which
   `kthread_run` gives it. `kthread_stop` sets a flag by a locked instruction, wakes the thread, and waits for its end;
   the function of a thread that has not begun by then is not called. */
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <threads.h>
int __fencepost_park(struct task_struct *task);
void __fencepost_unpark(struct task_struct *task);
void __fencepost_park_here(void);
static int __kthread(int (*function)(void *))
{
    while (smp_load_acquire(&current->__state) != TASK_RUNNING)
        ;
    if (READ_ONCE(current->__stop))
        return -EINTR;
    __fencepost_park_here();
    return function(READ_ONCE(current->__data));
}
#define __kthread_make(function, data, state, ...) \
    ({ \
        struct task_struct *__made = &__fencepost_tasks[(int)__fencepost_start(__kthread, (function))]; \
        (void)printf(__VA_ARGS__); \
        WRITE_ONCE(__made->__data, (void *)(data)); \
        smp_store_release(&__made->__state, (state)); \
        __made; \
    })
#define kthread_create(function, data, ...) __kthread_make(function, data, TASK_UNINTERRUPTIBLE, __VA_ARGS__)
#define kthread_create_on_node(function, data, node, ...) kthread_create(function, data, __VA_ARGS__)
#define kthread_create_on_cpu(function, data, cpu, ...) kthread_create(function, data, __VA_ARGS__)
#define kthread_run(function, data, ...) __kthread_make(function, data, TASK_RUNNING, __VA_ARGS__)
#define kthread_run_on_cpu(function, data, cpu, ...) kthread_run(function, data, __VA_ARGS__)
#define kthread_should_stop() (READ_ONCE(current->__stop) != 0)
#define kthread_freezable_should_stop(frozen) kthread_should_stop()
#define kthread_should_park() (READ_ONCE(current->__park) != 0)
#define kthread_parkme() __fencepost_park_here()
#define kthread_park(task) __fencepost_park(task)
#define kthread_unpark(task) __fencepost_unpark(task)
#define kthread_bind(task, cpu) ((void)(task), (void)(cpu))
#define kthread_stop(task) \
    ({ \
        struct task_struct *__ended = (task); \
        int __ends_with; \
        __fencepost_atomic_or(&__ended->__stop, 1); \
        __fencepost_unpark(__ended); \
        wake_up_process(__ended); \
        thrd_join((thrd_t)(__ended - __fencepost_tasks), &__ends_with); \
        __ends_with; \
    })
#define kthread_stop_put(task) kthread_stop(task)
#define set_freezable() 0
#define try_to_freeze() 0
