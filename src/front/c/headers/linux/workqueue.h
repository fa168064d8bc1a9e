#pragma once
/* Work is executed by a thread for each call that queues it, as late as it may be: time is not modelled, so work with a
   delay is work. Two threads never execute the same work at once. Nothing of it is touched after its function is
   entered: the function may free it. */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/container_of.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/timer.h>
struct work_struct;
typedef void (*work_func_t)(struct work_struct *work);
/* `data`: whether it is pending, and the number of the last thread that executes it. */
struct work_struct { unsigned int data; work_func_t func; };
struct delayed_work { struct work_struct work; };
/* `works`: the threads that execute its work; one after the other, if it is ordered. */
struct workqueue_struct { unsigned int works; bool ordered; };
extern struct workqueue_struct __fencepost_queues[6];
#define system_wq (&__fencepost_queues[0])
#define system_percpu_wq system_wq
#define system_highpri_wq (&__fencepost_queues[1])
#define system_long_wq (&__fencepost_queues[2])
#define system_unbound_wq (&__fencepost_queues[3])
#define system_dfl_wq system_unbound_wq
#define system_freezable_wq (&__fencepost_queues[4])
#define system_power_efficient_wq (&__fencepost_queues[5])
bool queue_work(struct workqueue_struct *queue, struct work_struct *work);
bool flush_work(struct work_struct *work);
bool cancel_work(struct work_struct *work);
bool cancel_work_sync(struct work_struct *work);
void flush_workqueue(struct workqueue_struct *queue);
void drain_workqueue(struct workqueue_struct *queue);
#define WQ_UNBOUND 2
#define WQ_FREEZABLE 4
#define WQ_MEM_RECLAIM 8
#define WQ_HIGHPRI 16
#define WQ_CPU_INTENSIVE 32
#define WQ_SYSFS 64
#define WQ_POWER_EFFICIENT 128
#define WQ_PERCPU 256
#define WORK_CPU_UNBOUND NR_CPUS
#define __WORK_INITIALIZER(name, function) { 0, (function) }
#define DECLARE_WORK(name, function) struct work_struct name = __WORK_INITIALIZER(name, function)
#define DECLARE_DELAYED_WORK(name, function) struct delayed_work name = { __WORK_INITIALIZER(name, function) }
#define DECLARE_DEFERRABLE_WORK(name, function) DECLARE_DELAYED_WORK(name, function)
#define INIT_WORK(w, function) \
    ({ \
        struct work_struct *__work = (w); \
        __work->data = 0; \
        __work->func = (function); \
    })
#define INIT_WORK_ONSTACK(w, function) INIT_WORK(w, function)
#define INIT_DELAYED_WORK(w, function) INIT_WORK(&(w)->work, function)
#define INIT_DELAYED_WORK_ONSTACK(w, function) INIT_DELAYED_WORK(w, function)
#define INIT_DEFERRABLE_WORK(w, function) INIT_DELAYED_WORK(w, function)
#define destroy_work_on_stack(w) ((void)(w))
#define destroy_delayed_work_on_stack(w) ((void)(w))
#define to_delayed_work(w) container_of(w, struct delayed_work, work)
#define work_pending(w) ((bool)(READ_ONCE((w)->data) & 1))
#define delayed_work_pending(w) work_pending(&(w)->work)
#define __alloc_queue(is_ordered) \
    ({ \
        struct workqueue_struct *__queue = kzalloc(sizeof(struct workqueue_struct), GFP_KERNEL); \
        __queue->ordered = (is_ordered); \
        __queue; \
    })
#define alloc_workqueue(format, flags, most, ...) ((void)(flags), (void)(most), __alloc_queue(0))
#define alloc_ordered_workqueue(format, flags, ...) ((void)(flags), __alloc_queue(1))
#define create_workqueue(name) __alloc_queue(0)
#define create_freezable_workqueue(name) __alloc_queue(0)
#define create_singlethread_workqueue(name) __alloc_queue(1)
#define destroy_workqueue(q) \
    ({ struct workqueue_struct *__gone = (q); drain_workqueue(__gone); kfree(__gone); })
#define __flush_workqueue(q) flush_workqueue(q)
#define flush_scheduled_work() flush_workqueue(system_wq)
#define queue_work_on(cpu, q, w) ((void)(cpu), queue_work(q, w))
#define queue_work_node(node, q, w) ((void)(node), queue_work(q, w))
#define schedule_work(w) queue_work(system_wq, w)
#define schedule_work_on(cpu, w) queue_work_on(cpu, system_wq, w)
#define queue_delayed_work(q, w, delay) ((void)(delay), queue_work(q, &(w)->work))
#define queue_delayed_work_on(cpu, q, w, delay) ((void)(cpu), queue_delayed_work(q, w, delay))
#define schedule_delayed_work(w, delay) queue_delayed_work(system_wq, w, delay)
#define schedule_delayed_work_on(cpu, w, delay) queue_delayed_work_on(cpu, system_wq, w, delay)
#define mod_delayed_work(q, w, delay) (!queue_delayed_work(q, w, delay))
#define mod_delayed_work_on(cpu, q, w, delay) ((void)(cpu), mod_delayed_work(q, w, delay))
#define flush_delayed_work(w) flush_work(&(w)->work)
#define cancel_delayed_work(w) cancel_work(&(w)->work)
#define cancel_delayed_work_sync(w) cancel_work_sync(&(w)->work)
