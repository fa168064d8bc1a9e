#pragma once
/* udelay, mdelay and msleep are known by name. No signal ends a sleep. */
#include <linux/compiler.h>
#include <linux/jiffies.h>
#define ndelay(n) ((void)(n))
#define fsleep(n) ((void)(n))
#define ssleep(n) ((void)(n))
#define msleep_interruptible(n) ((void)(n), 0UL)
#define usleep_range(least, most) ((void)(least), (void)(most))
#define usleep_range_state(least, most, state) ((void)(least), (void)(most))
