#pragma once
/* schedule and cond_resched are known by name: a thread may continue at any time. */
#include <linux/kernel.h>
#include <linux/preempt.h>
