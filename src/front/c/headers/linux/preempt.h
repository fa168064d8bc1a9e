#pragma once
/* Each thread has a CPU of its own, so there is nothing to keep off it. Compilers move no access over
   these. All code is that of a thread: there are no interrupts. */
#include <linux/cleanup.h>
#include <asm/barrier.h>
#define preempt_disable() barrier()
#define preempt_enable() barrier()
#define preempt_enable_no_resched() barrier()
#define preempt_disable_notrace() barrier()
#define preempt_enable_notrace() barrier()
#define migrate_disable() barrier()
#define migrate_enable() barrier()
#define local_bh_disable() barrier()
#define local_bh_enable() barrier()
#define in_interrupt() 0
#define in_irq() 0
#define in_hardirq() 0
#define in_softirq() 0
#define in_serving_softirq() 0
#define in_nmi() 0
#define in_task() 1
DEFINE_LOCK_GUARD_0(preempt, preempt_disable(), preempt_enable())
