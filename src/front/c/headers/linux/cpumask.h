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
