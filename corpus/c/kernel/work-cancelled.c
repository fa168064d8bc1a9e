//: about A device is freed when its delayed work has been cancelled, and is not executed any more
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/workqueue.h>
#include <linux/slab.h>
struct dev { int gone; struct delayed_work poll; };
static void poll(struct work_struct *work)
{
    struct dev *dev = container_of(to_delayed_work(work), struct dev, poll);
    BUG_ON(dev->gone);
}
int main(void)
{
    struct dev *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
    INIT_DELAYED_WORK(&dev->poll, poll);
    schedule_delayed_work(&dev->poll, HZ);
    cancel_delayed_work_sync(&dev->poll);
    dev->gone = 1;
    kfree(dev);
    return 0;
}
