//: about A device is freed while its delayed work may still be executed: the work was cancelled without a wait
//: check sc violated
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
    cancel_delayed_work(&dev->poll);
    dev->gone = 1;
    kfree(dev);
    return 0;
}
// race: `dev#1.gone` (lines 10 and 18)
