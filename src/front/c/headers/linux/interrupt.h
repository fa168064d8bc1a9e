#pragma once
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/irqreturn.h>
#include <linux/kernel.h>
#include <linux/kref.h>
#include <linux/preempt.h>
#include <linux/workqueue.h>
/* A handler of interrupts is executed by a thread of its own, any number of times from its registration until that ends,
   and not by two at once. Interrupts are never disabled: those that come on the processor of another thread are among
   the executions, except that such a thread waits for them to end. */
typedef irqreturn_t (*irq_handler_t)(int irq, void *device);
#define IRQF_TRIGGER_NONE 0
#define IRQF_TRIGGER_RISING 1
#define IRQF_TRIGGER_FALLING 2
#define IRQF_TRIGGER_HIGH 4
#define IRQF_TRIGGER_LOW 8
#define IRQF_SHARED 0x80
#define IRQF_ONESHOT 0x2000
#define IRQF_NO_SUSPEND 0x4000
#define IRQF_NO_THREAD 0x10000
int __fencepost_request_irq(int irq, irq_handler_t handler, irq_handler_t function, unsigned long flags, void *device);
void free_irq(unsigned int irq, void *device);
void synchronize_irq(unsigned int irq);
/* An interrupt that comes while it is disabled comes later. */
void disable_irq_nosync(unsigned int irq);
void enable_irq(unsigned int irq);
#define disable_irq(irq) ({ unsigned int __disabled = (irq); disable_irq_nosync(__disabled); synchronize_irq(__disabled); })
#define request_irq(irq, handler, flags, name, device) \
    ((void)(name), __fencepost_request_irq(irq, handler, (irq_handler_t)0, (flags) | IRQF_ONESHOT, device))
#define request_threaded_irq(irq, handler, function, flags, name, device) \
    ((void)(name), __fencepost_request_irq(irq, handler, function, flags, device))
#define devm_request_irq(owner, irq, handler, flags, name, device) \
    ((void)(owner), request_irq(irq, handler, flags, name, device))
#define devm_request_threaded_irq(owner, irq, handler, function, flags, name, device) \
    ((void)(owner), request_threaded_irq(irq, handler, function, flags, name, device))
#define devm_free_irq(owner, irq, device) ((void)(owner), free_irq(irq, device))
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
