//: about Log positions of 64 bits beyond 2^32: each of two writers publishes its own and reads that of the other
//: check sc holds
//: check tso violated
//: robust tso no
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define SEGMENT (1UL << 40)

static uint64_t position[2] = { SEGMENT, SEGMENT };
static uint64_t seen[2];

static void publish(int self)
{
    __atomic_store_n(&position[self], 2 * SEGMENT + 24, __ATOMIC_RELAXED);
    seen[self] = __atomic_load_n(&position[1 - self], __ATOMIC_RELAXED);
}

static void *first(void *unused)
{
    publish(0);
    return 0;
}

static void *second(void *unused)
{
    publish(1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    /* Halves of two positions are never mixed. */
    assert(seen[0] == SEGMENT || seen[0] == 2 * SEGMENT + 24);
    assert(seen[1] == SEGMENT || seen[1] == 2 * SEGMENT + 24);
    assert(seen[0] > SEGMENT || seen[1] > SEGMENT);
    return 0;
}
