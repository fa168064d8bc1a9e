#pragma once
/* As many processors as `-DNR_CPUS=N` says. All of them are there, and running. */
#include <linux/bitmap.h>
#include <linux/kernel.h>
#ifndef NR_CPUS
#define NR_CPUS 4
#endif
#define CONFIG_NR_CPUS NR_CPUS
#define nr_cpu_ids ((unsigned int)NR_CPUS)
#define num_possible_cpus() ((unsigned int)NR_CPUS)
#define num_present_cpus() ((unsigned int)NR_CPUS)
#define num_online_cpus() ((unsigned int)NR_CPUS)
#define cpu_possible(cpu) ((unsigned int)(cpu) < NR_CPUS)
#define cpu_online(cpu) cpu_possible(cpu)
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < NR_CPUS; (cpu)++)
#define for_each_present_cpu(cpu) for_each_possible_cpu(cpu)
#define for_each_online_cpu(cpu) for_each_possible_cpu(cpu)
typedef struct cpumask { unsigned long bits[BITS_TO_LONGS(NR_CPUS)]; } cpumask_t;
static const struct cpumask __all_cpus = { { (1UL << NR_CPUS) - 1 } };
#define cpu_possible_mask (&__all_cpus)
#define cpu_present_mask cpu_possible_mask
#define cpu_online_mask cpu_possible_mask
#define cpumask_bits(mask) ((mask)->bits)
#define cpumask_weight(mask) bitmap_weight((mask)->bits, NR_CPUS)
#define cpumask_clear(mask) bitmap_zero((mask)->bits, NR_CPUS)
#define cpumask_empty(mask) bitmap_empty((mask)->bits, NR_CPUS)
#define cpumask_set_cpu(cpu, mask) set_bit(cpu, (mask)->bits)
#define cpumask_clear_cpu(cpu, mask) clear_bit(cpu, (mask)->bits)
#define cpumask_test_cpu(cpu, mask) test_bit(cpu, (mask)->bits)
#define cpumask_test_and_set_cpu(cpu, mask) test_and_set_bit(cpu, (mask)->bits)
#define cpumask_test_and_clear_cpu(cpu, mask) test_and_clear_bit(cpu, (mask)->bits)
#define cpumask_first(mask) find_first_bit((mask)->bits, NR_CPUS)
#define cpumask_next(cpu, mask) find_next_bit((mask)->bits, NR_CPUS, (cpu) + 1)
#define for_each_cpu(cpu, mask) for_each_set_bit(cpu, (mask)->bits, NR_CPUS)
