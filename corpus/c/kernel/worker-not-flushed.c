//: about A thread executes work that is queued, and nothing waits for it
//: check sc violated
//: check tso violated
#include <linux/kthread.h>
#include <linux/module.h>

static int done;

static void work_on(struct kthread_work *work)
{
    done = 1;
}

static DEFINE_KTHREAD_WORK(work, work_on);

static int __init start(void)
{
    struct kthread_worker *worker = kthread_create_worker(0, "worker");
    kthread_queue_work(worker, &work);
    BUG_ON(!done);
    return 0;
}
module_init(start);

// race: `done` (lines 11 and 20)
