#pragma once
/* Each thread is on a CPU of its own and stays there: main on CPU 0, the others in the order in which they are created.
   With more threads than NR_CPUS, using the number of one above as an index is an error. */
#include <linux/cpumask.h>
#include <linux/preempt.h>
#define raw_smp_processor_id() ((int)thrd_current() & 63)
#define smp_processor_id() raw_smp_processor_id()
#define get_cpu() ({ preempt_disable(); raw_smp_processor_id(); })
#define put_cpu() preempt_enable()
