#pragma once
/* Each thread is on a CPU of its own and stays there: main on CPU 0, the others in the order in which they are created.
   A thread above NR_CPUS may not ask for its CPU. */
#include <linux/cpumask.h>
#include <linux/preempt.h>
#define raw_smp_processor_id() __fencepost_cpu(NR_CPUS)
#define smp_processor_id() raw_smp_processor_id()
#define get_cpu() ({ preempt_disable(); raw_smp_processor_id(); })
#define put_cpu() preempt_enable()
