#pragma once
/* There are no interrupts. Compilers move no access over these. */
#include <linux/cleanup.h>
#include <asm/barrier.h>
#define local_irq_disable() barrier()
#define local_irq_enable() barrier()
#define local_irq_save(flags) ((flags) = 0, barrier())
#define local_irq_restore(flags) ((void)(flags), barrier())
#define raw_local_irq_save(flags) local_irq_save(flags)
#define raw_local_irq_restore(flags) local_irq_restore(flags)
DEFINE_LOCK_GUARD_0(irq, local_irq_disable(), local_irq_enable())
DEFINE_LOCK_GUARD_0(irqsave, local_irq_disable(), local_irq_enable())
