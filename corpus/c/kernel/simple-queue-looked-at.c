//: about A waker looks for a sleeper without a barrier, and does not see it: it sleeps for ever
//: check sc holds
//: check tso violated
//: forbid stuck
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/swait.h>

static DECLARE_SWAIT_QUEUE_HEAD(queue);
static int go;

static int waits(void *unused)
{
    swait_event_exclusive(queue, READ_ONCE(go));
    return 0;
}

static int __init start(void)
{
    kthread_run(waits, NULL, "waits");
    WRITE_ONCE(go, 1);
    if (swait_active(&queue))
        swake_up_one(&queue);
    return 0;
}
module_init(start);
