//: about Two elements are added to a list at once, without a lock: one of them is lost
//: check sc violated
//: check tso violated
//: check pso violated
#include <linux/list.h>
#include <pthread.h>

struct item {
    int value;
    struct list_head node;
};

static LIST_HEAD(items);
static struct item made[2];

static void *producer(void *arg)
{
    struct item *own = arg;
    list_add(&own->node, &items);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, producer, &made[0]);
    pthread_create(&t[1], NULL, producer, &made[1]);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    BUG_ON(list_empty(&items));
    BUG_ON(list_is_singular(&items));
    return 0;
}

// race: `items.next` (line 19 in two threads)
// race: `items.prev`, `made[0].node.prev` and `made[1].node.prev` (line 19 in two threads)
