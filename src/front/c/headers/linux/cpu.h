#pragma once
/* No processor comes or goes. */
#include <linux/cpumask.h>
#include <linux/smp.h>
#define cpus_read_lock() barrier()
#define cpus_read_unlock() barrier()
