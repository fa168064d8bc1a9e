//: about The updater waits for readers of RCU, and the reader is in a domain of SRCU
//: check sc violated
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/srcu.h>
#include <linux/slab.h>
DEFINE_STATIC_SRCU(domain);
static int *shared;
static int reader(void *unused)
{
    int index = srcu_read_lock(&domain);
    int *at = srcu_dereference(shared, &domain);
    BUG_ON(*at != 1);
    srcu_read_unlock(&domain, index);
    return 0;
}
int main(void)
{
    int *first = kmalloc(sizeof(int), GFP_KERNEL), *second = kmalloc(sizeof(int), GFP_KERNEL);
    *first = *second = 1;
    shared = first;
    kthread_run(reader, NULL, "reader");
    rcu_assign_pointer(shared, second);
    synchronize_rcu();
    *first = 0;
    kfree(first);
    return 0;
}
// race: `heap#1` (lines 13 and 25)
