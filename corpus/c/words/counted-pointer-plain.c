//: about A pointer with a counter of 16 bits beside it that is published by a relaxed store: the node may come later
//: check sc holds
//: check tso holds
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct node {
    struct node *next;
    int value;
};

static struct node only;
static uint64_t head = 5UL << 48;

static void *publisher(void *unused)
{
    uint64_t old = __atomic_load_n(&head, __ATOMIC_RELAXED);
    only.value = 7;
    __atomic_store_n(&head, (uint64_t)&only | ((old >> 48) + 1) << 48, __ATOMIC_RELAXED);
    return 0;
}

static void *reader(void *unused)
{
    uint64_t word = __atomic_load_n(&head, __ATOMIC_RELAXED);
    struct node *node = (struct node *)(word & ((1UL << 48) - 1));
    if (node) {
        assert(word >> 48 == 6);
        assert(node->value == 7);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, publisher, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
// race: `only.value` (lines 20 and 31)
