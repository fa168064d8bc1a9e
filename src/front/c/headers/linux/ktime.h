#pragma once
/* Any time below 2³⁰ nanoseconds: it need not even advance. */
#include <linux/jiffies.h>
#include <linux/time.h>
#include <linux/types.h>
typedef s64 ktime_t;
#define ktime_get() ((ktime_t)(rand() & 0x3fffffff))
#define ktime_get_raw() ktime_get()
#define ktime_get_real() ktime_get()
#define ktime_get_boottime() ktime_get()
#define ktime_get_ns() ((u64)ktime_get())
#define ktime_get_raw_ns() ((u64)ktime_get())
#define ktime_get_seconds() ((s64)(rand() & 0x3fffffff))
#define ktime_get_real_seconds() ktime_get_seconds()
#define local_clock() ((u64)ktime_get())
#define sched_clock() ((u64)ktime_get())
#define ns_to_ktime(ns) ((ktime_t)(ns))
#define us_to_ktime(us) ((ktime_t)(us) * 1000)
#define ms_to_ktime(ms) ((ktime_t)(ms) * 1000000)
#define ktime_to_ns(t) ((s64)(t))
#define ktime_to_us(t) ((s64)(t) / 1000)
#define ktime_to_ms(t) ((s64)(t) / 1000000)
#define ktime_add(a, b) ((a) + (b))
#define ktime_sub(a, b) ((a) - (b))
#define ktime_add_ns(t, ns) ((t) + (ns))
#define ktime_add_us(t, us) ((t) + (us) * 1000)
#define ktime_add_ms(t, ms) ((t) + (ms) * 1000000)
#define ktime_sub_ns(t, ns) ((t) - (ns))
#define ktime_us_delta(a, b) ktime_to_us((a) - (b))
#define ktime_ms_delta(a, b) ktime_to_ms((a) - (b))
#define ktime_compare(a, b) ({ ktime_t __left = (a), __right = (b); (__left > __right) - (__left < __right); })
#define ktime_after(a, b) ((a) > (b))
#define ktime_before(a, b) ((a) < (b))
