//: about A thread is to park, and looks for that when it has read one of two values
//: check sc violated
//: check tso violated
#include <linux/kthread.h>
#include <linux/module.h>

static int low, high;

static int looks(void *unused)
{
    int seen = READ_ONCE(low);
    if (kthread_should_park())
        kthread_parkme();
    BUG_ON(seen != READ_ONCE(high));
    return 0;
}

static int __init start(void)
{
    struct task_struct *task = kthread_run(looks, NULL, "looks");
    kthread_park(task);
    WRITE_ONCE(low, 1);
    WRITE_ONCE(high, 1);
    kthread_unpark(task);
    return 0;
}
module_init(start);
