#pragma once
/* Numbers of devices. */
#include <linux/types.h>
#define MINORBITS 20
#define MINORMASK ((1U << MINORBITS) - 1)
#define MAJOR(dev) ((unsigned int)((dev) >> MINORBITS))
#define MINOR(dev) ((unsigned int)((dev) & MINORMASK))
#define MKDEV(major, minor) ((dev_t)((unsigned int)(major) << MINORBITS | (minor)))
