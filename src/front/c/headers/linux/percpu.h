#pragma once
/* Which thread is on which CPU is not modelled: accesses of variables of a CPU are refused. */
#include <linux/preempt.h>
