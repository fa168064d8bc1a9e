//: about Objects of a cache are lists' elements, which are freed once
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/slab.h>
struct item { int key; struct item *next; };
static struct kmem_cache *items;
static struct item *head;
static DEFINE_SPINLOCK(lock);
static int add(void *unused)
{
    struct item *item = kmem_cache_alloc(items, GFP_KERNEL);
    item->key = 3;
    spin_lock(&lock);
    item->next = head;
    head = item;
    spin_unlock(&lock);
    return 0;
}
static int take(void *unused)
{
    spin_lock(&lock);
    struct item *item = head;
    if (item)
        head = item->next;
    spin_unlock(&lock);
    if (item) {
        BUG_ON(item->key != 3);
        kmem_cache_free(items, item);
    }
    return 0;
}
int main(void)
{
    items = kmem_cache_create("items", sizeof(struct item), 0, SLAB_PANIC, NULL);
    if (!items)
        return -ENOMEM;
    struct task_struct *a = kthread_run(add, NULL, "add"), *b = kthread_run(take, NULL, "take");
    kthread_stop(a);
    kthread_stop(b);
    kmem_cache_destroy(items);
    return 0;
}
