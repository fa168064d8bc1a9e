//: about An element is added without a release: under PSO a reader sees it before its value
//: check sc holds
//: check tso holds
//: check pso violated
#include <linux/bug.h>
#include <linux/rculist.h>
#include <pthread.h>

struct item {
    int value;
    struct hlist_node hashed;
    struct list_head listed;
};

static HLIST_HEAD(chain);
static LIST_HEAD(list);
static struct item x, y;

static void *reader(void *unused)
{
    struct item *at;
    rcu_read_lock();
    list_for_each_entry_rcu(at, &list, listed)
        BUG_ON(at->value == 0);
    hlist_for_each_entry_rcu(at, &chain, hashed)
        BUG_ON(at->value == 0);
    rcu_read_unlock();
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct item *at;
    int seen = 0;
    pthread_create(&t, NULL, reader, NULL);
    x.value = 1;
    y.value = 2;
    list_add(&x.listed, &list);
    list_add_tail_rcu(&y.listed, &list);
    hlist_add_head_rcu(&x.hashed, &chain);
    pthread_join(t, NULL);
    list_move_tail(&x.listed, &list);
    list_for_each_entry(at, &list, listed)
        seen = seen * 10 + at->value;
    BUG_ON(seen != 21);
    BUG_ON(!list_entry_is_head(at, &list, listed));
    return 0;
}

// race: `x.value` (lines 24 and 37)
// race: `x.listed.next` (lines 23 and 39)
