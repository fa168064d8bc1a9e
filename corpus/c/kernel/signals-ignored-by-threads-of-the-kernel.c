//: about Threads of the kernel ignore signals: a wait that a signal could end ends only when the condition holds
//: check sc holds
//: check tso holds
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(queue);
static DECLARE_COMPLETION(done);
static int go;

static int waits(void *unused)
{
    BUG_ON(signal_pending(current));
    BUG_ON(wait_event_interruptible(queue, READ_ONCE(go)));
    BUG_ON(!READ_ONCE(go));
    BUG_ON(wait_for_completion_killable(&done));
    return 0;
}

static int __init start(void)
{
    kthread_run(waits, NULL, "waits");
    WRITE_ONCE(go, 1);
    wake_up(&queue);
    complete(&done);
    return 0;
}
module_init(start);
