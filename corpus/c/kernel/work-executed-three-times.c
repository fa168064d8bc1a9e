//: about Work that queues itself is executed a third time
//: check sc violated
#include <linux/bug.h>
#include <linux/workqueue.h>

static int count;

static void poll(struct work_struct *work)
{
    BUG_ON(++count == 3);
    schedule_work(work);
}

static DECLARE_WORK(work, poll);

int main(void)
{
    schedule_work(&work);
    return 0;
}
