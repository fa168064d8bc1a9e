#pragma once
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/irqreturn.h>
#include <linux/kernel.h>
#include <linux/kref.h>
#include <linux/preempt.h>
#include <linux/workqueue.h>
/* A tasklet is executed by a thread for each call that schedules it, and never by two at once. `data`: whether it is
   scheduled, and the number of the last such thread. */
struct tasklet_struct {
    unsigned int data;
    unsigned long state;
    bool use_callback;
    void (*func)(unsigned long data);
    void (*callback)(struct tasklet_struct *tasklet);
    unsigned long argument;
};
void tasklet_schedule(struct tasklet_struct *tasklet);
void tasklet_kill(struct tasklet_struct *tasklet);
#define DECLARE_TASKLET(name, routine) struct tasklet_struct name = { .use_callback = 1, .callback = (routine) }
#define DECLARE_TASKLET_OLD(name, routine) struct tasklet_struct name = { .func = (routine) }
#define tasklet_setup(t, routine) \
    ({ \
        struct tasklet_struct *__tasklet = (t); \
        __tasklet->data = 0; \
        __tasklet->state = 0; \
        __tasklet->use_callback = 1; \
        __tasklet->callback = (routine); \
    })
#define tasklet_init(t, routine, value) \
    ({ \
        struct tasklet_struct *__tasklet = (t); \
        __tasklet->data = 0; \
        __tasklet->state = 0; \
        __tasklet->use_callback = 0; \
        __tasklet->func = (routine); \
        __tasklet->argument = (value); \
    })
#define from_tasklet(object, tasklet, member) container_of(tasklet, __typeof__(*(object)), member)
#define tasklet_hi_schedule(t) tasklet_schedule(t)
