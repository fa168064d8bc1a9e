//: about A list of Linux under a spin lock, walked while it is emptied
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <pthread.h>

struct item {
    int value;
    struct list_head node;
};

static LIST_HEAD(items);
static DEFINE_SPINLOCK(lock);

static void *producer(void *unused)
{
    struct item *made = kmalloc(sizeof *made, GFP_KERNEL);
    made->value = 1;
    INIT_LIST_HEAD(&made->node);
    spin_lock(&lock);
    list_add_tail(&made->node, &items);
    spin_unlock(&lock);
    return NULL;
}

static void *consumer(void *unused)
{
    struct item *at, *after;
    spin_lock(&lock);
    list_for_each_entry_safe(at, after, &items, node) {
        BUG_ON(at->value != 1);
        list_del(&at->node);
        kfree(at);
    }
    BUG_ON(!list_empty(&items));
    spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, producer, NULL);
    pthread_create(&t[1], NULL, consumer, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
