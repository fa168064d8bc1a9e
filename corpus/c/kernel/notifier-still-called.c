//: about A chain without a lock: one that was taken off it may still be called
//: check sc violated
//: check tso violated
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/notifier.h>

static RAW_NOTIFIER_HEAD(chain);
static int is_gone;

static int only(struct notifier_block *block, unsigned long action, void *data)
{
    BUG_ON(READ_ONCE(is_gone));
    return NOTIFY_OK;
}

static struct notifier_block block = { .notifier_call = only };

static int calls(void *unused)
{
    raw_notifier_call_chain(&chain, 7, NULL);
    return 0;
}

static int __init start(void)
{
    raw_notifier_chain_register(&chain, &block);
    kthread_run(calls, NULL, "calls");
    BUG_ON(raw_notifier_chain_unregister(&chain, &block));
    WRITE_ONCE(is_gone, 1);
    return 0;
}
module_init(start);
