//: about Flushing waits for an execution of work that queues itself, whichever that is
//: check sc holds
//: check tso holds
#include <linux/bug.h>
#include <linux/workqueue.h>

static int count;

static void poll(struct work_struct *work)
{
    if (READ_ONCE(count) < 2)
        WRITE_ONCE(count, READ_ONCE(count) + 1);
    schedule_work(work);
}

static DECLARE_WORK(work, poll);

int main(void)
{
    schedule_work(&work);
    flush_work(&work);
    BUG_ON(READ_ONCE(count) == 0);
    return 0;
}
