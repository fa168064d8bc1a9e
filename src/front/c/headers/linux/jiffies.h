#pragma once
/* Any time: it need not even advance. It is below 2³⁰, so that deadlines fit into 32 bits. */
#include <linux/math.h>
#include <linux/types.h>
#ifndef HZ
#define HZ 250
#endif
#define MAX_JIFFY_OFFSET 0x3ffffffeL
#define jiffies ((unsigned long)(rand() & 0x3fffffff))
#define get_jiffies_64() ((u64)jiffies)
#define time_after(a, b) ((long)((b) - (a)) < 0)
#define time_before(a, b) time_after(b, a)
#define time_after_eq(a, b) ((long)((a) - (b)) >= 0)
#define time_before_eq(a, b) time_after_eq(b, a)
#define time_in_range(a, b, c) \
    ({ unsigned long __between = (a); time_after_eq(__between, b) && time_before_eq(__between, c); })
#define time_is_before_jiffies(a) time_after(jiffies, a)
#define time_is_after_jiffies(a) time_before(jiffies, a)
#define time_is_before_eq_jiffies(a) time_after_eq(jiffies, a)
#define time_is_after_eq_jiffies(a) time_before_eq(jiffies, a)
#define secs_to_jiffies(s) ((unsigned long)((s) * HZ))
#define msecs_to_jiffies(m) ((unsigned long)(((m) * HZ + 999) / 1000))
#define usecs_to_jiffies(u) ((unsigned long)(((u) + 1000000 / HZ - 1) / (1000000 / HZ)))
#define jiffies_to_msecs(j) ((unsigned int)((j) * (1000 / HZ)))
#define jiffies_to_usecs(j) ((unsigned int)((j) * (1000000 / HZ)))
