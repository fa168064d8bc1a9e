#pragma once
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/rcupdate.h>
#include <linux/srcu.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <threads.h>
/* What the kernel does later: callbacks after grace periods, work, timers, tasklets. Each is executed by a thread, whose
   number is known when it is created. Sets of threads are bits.

   An object that is queued holds 1 if it is pending, and twice the number of the thread that executes it last. The
   thread, or else one that cancels it, claims it by a locked instruction, and only the thread that claims it touches the
   object after that.

   A thread that executes something again has two numbers, which it uses by turns. */
#define __FENCEPOST_BIT(number) (1u << (number))
#define __FENCEPOST_OWN __FENCEPOST_BIT(__fencepost_own_number(31))
#define __FENCEPOST_NEXT __fencepost_next_number(31)
/* Whether one that deletes a timer holds it until that has gone off. */
#ifdef NEEDS_timer_shutdown_sync
#define __FENCEPOST_HOLDS 1
#else
#define __FENCEPOST_HOLDS __fencepost_has_rounds()
#endif
#define __FENCEPOST_NUMBER(is) (__FENCEPOST_HOLDS ? (is) >> 1 & 31 : (is) >> 1)
#define __FENCEPOST_LATER(execute, ...) __fencepost_later(execute, __VA_ARGS__)
#define __FENCEPOST_FUNCTION_IN(word) __fencepost_function_in(&(word), word)
#define __FENCEPOST_ROUND_OF(data, function, execute, object) __fencepost_round_of(data, function, execute, object)
#define __FENCEPOST_TRY_AGAIN() __fencepost_try_again()
#define __FENCEPOST_NO_TWO_HANDLERS() __fencepost_no_two_handlers()
#define __FENCEPOST_UNTIL(condition) \
    do { \
        while (!(condition)) \
            ; \
    } while (0)
static unsigned int __fencepost_claimed, __fencepost_ended, __fencepost_callbacks;
/* Of threads that execute something again: what is queued and not begun; those whose last number was the second one; what
   each waits for first. */
static unsigned int __fencepost_again, __fencepost_second, __fencepost_befores[31];
struct workqueue_struct __fencepost_queues[6];
static unsigned int __fencepost_add(unsigned int *set, unsigned int those)
{
    return __atomic_fetch_or(set, those, __ATOMIC_SEQ_CST);
}
static unsigned int __fencepost_remove(unsigned int *set, unsigned int those)
{
    return __atomic_fetch_and(set, ~those, __ATOMIC_SEQ_CST);
}
static bool __fencepost_have_ended(unsigned int those)
{
    return (__atomic_load_n(&__fencepost_ended, __ATOMIC_ACQUIRE) & those) == those;
}
/* Waits until each of them has ended once. */
static void __fencepost_wait_for_ends(unsigned int those)
{
    if (!__fencepost_has_rounds())
        __FENCEPOST_UNTIL(__fencepost_have_ended(those));
    else
        while (those) {
            __FENCEPOST_UNTIL(__atomic_load_n(&__fencepost_ended, __ATOMIC_ACQUIRE) & those);
            those &= ~__atomic_load_n(&__fencepost_ended, __ATOMIC_ACQUIRE);
        }
}
/* Threads of the kernel yield numbers. */
static int __fencepost_end(void)
{
    __fencepost_add(&__fencepost_ended, __FENCEPOST_OWN);
    return 0;
}

/* Claims what is pending at `data` with this number, when those before it have ended. */
static bool __fencepost_claim(unsigned int *data, unsigned int own, unsigned int before)
{
    if (before)
        __fencepost_wait_for_ends(before);
    if (__fencepost_add(&__fencepost_claimed, own) & own)
        return 0;
    __fencepost_remove(data, 1);
    return 1;
}
#define __FENCEPOST_BEFORE(was) ((was) ? __FENCEPOST_BIT((was) >> 1) : 0)
static void __fencepost_will_execute(unsigned int *data, unsigned int number)
{
    WRITE_ONCE(*data, number << 1 | 1);
}
/* Executes what was queued at `data`, by a call, once or each time that it is queued. Before what waits for a loop to queue
   it is only the thread 0, which executes nothing. */
#define __FENCEPOST_EXECUTE(data, function, first, call) \
    unsigned int round = __fencepost_own_round(data, function), own = __FENCEPOST_OWN; \
    if (!round) { \
        if (__fencepost_claim(data, own, first)) \
            call; \
        return __fencepost_end(); \
    } \
    unsigned int before = (first); \
    for (;;) { \
        if (before != 1) { \
            if (__fencepost_claim(data, own, before)) \
                call; \
            __fencepost_add(&__fencepost_ended, own); \
        } \
        own ^= __FENCEPOST_OWN ^ __FENCEPOST_BIT(round & 31); \
        if (round >> 8) \
            __FENCEPOST_UNTIL(__atomic_load_n(&__fencepost_again, __ATOMIC_ACQUIRE) & own); \
        else if (!(READ_ONCE(__fencepost_again) & own)) \
            return 0; \
        __fencepost_remove(&__fencepost_again, own); \
        before = READ_ONCE(__fencepost_befores[__fencepost_own_number(31)]); \
    }
/* Queues what this thread has made pending for one that executes it again. What that one has not begun, since it was
   cancelled, is what it executes now. */
static void __fencepost_queue_again(unsigned int *data, unsigned int thread, unsigned int was, unsigned int *works,
                                    bool ordered)
{
    unsigned int number = thread & 31, first = __FENCEPOST_BIT(number), other = thread >> 8 & 31;
    bool is_second = (READ_ONCE(__fencepost_second) & first) != 0;
    unsigned int own = is_second ? __FENCEPOST_BIT(other) : first;
    bool is_new = !(__fencepost_remove(&__fencepost_again, own) & own);
    if (is_new) {
        is_second = !is_second;
        own ^= first ^ __FENCEPOST_BIT(other);
        __atomic_fetch_xor(&__fencepost_second, first, __ATOMIC_SEQ_CST);
    }
    unsigned int ended = __atomic_load_n(&__fencepost_ended, __ATOMIC_ACQUIRE);
    if (ordered)
        __fencepost_remove(works, own);
    __fencepost_remove(&__fencepost_ended, own);
    unsigned int others = works ? __fencepost_add(works, own) & ~own : 0;
    if (is_new)
        WRITE_ONCE(__fencepost_befores[number], __FENCEPOST_BEFORE(was) | (ordered ? others & ~ended : 0));
    /* Nothing claims the number before it is pending, nor after that until it may. */
    bool was_claimed = (READ_ONCE(__fencepost_claimed) & own) != 0;
    __fencepost_will_execute(data, is_second ? other : number);
    if (was_claimed)
        __fencepost_remove(&__fencepost_claimed, own);
    __fencepost_add(&__fencepost_again, own);
}
/* Waits until the last thread that executes it has ended. */
static bool __fencepost_wait_for_last(unsigned int *data)
{
    unsigned int is = __atomic_load_n(data, __ATOMIC_ACQUIRE), last = __FENCEPOST_NUMBER(is);
    if (!last)
        return 0;
    __sync_synchronize();
    if (__fencepost_has_rounds()) {
        /* Once it has ended it may be queued again: whether it has is seen together with that. */
        __VERIFIER_atomic_begin();
        is = READ_ONCE(*data);
        last = __FENCEPOST_NUMBER(is);
        bool is_idle = !(is & 1) && __fencepost_have_ended(__FENCEPOST_BIT(last));
        __VERIFIER_atomic_end();
        if (is_idle)
            return 0;
    } else if (!(is & 1) && __fencepost_have_ended(__FENCEPOST_BIT(last)))
        return 0;
    __FENCEPOST_UNTIL(__fencepost_have_ended(__FENCEPOST_BIT(last)));
    return 1;
}
static void __fencepost_wait_for_all(unsigned int *set)
{
    __sync_synchronize();
    __fencepost_wait_for_ends(READ_ONCE(*set));
}
#if defined NEEDS_cancel_work || defined NEEDS_cancel_work_sync || defined NEEDS_del_timer || \
    defined NEEDS_del_timer_sync || defined NEEDS_try_to_del_timer_sync || defined NEEDS_timer_shutdown || \
    defined NEEDS_timer_shutdown_sync || defined NEEDS_hrtimer_cancel || defined NEEDS_hrtimer_try_to_cancel
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
    if (!(is & 1) || !__fencepost_is_claimed_now(__FENCEPOST_NUMBER(is)))
        return 0;
    __fencepost_remove(data, 1);
    return 1;
}
/* Takes off what is pending, and makes it pending, so that nothing queues it. Yields what it was. */
static unsigned int __fencepost_hold(unsigned int *data)
{
    unsigned int is;
    do
        is = __fencepost_add(data, 1);
    while (is & 1 && !__fencepost_is_claimed_now(__FENCEPOST_NUMBER(is)));
    return is;
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
    unsigned int is = __fencepost_hold(&work->data);
    if (is >> 1)
        __FENCEPOST_UNTIL(__fencepost_have_ended(__FENCEPOST_BIT(is >> 1)));
    __fencepost_remove(&work->data, 1);
    return is & 1;
}
#endif

#ifdef NEEDS_queue_work
static int __fencepost_execute_work(work_func_t function, struct work_struct *work, unsigned int first)
{
    __FENCEPOST_EXECUTE(&work->data, function, first, function(work))
}
bool queue_work(struct workqueue_struct *queue, struct work_struct *work)
{
    unsigned int was = __fencepost_add(&work->data, 1);
    if (was & 1)
        return 0;
    work_func_t function = __FENCEPOST_FUNCTION_IN(work->func);
    unsigned int thread = __FENCEPOST_ROUND_OF(&work->data, function, __fencepost_execute_work, work);
    if (thread) {
        __fencepost_queue_again(&work->data, thread, was, &queue->works, queue->ordered);
        return 1;
    }
    unsigned int number = __FENCEPOST_NEXT;
    unsigned int ended = __fencepost_has_rounds() ? __atomic_load_n(&__fencepost_ended, __ATOMIC_ACQUIRE) : 0;
    unsigned int others = __fencepost_add(&queue->works, __FENCEPOST_BIT(number)) & ~ended;
    unsigned int before = __FENCEPOST_BEFORE(was) | (queue->ordered ? others : 0);
    __fencepost_will_execute(&work->data, number);
    __FENCEPOST_LATER(__fencepost_execute_work, function, work, before);
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
    __sync_synchronize();
    unsigned int those = READ_ONCE(queue->works);
    if (__fencepost_has_rounds())
        those &= ~__atomic_load_n(&__fencepost_ended, __ATOMIC_ACQUIRE);
    __fencepost_wait_for_ends(those);
}
#endif
#ifdef NEEDS_drain_workqueue
/* Work that is queued by other work is in the set before that has ended. */
static bool __fencepost_is_empty(struct workqueue_struct *queue)
{
    unsigned int ended = __atomic_load_n(&__fencepost_ended, __ATOMIC_ACQUIRE);
    return !(READ_ONCE(queue->works) & ~ended);
}
void drain_workqueue(struct workqueue_struct *queue)
{
    __sync_synchronize();
    __FENCEPOST_UNTIL(__fencepost_is_empty(queue));
}
#endif

/* One that deletes a timer holds it until it has gone off, and then deletes what was armed meanwhile. */
#define __FENCEPOST_HELD 64
#define __FENCEPOST_ARMED 128
#define __FENCEPOST_FLAGS (1 | __FENCEPOST_HELD | __FENCEPOST_ARMED)
#if defined NEEDS_timer_shutdown || defined NEEDS_timer_shutdown_sync
#define __FENCEPOST_IS_SHUT(timer) READ_ONCE((timer)->is_shut)
#else
#define __FENCEPOST_IS_SHUT(timer) 0
#endif
#if defined NEEDS_mod_timer || defined NEEDS_mod_timer_pending
static int __fencepost_go_off(void (*function)(struct timer_list *), struct timer_list *timer, unsigned int first)
{
    __FENCEPOST_EXECUTE(&timer->data, function, first, function(timer))
}
#endif
#ifdef NEEDS_mod_timer
int mod_timer(struct timer_list *timer, unsigned long expires)
{
    /* It looks first, and leaves it at that if the timer goes off at the same time already. */
    unsigned int was = READ_ONCE(timer->data);
    bool is_held = __FENCEPOST_HOLDS && was & __FENCEPOST_HELD;
    if (was & 1 && !is_held && !__FENCEPOST_IS_SHUT(timer) && __VERIFIER_nondet_bool())
        return 1;
    was = __fencepost_add(&timer->data, 1);
    if (__FENCEPOST_IS_SHUT(timer)) {
        if (!(was & 1))
            __fencepost_remove(&timer->data, 1);
        return 0;
    }
    if (__FENCEPOST_HOLDS && was & __FENCEPOST_HELD) {
        /* If this one has been deleted by now, it may as well begin after that. */
        __VERIFIER_assume(cmpxchg(&timer->data, was, was | __FENCEPOST_ARMED) == was);
        __VERIFIER_assume(!__FENCEPOST_IS_SHUT(timer));
        return (was & __FENCEPOST_ARMED) != 0;
    }
    if (was & 1)
        return 1;
    void (*function)(struct timer_list *) = __FENCEPOST_FUNCTION_IN(timer->function);
    unsigned int thread = __FENCEPOST_ROUND_OF(&timer->data, function, __fencepost_go_off, timer);
    if (thread) {
        __fencepost_queue_again(&timer->data, thread, was, 0, 0);
        return 0;
    }
    unsigned int number = __FENCEPOST_NEXT;
    __fencepost_will_execute(&timer->data, number);
    __FENCEPOST_LATER(__fencepost_go_off, function, timer, __FENCEPOST_BEFORE(was));
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
#if defined NEEDS_del_timer_sync || defined NEEDS_timer_shutdown_sync || defined NEEDS_hrtimer_cancel
static bool __fencepost_is_held_now(unsigned int *data, unsigned int is)
{
    if (!(is & 1))
        return cmpxchg(data, is, is | 1 | __FENCEPOST_HELD) == is;
    if (!__fencepost_is_claimed_now(__FENCEPOST_NUMBER(is)))
        return 0;
    __fencepost_add(data, __FENCEPOST_HELD);
    return 1;
}
/* `is_shut`: what is set before it may be armed again, or null. `gone`: the bits that are taken off then. */
static int __fencepost_delete_timer(unsigned int *data, bool *is_shut, unsigned int gone)
{
    __sync_synchronize();
    if (__FENCEPOST_HOLDS) {
        unsigned int is;
        do
            is = __atomic_load_n(data, __ATOMIC_ACQUIRE);
        while (!__fencepost_is_held_now(data, is));
        if (__FENCEPOST_NUMBER(is))
            __FENCEPOST_UNTIL(__fencepost_have_ended(__FENCEPOST_BIT(__FENCEPOST_NUMBER(is))));
        if (is_shut)
            xchg(is_shut, 1);
        unsigned int was = __fencepost_remove(data, gone);
        return is & 1 || was & __FENCEPOST_ARMED;
    }
    int was_armed = __fencepost_take_off(data);
    __fencepost_wait_for_last(data);
    return was_armed;
}
#endif
#ifdef NEEDS_del_timer_sync
int del_timer_sync(struct timer_list *timer)
{
    return __fencepost_delete_timer(&timer->data, NULL, __FENCEPOST_FLAGS);
}
#endif
#ifdef NEEDS_timer_shutdown
/* From here on nothing arms it, and what has seen that it may is awaited. */
int timer_shutdown(struct timer_list *timer)
{
    xchg(&timer->is_shut, 1);
    unsigned int is = __fencepost_hold(&timer->data);
    __fencepost_remove(&timer->data, 1);
    return is & 1;
}
#endif
#ifdef NEEDS_timer_shutdown_sync
int timer_shutdown_sync(struct timer_list *timer)
{
    return __fencepost_delete_timer(&timer->data, &timer->is_shut, __FENCEPOST_FLAGS);
}
#endif

#if defined NEEDS_try_to_del_timer_sync || defined NEEDS_hrtimer_try_to_cancel
static int __fencepost_try_to_delete(unsigned int *data)
{
    __sync_synchronize();
    if (__fencepost_has_rounds())
        __FENCEPOST_TRY_AGAIN();
    if (__fencepost_take_off(data))
        return 1;
    unsigned int last = __atomic_load_n(data, __ATOMIC_ACQUIRE) >> 1;
    return last && !__fencepost_have_ended(__FENCEPOST_BIT(last)) ? -1 : 0;
}
#endif
#ifdef NEEDS_try_to_del_timer_sync
int try_to_del_timer_sync(struct timer_list *timer)
{
    return __fencepost_try_to_delete(&timer->data);
}
#endif
#ifdef NEEDS___fencepost_start_hrtimer
void __fencepost_start_hrtimer(struct hrtimer *timer);
static void __fencepost_call_hrtimer(enum hrtimer_restart (*function)(struct hrtimer *), struct hrtimer *timer)
{
    /* By a pointer, as functions of programs do it: a loop that creates a thread itself would be unrolled. */
    void (*start)(struct hrtimer *) = __fencepost_start_hrtimer;
    if (function(timer) == HRTIMER_RESTART)
        start(timer);
    unsigned int is = READ_ONCE(timer->data);
    if (__FENCEPOST_HOLDS && !(is & 1))
        cmpxchg(&timer->data, is, 0);
    else
        __fencepost_add(&timer->data, 0);
}
static int __fencepost_go_off_precisely(enum hrtimer_restart (*function)(struct hrtimer *), struct hrtimer *timer,
                                         unsigned int first)
{
    __FENCEPOST_EXECUTE(&timer->data, function, first, __fencepost_call_hrtimer(function, timer))
}
void __fencepost_start_hrtimer(struct hrtimer *timer)
{
    unsigned int was = __fencepost_add(&timer->data, 1);
    if (__FENCEPOST_HOLDS && was & __FENCEPOST_HELD) {
        /* As with other timers. */
        __VERIFIER_assume(cmpxchg(&timer->data, was, was | __FENCEPOST_ARMED) == was);
        return;
    }
    if (was & 1)
        return;
    enum hrtimer_restart (*function)(struct hrtimer *) = __FENCEPOST_FUNCTION_IN(timer->function);
    unsigned int thread = __FENCEPOST_ROUND_OF(&timer->data, function, __fencepost_go_off_precisely, timer);
    if (thread) {
        __fencepost_queue_again(&timer->data, thread, was, 0, 0);
        return;
    }
    unsigned int number = __FENCEPOST_NEXT;
    __fencepost_will_execute(&timer->data, number);
    __FENCEPOST_LATER(__fencepost_go_off_precisely, function, timer, __FENCEPOST_BEFORE(was));
}
#endif
#if defined NEEDS_hrtimer_cancel || defined NEEDS_hrtimer_try_to_cancel
#define NEEDS_hrtimer_active
#endif
#ifdef NEEDS_hrtimer_active
/* Whether it is started or executed. */
bool hrtimer_active(const struct hrtimer *timer)
{
    unsigned int is = __atomic_load_n(&timer->data, __ATOMIC_ACQUIRE);
    /* What goes off again leaves 0 when it does not. */
    if (__FENCEPOST_HOLDS)
        return is != 0;
    return is & 1 || (is && !__fencepost_have_ended(__FENCEPOST_BIT(is >> 1)));
}
#endif
/* Both look first, and take no lock if it is not. */
#ifdef NEEDS_hrtimer_cancel
int hrtimer_cancel(struct hrtimer *timer)
{
    return hrtimer_active(timer) ? __fencepost_delete_timer(&timer->data, NULL, ~0u) : 0;
}
#endif
#ifdef NEEDS_hrtimer_try_to_cancel
int hrtimer_try_to_cancel(struct hrtimer *timer)
{
    return hrtimer_active(timer) ? __fencepost_try_to_delete(&timer->data) : 0;
}
#endif

#ifdef NEEDS_tasklet_schedule
static int __fencepost_execute_callback(void (*function)(struct tasklet_struct *), struct tasklet_struct *tasklet,
                                         unsigned int first)
{
    __FENCEPOST_EXECUTE(&tasklet->data, function, first, ({
        function(tasklet);
        __fencepost_add(&tasklet->data, 0);
    }))
}
static int __fencepost_execute_tasklet(void (*function)(unsigned long), struct tasklet_struct *tasklet,
                                        unsigned int first)
{
    __FENCEPOST_EXECUTE(&tasklet->data, function, first, ({
        function(tasklet->argument);
        __fencepost_add(&tasklet->data, 0);
    }))
}
bool __fencepost_schedule_tasklet(struct tasklet_struct *tasklet)
{
    unsigned int was = __fencepost_add(&tasklet->data, 1);
    if (was & 1)
        return 0;
    bool calls_back = tasklet->use_callback;
    void (*callback)(struct tasklet_struct *) = __FENCEPOST_FUNCTION_IN(tasklet->callback);
    void (*function)(unsigned long) = __FENCEPOST_FUNCTION_IN(tasklet->func);
    unsigned int thread;
    if (calls_back)
        thread = __FENCEPOST_ROUND_OF(&tasklet->data, callback, __fencepost_execute_callback, tasklet);
    else
        thread = __FENCEPOST_ROUND_OF(&tasklet->data, function, __fencepost_execute_tasklet, tasklet);
    if (thread) {
        __fencepost_queue_again(&tasklet->data, thread, was, 0, 0);
        return 1;
    }
    unsigned int number = __FENCEPOST_NEXT;
    __fencepost_will_execute(&tasklet->data, number);
    if (calls_back)
        __FENCEPOST_LATER(__fencepost_execute_callback, callback, tasklet, __FENCEPOST_BEFORE(was));
    else
        __FENCEPOST_LATER(__fencepost_execute_tasklet, function, tasklet, __FENCEPOST_BEFORE(was));
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
    if (__fencepost_has_rounds()) {
        unsigned int is;
        do
            is = __fencepost_add(&tasklet->data, 1);
        while (is & 1);
        if (is)
            __FENCEPOST_UNTIL(__fencepost_have_ended(__FENCEPOST_BIT(is >> 1)));
        __fencepost_remove(&tasklet->data, 1);
        return;
    }
    __fencepost_wait_for_last(&tasklet->data);
}
#endif

#ifdef NEEDS___fencepost_request_irq
/* Registrations: whether an interrupt may come, and whether its handler is executed. */
#define __FENCEPOST_MAY_COME 1
#define __FENCEPOST_IS_HANDLED 2
static struct { int irq; void *device; unsigned int state; int disabled; } __fencepost_irqs[4];
#if defined NEEDS_disable_irq_nosync || defined NEEDS_enable_irq
#define __FENCEPOST_MAY_COME_NOW(at) __VERIFIER_assume(!__atomic_load_n(&__fencepost_irqs[at].disabled, __ATOMIC_ACQUIRE))
#else
#define __FENCEPOST_MAY_COME_NOW(at) ((void)0)
#endif
static unsigned int __fencepost_irqs_used;
static int __fencepost_handle(irq_handler_t handler, irq_handler_t function, int irq, void *device, unsigned int at)
{
    unsigned int *state = &__fencepost_irqs[at].state;
    while (__VERIFIER_nondet_bool()) {
        if (!(__fencepost_add(state, __FENCEPOST_IS_HANDLED) & __FENCEPOST_MAY_COME))
            return 0;
        /* If it is disabled by now, it may as well come later. */
        __FENCEPOST_MAY_COME_NOW(at);
        irqreturn_t result = handler ? handler(irq, device) : IRQ_WAKE_THREAD;
        if (function && result == IRQ_WAKE_THREAD)
            function(irq, device);
        __fencepost_remove(state, __FENCEPOST_IS_HANDLED);
    }
    return 0;
}
int __fencepost_request_irq(int irq, irq_handler_t handler, irq_handler_t function, unsigned long flags, void *device)
{
    if (!(flags & IRQF_ONESHOT)) {
        if (!handler)
            return -EINVAL;
        __FENCEPOST_NO_TWO_HANDLERS();
    }
    unsigned int at = __atomic_fetch_add(&__fencepost_irqs_used, 1, __ATOMIC_SEQ_CST);
    WRITE_ONCE(__fencepost_irqs[at].irq, irq);
    WRITE_ONCE(__fencepost_irqs[at].device, device);
    xchg(&__fencepost_irqs[at].state, __FENCEPOST_MAY_COME);
    __FENCEPOST_LATER(__fencepost_handle, handler, function, irq, device, at);
    return 0;
}
#endif
#ifdef NEEDS_free_irq
void free_irq(unsigned int irq, void *device)
{
    __sync_synchronize();
    for (int at = 0; at < 4; at++)
        if (READ_ONCE(__fencepost_irqs[at].irq) == irq && READ_ONCE(__fencepost_irqs[at].device) == device &&
            __fencepost_remove(&__fencepost_irqs[at].state, __FENCEPOST_MAY_COME) & __FENCEPOST_MAY_COME)
            __FENCEPOST_UNTIL(
                !(__atomic_load_n(&__fencepost_irqs[at].state, __ATOMIC_ACQUIRE) & __FENCEPOST_IS_HANDLED));
}
#endif
#ifdef NEEDS_disable_irq_nosync
void disable_irq_nosync(unsigned int irq)
{
    __sync_synchronize();
    for (int at = 0; at < 4; at++)
        if (READ_ONCE(__fencepost_irqs[at].irq) == irq)
            __atomic_fetch_add(&__fencepost_irqs[at].disabled, 1, __ATOMIC_SEQ_CST);
}
#endif
#ifdef NEEDS_enable_irq
void enable_irq(unsigned int irq)
{
    __sync_synchronize();
    for (int at = 0; at < 4; at++)
        if (READ_ONCE(__fencepost_irqs[at].irq) == irq)
            BUG_ON(__atomic_fetch_sub(&__fencepost_irqs[at].disabled, 1, __ATOMIC_SEQ_CST) == 0);
}
#endif
#ifdef NEEDS_synchronize_irq
void synchronize_irq(unsigned int irq)
{
    __sync_synchronize();
    for (int at = 0; at < 4; at++)
        if (READ_ONCE(__fencepost_irqs[at].irq) == irq)
            __FENCEPOST_UNTIL(
                !(__atomic_load_n(&__fencepost_irqs[at].state, __ATOMIC_ACQUIRE) & __FENCEPOST_IS_HANDLED));
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
    __FENCEPOST_LATER(__fencepost_after_readers, function, head);
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
    __FENCEPOST_LATER(__fencepost_free_after_readers, block);
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
    __FENCEPOST_LATER(__fencepost_after_domain, function, head, domain);
}
#endif
