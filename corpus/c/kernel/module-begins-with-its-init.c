//: about A module has no main: it begins with what module_init names, and a header that nothing needs is no matter
//: check sc violated
//: check tso violated
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/platform_device.h>

static int ready;

static int works(void *unused)
{
    WRITE_ONCE(ready, 1);
    return 0;
}

static int __init start(void)
{
    kthread_run(works, NULL, "works");
    BUG_ON(READ_ONCE(ready) == 1);
    return 0;
}

static void __exit stop(void)
{
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL");
