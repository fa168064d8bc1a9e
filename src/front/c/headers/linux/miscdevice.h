#pragma once
#include <linux/device.h>
#include <linux/fs.h>
#define MISC_DYNAMIC_MINOR 255
struct miscdevice {
    int minor;
    const char *name;
    const struct file_operations *fops;
    struct device *parent;
    const char *nodename;
    umode_t mode;
};
#define misc_register(device) ((void)(device)->fops, __fencepost_operations(), __zero_or_error())
#define misc_deregister(device) ((void)(device))
