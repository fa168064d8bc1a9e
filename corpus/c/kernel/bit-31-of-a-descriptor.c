//: about A device owns a descriptor while its highest bit is set: BIT(31) is a long, and the word has 32 bits
//: check sc holds
//: check tso holds
//: check pso violated
#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/types.h>

#define OWNED BIT(31)

static u32 flags;
static int data;

static int device(void *unused)
{
    WRITE_ONCE(data, 7);
    WRITE_ONCE(flags, OWNED | 5);
    return 0;
}

static int __init start(void)
{
    kthread_run(device, NULL, "device");
    u32 seen = READ_ONCE(flags);
    if (seen & OWNED) {
        BUG_ON((seen & ~OWNED) != 5);
        BUG_ON((seen & OWNED) != OWNED);
        BUG_ON(READ_ONCE(data) != 7);
    } else {
        BUG_ON(seen);
    }
    return 0;
}

module_init(start);
