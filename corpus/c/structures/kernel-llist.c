//: about Two threads add to a list without locks, and one takes everything, twice: nothing is lost
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/llist.h>
#include <pthread.h>

struct item {
    int value;
    struct llist_node node;
};

static LLIST_HEAD(list);
static struct item made[2];

static void *add(void *arg)
{
    struct item *own = arg;
    own->value = 1;
    llist_add(&own->node, &list);
    return NULL;
}

static int taken(void)
{
    int sum = 0;
    struct item *at;
    struct llist_node *all = llist_del_all(&list);
    llist_for_each_entry(at, all, node)
        sum += at->value;
    return sum;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, add, &made[0]);
    pthread_create(&t[1], NULL, add, &made[1]);
    int early = taken();
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    BUG_ON(early + taken() != 2);
    return 0;
}
