//: about The init function of a module is executed for insmod, to which signals may be sent: its wait may end early
//: check sc violated
//: check tso violated
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(queue);
static int ready;

static int gets_ready(void *unused)
{
    WRITE_ONCE(ready, 1);
    wake_up(&queue);
    return 0;
}

static int __init start(void)
{
    kthread_run(gets_ready, NULL, "gets_ready");
    wait_event_interruptible(queue, READ_ONCE(ready));
    BUG_ON(!READ_ONCE(ready));
    return 0;
}
module_init(start);
