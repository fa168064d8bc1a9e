//: about Ring buffer whose tail is published by a relaxed store
//: check sc holds
//: check tso holds
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2

static int ring[SIZE];
static atomic_uint head, tail;

static int put(int value)
{
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    if (at - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
        return 0;
    ring[at % SIZE] = value;
    atomic_store_explicit(&tail, at + 1, memory_order_relaxed);
    return 1;
}

static int get(int *value)
{
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
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

// race: `ring` (lines 21 and 31)
