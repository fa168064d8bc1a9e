#pragma once
/* The type only: no timer goes off, so setting one is refused where it is called. */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/list.h>
struct timer_list { unsigned long expires; void (*function)(struct timer_list *timer); u32 flags; };
#define from_timer(object, timer, member) container_of(timer, __typeof__(*(object)), member)
