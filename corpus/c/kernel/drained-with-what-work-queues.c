//: about A queue is drained when the work that its work has queued has ended, too
//: check sc holds
//: check tso holds
#include <linux/bug.h>
#include <linux/workqueue.h>

static struct workqueue_struct *queue;
static int done;

static void second(struct work_struct *unused)
{
    done = 1;
}

static DECLARE_WORK(next, second);

static void first(struct work_struct *unused)
{
    queue_work(queue, &next);
}

static DECLARE_WORK(work, first);

int main(void)
{
    queue = alloc_workqueue("queue", 0, 0);
    queue_work(queue, &work);
    drain_workqueue(queue);
    BUG_ON(!done);
    return 0;
}
