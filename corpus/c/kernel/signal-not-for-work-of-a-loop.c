//: about Work that a loop queues waits without a signal: a thread of the kernel executes it
//: check sc holds
//: check tso holds
#include <linux/bug.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

static DECLARE_WAIT_QUEUE_HEAD(queue);
static int go;

static void wait_for_it(struct work_struct *work)
{
    BUG_ON(wait_event_interruptible(queue, READ_ONCE(go)));
}

static DECLARE_WORK(work, wait_for_it);

int main(void)
{
    WRITE_ONCE(go, 1);
    while (__VERIFIER_nondet_bool())
        schedule_work(&work);
    return 0;
}
