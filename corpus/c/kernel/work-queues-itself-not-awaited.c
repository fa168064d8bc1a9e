//: about Work that is told to stop may still queue itself, when its device has been freed already
//: check sc violated
#include <linux/slab.h>
#include <linux/workqueue.h>

struct dev { bool stopping; struct work_struct poll; };

static void poll(struct work_struct *work)
{
    struct dev *dev = container_of(work, struct dev, poll);
    if (!READ_ONCE(dev->stopping))
        schedule_work(&dev->poll);
}

int main(void)
{
    struct dev *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
    INIT_WORK(&dev->poll, poll);
    schedule_work(&dev->poll);
    WRITE_ONCE(dev->stopping, 1);
    flush_work(&dev->poll);
    kfree(dev);
    return 0;
}
