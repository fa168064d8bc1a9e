//: about A sequence lock around a time of 64 bits: without barriers the new time may come after the sequence number
//: check sc holds
//: check tso holds
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static unsigned sequence;
static uint64_t nanoseconds = 1UL << 40;
static uint64_t copy = 1UL << 40;

static void *clock(void *unused)
{
    __atomic_store_n(&sequence, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&nanoseconds, 3UL << 40, __ATOMIC_RELAXED);
    __atomic_store_n(&copy, 3UL << 40, __ATOMIC_RELAXED);
    __atomic_store_n(&sequence, 2, __ATOMIC_RELAXED);
    return 0;
}

static void *reader(void *unused)
{
    unsigned before = __atomic_load_n(&sequence, __ATOMIC_ACQUIRE);
    uint64_t time = __atomic_load_n(&nanoseconds, __ATOMIC_ACQUIRE);
    uint64_t other = __atomic_load_n(&copy, __ATOMIC_ACQUIRE);
    if (before % 2 == 0 && __atomic_load_n(&sequence, __ATOMIC_RELAXED) == before)
        assert(time == other && time >> 40 == before + 1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, clock, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
