//: about Head and tail of a queue in one word of 64 bits, each changed by a compare-exchange of both
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint64_t ends = 3UL << 32 | 2;   /* tail, head */

static uint32_t head_of(uint64_t word)
{
    return (uint32_t)word;
}

static uint32_t tail_of(uint64_t word)
{
    return word >> 32;
}

static void *producer(void *unused)
{
    uint64_t now = atomic_load_explicit(&ends, memory_order_relaxed);
    while (!atomic_compare_exchange_weak(&ends, &now, now + (1UL << 32)))
        ;
    return 0;
}

static void *consumer(void *unused)
{
    uint64_t now = atomic_load_explicit(&ends, memory_order_relaxed);
    do {
        assert(head_of(now) < tail_of(now));
    } while (!atomic_compare_exchange_weak(&ends, &now, now + 1));
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(tail_of(ends) == 4 && head_of(ends) == 3);
    return 0;
}
