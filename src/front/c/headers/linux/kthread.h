#pragma once
/* Threads of the kernel. Creating one succeeds. One that `kthread_create` made waits for its first wake-up, which
   `kthread_run` gives it. `kthread_stop` sets a flag by a locked instruction, wakes the thread, and waits for its end;
   the function of a thread that has not begun by then is not called. */
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <threads.h>
int kthread_park(struct task_struct *task);
void __fencepost_unpark(struct task_struct *task);
void __fencepost_park_here(void);
bool __fencepost_should_park(void);
static int __kthread(int (*function)(void *))
{
    while (smp_load_acquire(&current->__state) != TASK_RUNNING)
        ;
    return READ_ONCE(current->__stop) ? -EINTR : (__fencepost_park_here(), function(READ_ONCE(current->__data)));
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
#define kthread_should_park() __fencepost_should_park()
#define kthread_parkme() __fencepost_park_here()
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
/* Work that a thread executes, in the order in which it is queued. Work that is queued is not queued again. */
#include <linux/completion.h>
#include <linux/container_of.h>
#include <linux/list.h>
#include <linux/spinlock.h>
struct kthread_work;
typedef void (*kthread_work_func_t)(struct kthread_work *work);
struct kthread_worker {
    raw_spinlock_t lock;
    struct list_head work_list;
    struct task_struct *task;
    struct kthread_work *current_work;
};
struct kthread_work { struct list_head node; kthread_work_func_t func; struct kthread_worker *worker; };
#define KTHREAD_WORK_INIT(work, routine) { LIST_HEAD_INIT((work).node), (routine) }
#define KTHREAD_WORKER_INIT(worker) { { 0 }, LIST_HEAD_INIT((worker).work_list) }
#define DEFINE_KTHREAD_WORKER(name) struct kthread_worker name = KTHREAD_WORKER_INIT(name)
#define DEFINE_KTHREAD_WORK(name, routine) struct kthread_work name = KTHREAD_WORK_INIT(name, routine)
#define kthread_init_worker(w) \
    ({ \
        struct kthread_worker *__worker = (w); \
        raw_spin_lock_init(&__worker->lock); \
        INIT_LIST_HEAD(&__worker->work_list); \
        __worker->task = NULL; \
        __worker->current_work = NULL; \
    })
#define kthread_init_work(w, routine) \
    ({ \
        struct kthread_work *__fresh = (w); \
        INIT_LIST_HEAD(&__fresh->node); \
        __fresh->func = (routine); \
        __fresh->worker = NULL; \
    })
static int kthread_worker_fn(void *given)
{
    struct kthread_worker *worker = given;
    WRITE_ONCE(worker->task, current);
    for (;;) {
        set_current_state(TASK_INTERRUPTIBLE);
        if (kthread_should_stop()) {
            __set_current_state(TASK_RUNNING);
            raw_spin_lock(&worker->lock);
            worker->task = NULL;
            raw_spin_unlock(&worker->lock);
            return 0;
        }
        struct kthread_work *work = NULL;
        raw_spin_lock(&worker->lock);
        if (!list_empty(&worker->work_list)) {
            work = list_first_entry(&worker->work_list, struct kthread_work, node);
            list_del_init(&work->node);
        }
        worker->current_work = work;
        raw_spin_unlock(&worker->lock);
        if (work) {
            kthread_work_func_t function = work->func;
            __set_current_state(TASK_RUNNING);
            function(work);
        } else
            __sleep();
    }
}
#define __kthread_insert_work(worker_at, queued, before) \
    ({ \
        list_add_tail(&(queued)->node, before); \
        (queued)->worker = (worker_at); \
        if (!(worker_at)->current_work && READ_ONCE((worker_at)->task)) \
            wake_up_process(READ_ONCE((worker_at)->task)); \
    })
#define kthread_queue_work(w, queued) \
    ({ \
        struct kthread_worker *__worker = (w); \
        struct kthread_work *__queued = (queued); \
        raw_spin_lock(&__worker->lock); \
        bool __is_new = list_empty(&__queued->node); \
        if (__is_new) \
            __kthread_insert_work(__worker, __queued, &__worker->work_list); \
        raw_spin_unlock(&__worker->lock); \
        __is_new; \
    })
/* Work of its own, after the work or after all of it, says when that has been done. */
struct __kthread_flush { struct kthread_work work; struct completion done; };
static void __kthread_flushed(struct kthread_work *work)
{
    complete(&container_of(work, struct __kthread_flush, work)->done);
}
static void kthread_flush_work(struct kthread_work *work)
{
    struct kthread_worker *worker = READ_ONCE(work->worker);
    struct __kthread_flush flush;
    if (!worker)
        return;
    kthread_init_work(&flush.work, __kthread_flushed);
    init_completion(&flush.done);
    raw_spin_lock(&worker->lock);
    bool is_there = !list_empty(&work->node) || worker->current_work == work;
    if (!list_empty(&work->node))
        __kthread_insert_work(worker, &flush.work, work->node.next);
    else if (is_there)
        __kthread_insert_work(worker, &flush.work, worker->work_list.next);
    raw_spin_unlock(&worker->lock);
    if (is_there)
        wait_for_completion(&flush.done);
}
static void kthread_flush_worker(struct kthread_worker *worker)
{
    struct __kthread_flush flush;
    kthread_init_work(&flush.work, __kthread_flushed);
    init_completion(&flush.done);
    kthread_queue_work(worker, &flush.work);
    wait_for_completion(&flush.done);
}
#define kthread_create_worker(flags, ...) \
    ({ \
        struct kthread_worker *__new_worker = kzalloc(sizeof(struct kthread_worker), GFP_KERNEL); \
        (void)(flags); \
        kthread_init_worker(__new_worker); \
        WRITE_ONCE(__new_worker->task, kthread_run(kthread_worker_fn, __new_worker, __VA_ARGS__)); \
        __new_worker; \
    })
#define kthread_run_worker(flags, ...) kthread_create_worker(flags, __VA_ARGS__)
#define kthread_destroy_worker(w) \
    ({ \
        struct kthread_worker *__ended_worker = (w); \
        struct task_struct *__its = __ended_worker->task; \
        kthread_flush_worker(__ended_worker); \
        kthread_stop(__its); \
        kfree(__ended_worker); \
    })
