//: about A number from 2^31 on in each half, read back whole: a name in the upper one, a count in the lower one
//: check sc holds
//: check tso holds
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static volatile uint32_t name, count;
static _Atomic int ready;

static uint64_t id(void)
{
    uint64_t high = name, low = count;
    return high * UINT64_C(0x100000000) + low;
}

static void *producer(void *unused)
{
    name = 0xfeedbeef;
    count = 0x80000001;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

static void *consumer(void *unused)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        assert(id() == 0xfeedbeef80000001);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
