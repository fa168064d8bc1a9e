//: about An entry is taken off a list by a loop that frees it after readers, and returns
//: check sc holds
//: check tso holds
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/bug.h>
#include <linux/spinlock.h>
#include <linux/kthread.h>
struct item { int key; int gone; struct list_head list; struct rcu_head rcu; };
static LIST_HEAD(items);
static DEFINE_SPINLOCK(lock);
static int find(int key)
{
    struct item *i;
    rcu_read_lock();
    list_for_each_entry_rcu(i, &items, list)
        if (i->key == key) { rcu_read_unlock(); return 1; }
    rcu_read_unlock();
    return 0;
}
static void drop(int key)
{
    struct item *i;
    spin_lock(&lock);
    list_for_each_entry(i, &items, list) {
        if (i->key == key) {
            list_del_rcu(&i->list);
            spin_unlock(&lock);
            kfree_rcu(i, rcu);
            return;
        }
    }
    spin_unlock(&lock);
}
static int reader(void *unused) { find(1); return 0; }
int main(void)
{
    struct item *a = kzalloc(sizeof *a, GFP_KERNEL), *b = kzalloc(sizeof *b, GFP_KERNEL);
    a->key = 1; b->key = 2;
    list_add(&a->list, &items);
    list_add(&b->list, &items);
    kthread_run(reader, 0, "reader");
    drop(1);
    return 0;
}
