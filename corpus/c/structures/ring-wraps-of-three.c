//: about Ring buffer whose 64-bit indices wrap: the size is no power of two, so UINT64_MAX and 0 have one slot, and a value is lost
//: check sc violated
//: check tso violated
//: check pso violated
// race: `ring` (lines 21 and 31)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define SIZE 3

static int ring[SIZE];
static _Atomic uint64_t head = UINT64_MAX, tail = UINT64_MAX;

static int put(int value)
{
    uint64_t at = atomic_load_explicit(&tail, memory_order_relaxed);
    if (at - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
        return 0;
    ring[at % SIZE] = value;
    atomic_store_explicit(&tail, at + 1, memory_order_release);
    return 1;
}

static int get(int *value)
{
    uint64_t at = atomic_load_explicit(&head, memory_order_relaxed);
    if (at == atomic_load_explicit(&tail, memory_order_acquire))
        return 0;
    *value = ring[at % SIZE];
    atomic_store_explicit(&head, at + 1, memory_order_release);
    return 1;
}

static void *producer(void *unused)
{
    for (int i = 1; i <= 3; i++)
        while (!put(i))
            ;
    return NULL;
}

static void *consumer(void *unused)
{
    int value;
    for (int i = 1; i <= 3; i++) {
        while (!get(&value))
            ;
        assert(value == i);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
