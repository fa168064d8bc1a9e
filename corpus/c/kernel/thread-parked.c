//: about A thread that has parked does nothing until it may go on
//: check sc holds
//: check tso holds
#include <linux/kthread.h>
#include <linux/module.h>

static int low, high;

static int looks(void *unused)
{
    if (kthread_should_park())
        kthread_parkme();
    BUG_ON(READ_ONCE(low) != READ_ONCE(high));
    return 0;
}

static int __init start(void)
{
    struct task_struct *task = kthread_create(looks, NULL, "looks");
    kthread_park(task);
    WRITE_ONCE(low, 1);
    WRITE_ONCE(high, 1);
    kthread_unpark(task);
    return 0;
}
module_init(start);
