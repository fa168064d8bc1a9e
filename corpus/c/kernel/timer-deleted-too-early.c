//: about A device is freed while the function of its timer may still run: the timer was deleted without a wait
//: check sc violated
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
    del_timer(&dev->timer);
    dev->up = 0;
    kfree(dev);
    return 0;
}
// race: `dev#1.up` (lines 10 and 19)
