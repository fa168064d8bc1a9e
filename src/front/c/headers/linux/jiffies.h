#pragma once
/* Any time: it need not even advance. */
#include <linux/types.h>
#define HZ 250
#define jiffies ((unsigned long)rand())
#define get_jiffies_64() ((u64)jiffies)
#define time_after(a, b) ((long)((b) - (a)) < 0)
#define time_before(a, b) time_after(b, a)
#define time_after_eq(a, b) ((long)((a) - (b)) >= 0)
#define time_before_eq(a, b) time_after_eq(b, a)
#define msecs_to_jiffies(m) ((unsigned long)(((m) + 3) / 4))
#define jiffies_to_msecs(j) ((unsigned int)((j) * 4))
