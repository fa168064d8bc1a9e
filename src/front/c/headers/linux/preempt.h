#pragma once
/* Each thread has a CPU of its own, so there is nothing to keep off it. Compilers move no access over
   these. */
#include <asm/barrier.h>
#define preempt_disable() barrier()
#define preempt_enable() barrier()
#define preempt_enable_no_resched() barrier()
#define migrate_disable() barrier()
#define migrate_enable() barrier()
#define local_bh_disable() barrier()
#define local_bh_enable() barrier()
