#pragma once
/* Numbers that are given out, and pointers by number. The lowest that is free is given out first, up to 15 here: a
   program that needs more is wrong, as it seems. `ida` has a lock of its own, `idr` leaves that to the caller. */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#define __IDR_ROOM 16
struct ida { spinlock_t lock; unsigned int taken; };
#define IDA_INIT(name) { 0 }
#define DEFINE_IDA(name) struct ida name = IDA_INIT(name)
#define ida_init(i) \
    ({ struct ida *__ida = (i); spin_lock_init(&__ida->lock); __ida->taken = 0; })
static int __ida_take(struct ida *ida, unsigned int from, unsigned int to)
{
    int found = -ENOSPC;
    spin_lock(&ida->lock);
    for (unsigned int number = 0; number < __IDR_ROOM; number++) {
        if (number >= from && number <= to && !(ida->taken & 1u << number)) {
            ida->taken |= 1u << number;
            found = (int)number;
            break;
        }
    }
    __fencepost_assert((found >= 0 || to < __IDR_ROOM) && "more than 16 numbers are not supported");
    spin_unlock(&ida->lock);
    return found;
}
static void __ida_give(struct ida *ida, unsigned int number)
{
    spin_lock(&ida->lock);
    __fencepost_assert(number < __IDR_ROOM && (ida->taken & 1u << number));
    ida->taken &= ~(1u << number);
    spin_unlock(&ida->lock);
}
#define ida_alloc_range(i, from, to, flags) __ida_take(i, from, to)
#define ida_alloc_min(i, from, flags) __ida_take(i, from, ~0u)
#define ida_alloc_max(i, to, flags) __ida_take(i, 0, to)
#define ida_alloc(i, flags) __ida_take(i, 0, ~0u)
#define ida_free(i, number) __ida_give(i, number)
#define ida_simple_get(i, from, to, flags) __ida_take(i, from, (to) ? (to) - 1 : ~0u)
#define ida_simple_remove(i, number) __ida_give(i, number)
#define ida_is_empty(i) (READ_ONCE((i)->taken) == 0)
#define ida_destroy(i) ((void)((i)->taken = 0))
struct idr { void *at[__IDR_ROOM]; };
#define IDR_INIT(name) { { 0 } }
#define DEFINE_IDR(name) struct idr name = IDR_INIT(name)
#define idr_init(i) \
    ({ struct idr *__idr = (i); for (int __at = 0; __at < __IDR_ROOM; __at++) __idr->at[__at] = (void *)0; })
static int __idr_take(struct idr *idr, void *given, int from, int to)
{
    __fencepost_assert(given && "null pointers by number are not supported");
    for (int number = 0; number < __IDR_ROOM; number++) {
        if (number >= from && (to <= 0 || number < to) && !idr->at[number]) {
            rcu_assign_pointer(idr->at[number], given);
            return number;
        }
    }
    __fencepost_assert(to > 0 && to <= __IDR_ROOM && "more than 16 numbers are not supported");
    return -ENOSPC;
}
static void *__idr_drop(struct idr *idr, unsigned long number)
{
    void *before = (void *)0;
    if (number < __IDR_ROOM) {
        before = idr->at[number];
        rcu_assign_pointer(idr->at[number], (void *)0);
    }
    return before;
}
static void *__idr_look(struct idr *idr, unsigned long number)
{
    return number < __IDR_ROOM ? rcu_dereference(idr->at[number]) : (void *)0;
}
#define idr_alloc(i, pointer, from, to, flags) __idr_take(i, pointer, from, to)
#define idr_remove(i, number) __idr_drop(i, number)
#define idr_find(i, number) __idr_look(i, number)
#define idr_preload(flags) ((void)(flags))
#define idr_preload_end() ((void)0)
#define idr_destroy(i) idr_init(i)
#define idr_for_each_entry(i, entry, number) \
    for ((number) = 0; (number) < __IDR_ROOM; (number)++) \
        if (((entry) = (i)->at[number]) != (void *)0)
