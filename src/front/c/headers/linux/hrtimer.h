#pragma once
/* Types only: no timer goes off, so starting one is refused where it is called. */
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/timer.h>
enum hrtimer_restart { HRTIMER_NORESTART, HRTIMER_RESTART };
struct hrtimer { ktime_t expires; enum hrtimer_restart (*function)(struct hrtimer *timer); };
