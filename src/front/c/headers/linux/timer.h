#pragma once
/* A timer goes off at any time after it was armed, or not within the run, in a thread for each call that arms it: time is
   not modelled. Two threads never execute the function of one timer at once. */
#include <linux/bug.h>
#include <linux/container_of.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/list.h>
/* `data`: whether it is armed, the number of the last thread in which it goes off, and whether one that deletes it
   holds it, and it was armed meanwhile. */
struct timer_list {
    unsigned int data;
    unsigned long expires;
    void (*function)(struct timer_list *timer);
    u32 flags;
    bool is_shut;
};
int mod_timer(struct timer_list *timer, unsigned long expires);
int mod_timer_pending(struct timer_list *timer, unsigned long expires);
int del_timer(struct timer_list *timer);
int del_timer_sync(struct timer_list *timer);
int try_to_del_timer_sync(struct timer_list *timer);
int timer_shutdown(struct timer_list *timer);
int timer_shutdown_sync(struct timer_list *timer);
#define TIMER_DEFERRABLE 0x80000u
#define TIMER_PINNED 0x100000u
#define TIMER_IRQSAFE 0x200000u
#define DEFINE_TIMER(name, routine) struct timer_list name = { .function = (routine) }
#define timer_setup(t, routine, options) \
    ({ \
        struct timer_list *__timer = (t); \
        __timer->data = 0; \
        __timer->function = (routine); \
        __timer->flags = (options); \
        __timer->is_shut = 0; \
    })
#define timer_setup_on_stack(t, routine, options) timer_setup(t, routine, options)
#define destroy_timer_on_stack(t) ((void)(t))
#define from_timer(object, timer, member) container_of(timer, __typeof__(*(object)), member)
#define timer_container_of(object, timer, member) from_timer(object, timer, member)
#define timer_pending(t) \
    ({ \
        unsigned int __is = READ_ONCE((t)->data); \
        (int)(__is & 64 ? __is >> 7 : __is & 1); \
    })
#define timer_reduce(t, time) mod_timer(t, time)
#define add_timer(t) \
    ({ \
        struct timer_list *__added = (t); \
        BUG_ON(timer_pending(__added)); \
        (void)mod_timer(__added, __added->expires); \
    })
#define add_timer_on(t, cpu) ((void)(cpu), add_timer(t))
#define timer_delete(t) del_timer(t)
#define timer_delete_sync(t) del_timer_sync(t)
