//: about Work is not executed in order where the queue is an ordinary one
//: check sc violated
#include <linux/bug.h>
#include <linux/workqueue.h>

static int last;

static void first(struct work_struct *unused)
{
    BUG_ON(last);
    last = 1;
}

static void second(struct work_struct *unused)
{
    BUG_ON(last != 1);
    last = 2;
}

static DECLARE_WORK(one, first);
static DECLARE_WORK(two, second);

int main(void)
{
    struct workqueue_struct *queue = alloc_workqueue("queue", 0, 0);
    if (!queue)
        return -ENOMEM;
    queue_work(queue, &one);
    queue_work(queue, &two);
    destroy_workqueue(queue);
    BUG_ON(last != 2);
    return 0;
}
// race: `last` (lines 11 and 16)
