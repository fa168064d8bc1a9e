//: error "more than 31 threads, where some are created by queues of the kernel"
#include <linux/workqueue.h>

static void poll(struct work_struct *work)
{
    schedule_delayed_work(to_delayed_work(work), HZ);
}

static DECLARE_DELAYED_WORK(work, poll);

int main(void)
{
    schedule_delayed_work(&work, HZ);
    return 0;
}
