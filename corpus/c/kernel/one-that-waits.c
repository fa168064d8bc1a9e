//: about A thread that waits alone is woken when its condition holds: both sides execute a barrier in between
//: check sc holds
//: check tso holds
//: forbid stuck
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/rcuwait.h>

static struct rcuwait wait = __RCUWAIT_INITIALIZER(wait);
static int go;

static int waits(void *unused)
{
    rcuwait_wait_event(&wait, READ_ONCE(go), TASK_UNINTERRUPTIBLE);
    BUG_ON(!READ_ONCE(go));
    return 0;
}

static int __init start(void)
{
    kthread_run(waits, NULL, "waits");
    WRITE_ONCE(go, 1);
    rcuwait_wake_up(&wait);
    return 0;
}
module_init(start);
