//: about kfree_rcu frees a node when no reader holds it
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
struct node { int value; struct rcu_head rcu; };
static struct node *shared;
static int reader(void *unused)
{
    rcu_read_lock();
    struct node *at = rcu_dereference(shared);
    if (at)
        BUG_ON(at->value != 1);
    rcu_read_unlock();
    return 0;
}
int main(void)
{
    struct node *node = kzalloc(sizeof(*node), GFP_KERNEL);
    node->value = 1;
    shared = node;
    kthread_run(reader, NULL, "reader");
    rcu_assign_pointer(shared, NULL);
    kfree_rcu(node, rcu);
    return 0;
}
