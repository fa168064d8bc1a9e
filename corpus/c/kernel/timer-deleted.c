//: about A device is freed when its timer has been deleted, and its function has returned
//: check sc holds
//: check tso holds
#include <linux/bug.h>
#include <linux/timer.h>
#include <linux/slab.h>
struct dev { int up; struct timer_list timer; };
static void tick(struct timer_list *t)
{
    struct dev *dev = from_timer(dev, t, timer);
    BUG_ON(!dev->up);
}
int main(void)
{
    struct dev *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
    timer_setup(&dev->timer, tick, 0);
    dev->up = 1;
    mod_timer(&dev->timer, jiffies + HZ);
    del_timer_sync(&dev->timer);
    dev->up = 0;
    kfree(dev);
    return 0;
}
