#pragma once
/* A counter with a part for each CPU, which goes to the sum, under the lock, when it is large. */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>
struct percpu_counter { raw_spinlock_t lock; s64 count; s32 *counters; };
#define percpu_counter_batch 32
#define percpu_counter_init(counter, start, flags) \
    ({ \
        struct percpu_counter *__made = (counter); \
        raw_spin_lock_init(&__made->lock); \
        __made->count = (start); \
        __made->counters = alloc_percpu(s32); \
        0; \
    })
#define percpu_counter_destroy(counter) \
    ({ \
        struct percpu_counter *__gone = (counter); \
        if (__gone->counters) \
            free_percpu(__gone->counters); \
        __gone->counters = NULL; \
    })
#define percpu_counter_add_batch(counter, amount, batch) \
    ({ \
        struct percpu_counter *__counter = (counter); \
        s32 *__own = this_cpu_ptr(__counter->counters); \
        s64 __amount = (amount); \
        s64 __part = READ_ONCE(*__own) + __amount; \
        if (__part >= (batch) || __part <= -(batch)) { \
            raw_spin_lock(&__counter->lock); \
            WRITE_ONCE(__counter->count, __counter->count + __part); \
            WRITE_ONCE(*__own, 0); \
            raw_spin_unlock(&__counter->lock); \
        } else \
            WRITE_ONCE(*__own, (s32)__part); \
    })
#define percpu_counter_add(counter, amount) percpu_counter_add_batch(counter, amount, percpu_counter_batch)
#define percpu_counter_sub(counter, amount) percpu_counter_add(counter, -(amount))
#define percpu_counter_inc(counter) percpu_counter_add(counter, 1)
#define percpu_counter_dec(counter) percpu_counter_add(counter, -1)
#define percpu_counter_read(counter) READ_ONCE((counter)->count)
#define percpu_counter_read_positive(counter) \
    ({ s64 __count = percpu_counter_read(counter); __count >= 0 ? __count : 0; })
#define percpu_counter_sum(counter) \
    ({ \
        struct percpu_counter *__counter = (counter); \
        raw_spin_lock(&__counter->lock); \
        s64 __sum = __counter->count; \
        for (int __cpu = 0; __cpu < NR_CPUS; __cpu++) \
            __sum += READ_ONCE(__counter->counters[__cpu]); \
        raw_spin_unlock(&__counter->lock); \
        __sum; \
    })
#define percpu_counter_sum_positive(counter) ({ s64 __whole = percpu_counter_sum(counter); __whole >= 0 ? __whole : 0; })
