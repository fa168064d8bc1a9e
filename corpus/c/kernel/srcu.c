//: about A reader in a domain of SRCU holds what the updater frees after it has waited for that domain
//: check sc holds
//: check tso holds
//: check pso holds
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
    synchronize_srcu(&domain);
    *first = 0;
    kfree(first);
    return 0;
}
