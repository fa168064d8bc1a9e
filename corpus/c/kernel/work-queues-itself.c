//: about Work that queues itself until it is stopped is cancelled before its device is freed
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct dev { bool stopping; int polls; struct delayed_work poll; };

static void poll(struct work_struct *work)
{
    struct dev *dev = container_of(to_delayed_work(work), struct dev, poll);
    dev->polls = (dev->polls + 1) % 3;
    if (!READ_ONCE(dev->stopping))
        schedule_delayed_work(&dev->poll, HZ);
}

int main(void)
{
    struct dev *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
    INIT_DELAYED_WORK(&dev->poll, poll);
    schedule_delayed_work(&dev->poll, HZ);
    WRITE_ONCE(dev->stopping, 1);
    cancel_delayed_work_sync(&dev->poll);
    kfree(dev);
    return 0;
}
