//: about A driver waits until a device is ready, or gives up: what it waited for is there where it does not
//: check sc holds
//: check tso holds
#include <linux/iopoll.h>
#include <linux/kthread.h>
#include <linux/module.h>

static u32 status, result;

static int device(void *unused)
{
    writel(7, &result);
    writel(1, &status);
    return 0;
}

static int __init start(void)
{
    u32 value;
    kthread_run(device, NULL, "device");
    int error = readl_poll_timeout(&status, value, value & 1, 10, 1000);
    if (!error)
        BUG_ON(readl(&result) != 7);
    else
        BUG_ON(error != -ETIMEDOUT || value & 1);
    return 0;
}
module_init(start);
