#pragma once
/* udelay, mdelay and msleep are known by name. */
#define ndelay(n) ((void)(n))
#define usleep_range(least, most) ((void)(least), (void)(most))
