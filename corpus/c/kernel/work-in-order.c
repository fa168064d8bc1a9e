//: about Work of an ordered queue is executed in the order in which it was queued
//: check sc holds
//: check tso holds
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
    struct workqueue_struct *queue = alloc_ordered_workqueue("queue", 0);
    if (!queue)
        return -ENOMEM;
    queue_work(queue, &one);
    queue_work(queue, &two);
    destroy_workqueue(queue);
    BUG_ON(last != 2);
    return 0;
}
