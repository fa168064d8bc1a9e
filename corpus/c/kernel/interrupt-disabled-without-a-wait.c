//: about What an interrupt uses is changed while the interrupt is disabled, but a handler still runs
//: check sc violated
//: check tso violated
#include <linux/interrupt.h>
#include <linux/module.h>

static int low, high;

static irqreturn_t handle(int irq, void *device)
{
    BUG_ON(low != high);
    return IRQ_HANDLED;
}

static int __init start(void)
{
    if (request_irq(5, handle, 0, "device", &low))
        return -EBUSY;
    disable_irq_nosync(5);
    low = 1;
    high = 1;
    enable_irq(5);
    return 0;
}
module_init(start);

// race: `low` (lines 11 and 20)
// race: `high` (lines 11 and 21)
