//: about A callback of RCU frees a node that a reader may hold, and rcu_barrier waits for the callback
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
struct node { int value; struct rcu_head rcu; };
static struct node *shared;
static int freed;
static int reader(void *unused)
{
    rcu_read_lock();
    struct node *at = rcu_dereference(shared);
    if (at)
        BUG_ON(at->value != 1);
    rcu_read_unlock();
    return 0;
}
static void reclaim(struct rcu_head *head)
{
    struct node *node = container_of(head, struct node, rcu);
    node->value = 0;
    kfree(node);
    WRITE_ONCE(freed, 1);
}
int main(void)
{
    struct node *node = kzalloc(sizeof(*node), GFP_KERNEL);
    node->value = 1;
    shared = node;
    kthread_run(reader, NULL, "reader");
    rcu_assign_pointer(shared, NULL);
    call_rcu(&node->rcu, reclaim);
    rcu_barrier();
    BUG_ON(!READ_ONCE(freed));
    return 0;
}
