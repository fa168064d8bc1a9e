//: about A thread of the kernel that has allowed a signal may get it, and its wait then ends early
//: check sc violated
//: check tso violated
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(queue);
static int go;

static int waits(void *unused)
{
    allow_signal(SIGTERM);
    wait_event_interruptible(queue, READ_ONCE(go));
    BUG_ON(!READ_ONCE(go));
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
