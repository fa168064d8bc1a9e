#pragma once
/* What keeps others off a CPU, of which each thread has one of its own. */
#include <linux/preempt.h>
typedef struct { char unused; } local_lock_t;
#define INIT_LOCAL_LOCK(name) { 0 }
#define local_lock_init(l) ((void)0)
#define local_lock(l) preempt_disable()
#define local_unlock(l) preempt_enable()
#define local_lock_irq(l) preempt_disable()
#define local_unlock_irq(l) preempt_enable()
#define local_lock_irqsave(l, flags) ((flags) = 0, preempt_disable())
#define local_unlock_irqrestore(l, flags) ((void)(flags), preempt_enable())
