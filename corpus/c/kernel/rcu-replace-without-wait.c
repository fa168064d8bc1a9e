//: about An updater of what readers of RCU hold frees it without waiting for them
//: check sc violated
//: check tso violated
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

struct config {
    int limit, used;
};
static struct config *current_config;

static int reader(void *unused)
{
    rcu_read_lock();
    struct config *config = rcu_dereference(current_config);
    BUG_ON(config->used > config->limit);
    rcu_read_unlock();
    return 0;
}

static int update(void *unused)
{
    struct config *next = kzalloc(sizeof(*next), GFP_KERNEL), *old;
    next->limit = 8;
    next->used = 7;
    old = rcu_dereference_protected(current_config, 1);
    rcu_assign_pointer(current_config, next);
    kfree(old);
    return 0;
}

int main(void)
{
    struct config *first = kzalloc(sizeof(*first), GFP_KERNEL);
    first->limit = 2;
    current_config = first;
    kthread_run(reader, NULL, "reader");
    kthread_run(update, NULL, "update");
    return 0;
}
