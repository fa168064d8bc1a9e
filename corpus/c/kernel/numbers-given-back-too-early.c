//: about The same, where the number is given back before its use ends
//: check sc violated
//: check tso violated
#include <linux/bug.h>
#include <linux/idr.h>
#include <linux/kthread.h>
#include <linux/module.h>

#define SLOTS 2

static DEFINE_IDA(numbers);
static int used[SLOTS];

static int worker(void *unused)
{
    int number = ida_alloc_max(&numbers, SLOTS - 1, GFP_KERNEL);

    if (number < 0)
        return number;
    WARN_ON(READ_ONCE(used[number]));
    ida_free(&numbers, number);
    WRITE_ONCE(used[number], 1);
    WRITE_ONCE(used[number], 0);
    return 0;
}

static int __init begin(void)
{
    kthread_run(worker, NULL, "one");
    kthread_run(worker, NULL, "two");
    return 0;
}
module_init(begin);
MODULE_LICENSE("GPL");
