#pragma once
#include <linux/fs.h>
#define cdev_init(c, operations) \
    ({ struct cdev *__device = (c); __device->owner = (struct module *)0; __device->ops = (operations); })
#define cdev_alloc() ((struct cdev *)kzalloc(sizeof(struct cdev), GFP_KERNEL))
#define cdev_add(c, number, so_many) \
    ({ \
        struct cdev *__device = (c); \
        __device->dev = (number); \
        __device->count = (so_many); \
        __fencepost_operations(); \
        __zero_or_error(); \
    })
#define cdev_del(c) ((void)(c))
