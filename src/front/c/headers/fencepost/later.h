#pragma once
#include <linux/interrupt.h>
#include <linux/rcupdate.h>
#include <linux/srcu.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <threads.h>
/* What the kernel does later: callbacks after grace periods, work, timers, tasklets. Each is executed by a thread of its
   own, whose number is known when it is created. Sets of threads are bits.

   An object that is queued holds 1 if it is pending, and twice the number of the thread that executes it last. The
   thread, or else one that cancels it, claims it by a locked instruction, and only the thread that claims it touches the
   object after that. */
#define __FENCEPOST_BIT(number) (1u << (number))
#define __FENCEPOST_OWN __FENCEPOST_BIT(__fencepost_own_number(31))
#define __FENCEPOST_NEXT __fencepost_next_number(31)
#define __FENCEPOST_UNTIL(condition) \
    do { \
        while (!(condition)) \
            ; \
    } while (0)
static unsigned int __fencepost_claimed, __fencepost_ended, __fencepost_callbacks;
struct workqueue_struct __fencepost_queues[6];
static unsigned int __fencepost_add(unsigned int *set, unsigned int those)
{
    return __atomic_fetch_or(set, those, __ATOMIC_SEQ_CST);
}
static bool __fencepost_have_ended(unsigned int those)
{
    return (__atomic_load_n(&__fencepost_ended, __ATOMIC_ACQUIRE) & those) == those;
}
/* Threads of the kernel yield numbers. */
static int __fencepost_end(void)
{
    __fencepost_add(&__fencepost_ended, __FENCEPOST_OWN);
    return 0;
}

/* Claims what is pending at `data` for this thread, when those before it have ended. */
static bool __fencepost_claim(unsigned int *data, unsigned int before)
{
    if (before)
        __FENCEPOST_UNTIL(__fencepost_have_ended(before));
    if (__fencepost_add(&__fencepost_claimed, __FENCEPOST_OWN) & __FENCEPOST_OWN)
        return 0;
    __atomic_fetch_and(data, ~1u, __ATOMIC_SEQ_CST);
    return 1;
}
#define __FENCEPOST_BEFORE(was) ((was) ? __FENCEPOST_BIT((was) >> 1) : 0)
static void __fencepost_will_execute(unsigned int *data, unsigned int number)
{
    WRITE_ONCE(*data, number << 1 | 1);
}
/* Waits until the last thread that executes it has ended. */
static bool __fencepost_wait_for_last(unsigned int *data)
{
    unsigned int is = __atomic_load_n(data, __ATOMIC_ACQUIRE);
    if (!(is >> 1))
        return 0;
    __sync_synchronize();
    if (!(is & 1) && __fencepost_have_ended(__FENCEPOST_BIT(is >> 1)))
        return 0;
    __FENCEPOST_UNTIL(__fencepost_have_ended(__FENCEPOST_BIT(is >> 1)));
    return 1;
}
static void __fencepost_wait_for_all(unsigned int *set)
{
    __sync_synchronize();
    unsigned int those = READ_ONCE(*set);
    __FENCEPOST_UNTIL(__fencepost_have_ended(those));
}
#if defined NEEDS_cancel_work || defined NEEDS_cancel_work_sync || \
    defined NEEDS_del_timer || defined NEEDS_del_timer_sync || defined NEEDS_try_to_del_timer_sync
/* Whether it is this thread that keeps that one from executing what is pending. */
static bool __fencepost_is_claimed_now(unsigned int number)
{
    unsigned int other = __FENCEPOST_BIT(number);
    bool is_free = number && !(READ_ONCE(__fencepost_claimed) & other);
    return is_free && !(__fencepost_add(&__fencepost_claimed, other) & other);
}
/* Takes off what is pending. What is about to be queued is not yet, and what is about to begin, or is kept from being
   queued by one that cancels it, is no longer. */
static bool __fencepost_take_off(unsigned int *data)
{
    unsigned int is = __atomic_load_n(data, __ATOMIC_ACQUIRE);
    if (!(is & 1) || !__fencepost_is_claimed_now(is >> 1))
        return 0;
    __atomic_fetch_and(data, ~1u, __ATOMIC_SEQ_CST);
    return 1;
}
#endif
#ifdef NEEDS_cancel_work
bool cancel_work(struct work_struct *work)
{
    __sync_synchronize();
    return __fencepost_take_off(&work->data);
}
#endif
#ifdef NEEDS_cancel_work_sync
bool cancel_work_sync(struct work_struct *work)
{
    /* It stays pending until the function has returned, so that nothing queues it. */
    unsigned int is;
    do
        is = __fencepost_add(&work->data, 1);
    while (is & 1 && !__fencepost_is_claimed_now(is >> 1));
    if (is >> 1)
        __FENCEPOST_UNTIL(__fencepost_have_ended(__FENCEPOST_BIT(is >> 1)));
    __atomic_fetch_and(&work->data, ~1u, __ATOMIC_SEQ_CST);
    return is & 1;
}
#endif

#ifdef NEEDS_queue_work
static int __fencepost_execute_work(work_func_t function, struct work_struct *work, unsigned int before)
{
    if (__fencepost_claim(&work->data, before))
        function(work);
    return __fencepost_end();
}
bool queue_work(struct workqueue_struct *queue, struct work_struct *work)
{
    unsigned int was = __fencepost_add(&work->data, 1);
    if (was & 1)
        return 0;
    unsigned int number = __FENCEPOST_NEXT;
    unsigned int others = __fencepost_add(&queue->works, __FENCEPOST_BIT(number));
    unsigned int before = __FENCEPOST_BEFORE(was) | (queue->ordered ? others : 0);
    __fencepost_will_execute(&work->data, number);
    __fencepost_start(__fencepost_execute_work, work->func, work, before);
    return 1;
}
#endif
#ifdef NEEDS_flush_work
bool flush_work(struct work_struct *work)
{
    return __fencepost_wait_for_last(&work->data);
}
#endif
#ifdef NEEDS_flush_workqueue
void flush_workqueue(struct workqueue_struct *queue)
{
    __fencepost_wait_for_all(&queue->works);
}
#endif
#ifdef NEEDS_drain_workqueue
void drain_workqueue(struct workqueue_struct *queue)
{
    __sync_synchronize();
    __FENCEPOST_UNTIL(__fencepost_have_ended(READ_ONCE(queue->works)));
}
#endif

#if defined NEEDS_mod_timer || defined NEEDS_mod_timer_pending
static int __fencepost_go_off(void (*function)(struct timer_list *), struct timer_list *timer, unsigned int before)
{
    if (__fencepost_claim(&timer->data, before))
        function(timer);
    return __fencepost_end();
}
#endif
#ifdef NEEDS_mod_timer
int mod_timer(struct timer_list *timer, unsigned long expires)
{
    /* It looks first, and leaves it at that if the timer goes off at the same time already. */
    if (READ_ONCE(timer->data) & 1 && __VERIFIER_nondet_bool())
        return 1;
    unsigned int was = __fencepost_add(&timer->data, 1);
    if (was & 1)
        return 1;
    unsigned int number = __FENCEPOST_NEXT;
    __fencepost_will_execute(&timer->data, number);
    __fencepost_start(__fencepost_go_off, timer->function, timer, __FENCEPOST_BEFORE(was));
    return 0;
}
#endif
#ifdef NEEDS_mod_timer_pending
int mod_timer_pending(struct timer_list *timer, unsigned long expires)
{
    return READ_ONCE(timer->data) & 1;
}
#endif
#ifdef NEEDS_del_timer
int del_timer(struct timer_list *timer)
{
    /* It looks first, and takes no lock if the timer is not armed. */
    return READ_ONCE(timer->data) & 1 ? __fencepost_take_off(&timer->data) : 0;
}
#endif
#ifdef NEEDS_del_timer_sync
int del_timer_sync(struct timer_list *timer)
{
    __sync_synchronize();
    int was_armed = __fencepost_take_off(&timer->data);
    __fencepost_wait_for_last(&timer->data);
    return was_armed;
}
#endif

#ifdef NEEDS_try_to_del_timer_sync
int try_to_del_timer_sync(struct timer_list *timer)
{
    __sync_synchronize();
    if (__fencepost_take_off(&timer->data))
        return 1;
    unsigned int last = __atomic_load_n(&timer->data, __ATOMIC_ACQUIRE) >> 1;
    return last && !__fencepost_have_ended(__FENCEPOST_BIT(last)) ? -1 : 0;
}
#endif

#ifdef NEEDS_tasklet_schedule
static int __fencepost_execute_callback(void (*function)(struct tasklet_struct *), struct tasklet_struct *tasklet,
                                         unsigned int before)
{
    if (__fencepost_claim(&tasklet->data, before)) {
        function(tasklet);
        __fencepost_add(&tasklet->data, 0);
    }
    return __fencepost_end();
}
static int __fencepost_execute_tasklet(void (*function)(unsigned long), struct tasklet_struct *tasklet,
                                        unsigned int before)
{
    if (__fencepost_claim(&tasklet->data, before)) {
        function(tasklet->argument);
        __fencepost_add(&tasklet->data, 0);
    }
    return __fencepost_end();
}
bool __fencepost_schedule_tasklet(struct tasklet_struct *tasklet)
{
    unsigned int was = __fencepost_add(&tasklet->data, 1);
    if (was & 1)
        return 0;
    unsigned int number = __FENCEPOST_NEXT;
    __fencepost_will_execute(&tasklet->data, number);
    if (tasklet->use_callback)
        __fencepost_start(__fencepost_execute_callback, tasklet->callback, tasklet, __FENCEPOST_BEFORE(was));
    else
        __fencepost_start(__fencepost_execute_tasklet, tasklet->func, tasklet, __FENCEPOST_BEFORE(was));
    return 1;
}
void tasklet_schedule(struct tasklet_struct *tasklet)
{
    __fencepost_schedule_tasklet(tasklet);
}
#endif
#ifdef NEEDS_tasklet_kill
void tasklet_kill(struct tasklet_struct *tasklet)
{
    __sync_synchronize();
    __fencepost_wait_for_last(&tasklet->data);
}
#endif

#ifdef NEEDS_call_rcu
static int __fencepost_after_readers(void (*function)(struct rcu_head *), struct rcu_head *head)
{
    synchronize_rcu();
    function(head);
    return __fencepost_end();
}
void call_rcu(struct rcu_head *head, void (*function)(struct rcu_head *))
{
    head->func = function;
    __fencepost_add(&__fencepost_callbacks, __FENCEPOST_BIT(__FENCEPOST_NEXT));
    __fencepost_start(__fencepost_after_readers, function, head);
}
#endif
#ifdef NEEDS_kvfree_call_rcu
static int __fencepost_free_after_readers(void *block)
{
    synchronize_rcu();
    kfree(block);
    return 0;
}
void kvfree_call_rcu(struct rcu_head *head, void *block)
{
    __fencepost_start(__fencepost_free_after_readers, block);
}
#endif
#ifdef NEEDS_rcu_barrier
void rcu_barrier(void)
{
    __fencepost_wait_for_all(&__fencepost_callbacks);
}
#endif
#ifdef NEEDS_srcu_barrier
void srcu_barrier(struct srcu_struct *domain)
{
    __fencepost_wait_for_all(&domain->callbacks);
}
#endif

#ifdef NEEDS_srcu_read_lock
int srcu_read_lock(struct srcu_struct *domain)
{
    unsigned int own = __FENCEPOST_BIT(__fencepost_own_number(15));
    if (!(__fencepost_add(&domain->inside, own) & own))
        return 0;
    unsigned int inside = __fencepost_add(&domain->inside, own << 16);
    /* Only two of them at once are modelled. */
    BUG_ON(inside & own << 16);
    return 1;
}
#endif
#ifdef NEEDS_srcu_read_unlock
void srcu_read_unlock(struct srcu_struct *domain, int index)
{
    unsigned int own = __FENCEPOST_BIT(__fencepost_own_number(15));
    own = index ? own << 16 : own;
    BUG_ON(!(__atomic_fetch_and(&domain->inside, ~own, __ATOMIC_SEQ_CST) & own));
}
#endif
#if defined NEEDS_synchronize_srcu || defined NEEDS_call_srcu
static void __fencepost_wait_for_readers(struct srcu_struct *domain)
{
    __sync_synchronize();
    unsigned int left = READ_ONCE(domain->inside);
    while (left)
        left &= __atomic_load_n(&domain->inside, __ATOMIC_ACQUIRE);
    __sync_synchronize();
}
#endif
#ifdef NEEDS_synchronize_srcu
void synchronize_srcu(struct srcu_struct *domain)
{
    __fencepost_wait_for_readers(domain);
}
#endif
#ifdef NEEDS_call_srcu
static int __fencepost_after_domain(void (*function)(struct rcu_head *), struct rcu_head *head,
                                     struct srcu_struct *domain)
{
    __fencepost_wait_for_readers(domain);
    function(head);
    return __fencepost_end();
}
void call_srcu(struct srcu_struct *domain, struct rcu_head *head, void (*function)(struct rcu_head *))
{
    head->func = function;
    __fencepost_add(&domain->callbacks, __FENCEPOST_BIT(__FENCEPOST_NEXT));
    __fencepost_start(__fencepost_after_domain, function, head, domain);
}
#endif
