#pragma once
/* udelay, mdelay and msleep are known by name. */
#include <linux/compiler.h>
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#define ndelay(n) ((void)(n))
#define fsleep(n) ((void)(n))
#define ssleep(n) ((void)(n))
/* What is left when a signal comes. */
#define msleep_interruptible(n) \
    ({ \
        unsigned int __time = (n), __rest = __signalled() ? rand() : 0; \
        __VERIFIER_assume(__rest <= __time); \
        (unsigned long)__rest; \
    })
#define usleep_range(least, most) ((void)(least), (void)(most))
#define usleep_range_state(least, most, state) ((void)(least), (void)(most))
