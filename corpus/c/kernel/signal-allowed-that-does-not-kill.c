//: about A wait that only a fatal signal ends is not ended by one that a thread of the kernel has allowed, and not
//: about after that is disallowed
//: check sc holds
//: check tso holds
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(queue);
static int go;

static int waits(void *unused)
{
    allow_signal(SIGTERM);
    BUG_ON(fatal_signal_pending(current));
    BUG_ON(wait_event_killable(queue, READ_ONCE(go)));
    disallow_signal(SIGTERM);
    BUG_ON(signal_pending(current));
    return 0;
}

static int __init start(void)
{
    kthread_run(waits, NULL, "waits");
    WRITE_ONCE(go, 1);
    wake_up(&queue);
    return 0;
}
module_init(start);
