//: about The thread of an interrupt has ended when that was unregistered
//: check sc holds
#include <linux/bug.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
struct dev { int irq; int count; int gone; };
static irqreturn_t handler(int irq, void *data)
{
    struct dev *d = data;
    BUG_ON(READ_ONCE(d->gone));
    return IRQ_HANDLED;
}
int main(void)
{
    struct dev *d = kzalloc(sizeof *d, GFP_KERNEL);
    d->irq = 7;
    if (request_threaded_irq(d->irq, 0, handler, IRQF_ONESHOT, "dev", d))
        return 0;
    free_irq(d->irq, d);
    WRITE_ONCE(d->gone, 1);
    kfree(d);
    return 0;
}
