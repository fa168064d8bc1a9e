//: about Slots of pointers to objects are exchanged through `void **`, as generic containers do it
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    int value;
};

static struct node nodes[2] = { { 1 }, { 2 } };
static struct node *slots[2] = { &nodes[0], &nodes[1] };

static void *take(void **slots, int i)
{
    return __atomic_exchange_n(&slots[i], (void *)0, __ATOMIC_ACQ_REL);
}

static atomic_int sum;

static void *taker(void *unused)
{
    for (int i = 0; i < 2; i++) {
        struct node *node = take((void **)slots, i);
        if (node)
            atomic_fetch_add(&sum, node->value);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, taker, NULL);
    pthread_create(&b, NULL, taker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 3);
    return 0;
}
