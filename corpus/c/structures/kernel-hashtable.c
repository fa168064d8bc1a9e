//: about A table of Linux that readers of RCU walk while an element is added
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/hashtable.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

struct route { int key, target; struct hlist_node node; };
static DEFINE_HASHTABLE(routes, 2);

static int lookup(void *unused)
{
    struct route *route;
    rcu_read_lock();
    hash_for_each_possible_rcu(routes, route, node, 6)
        if (route->key == 6)
            BUG_ON(route->target != 60);
    rcu_read_unlock();
    return 0;
}

int main(void)
{
    struct route *route = kzalloc(sizeof(*route), GFP_KERNEL);
    kthread_run(lookup, NULL, "lookup");
    route->key = 6;
    route->target = 60;
    hash_add_rcu(routes, &route->node, route->key);
    BUG_ON(hash_empty(routes));
    return 0;
}
