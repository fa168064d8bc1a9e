//: about Functions of a chain are called by priority, and after it is taken off a chain of readers one is not
//: check sc holds
//: check tso holds
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/notifier.h>

static ATOMIC_NOTIFIER_HEAD(chain);
static int at, is_gone;

static int first(struct notifier_block *block, unsigned long action, void *data)
{
    BUG_ON(READ_ONCE(at) != 0);
    WRITE_ONCE(at, 1);
    return NOTIFY_OK;
}

static int second(struct notifier_block *block, unsigned long action, void *data)
{
    BUG_ON(READ_ONCE(is_gone));
    BUG_ON(READ_ONCE(at) != 1 || action != 7);
    WRITE_ONCE(at, 2);
    return NOTIFY_OK;
}

static struct notifier_block low = { .notifier_call = second, .priority = 1 };
static struct notifier_block high = { .notifier_call = first, .priority = 2 };

static int calls(void *unused)
{
    atomic_notifier_call_chain(&chain, 7, NULL);
    return 0;
}

static int __init start(void)
{
    atomic_notifier_chain_register(&chain, &low);
    atomic_notifier_chain_register(&chain, &high);
    BUG_ON(atomic_notifier_chain_register(&chain, &low) != -EEXIST);
    kthread_run(calls, NULL, "calls");
    BUG_ON(atomic_notifier_chain_unregister(&chain, &low));
    WRITE_ONCE(is_gone, 1);
    return 0;
}
module_init(start);
