//: about The same as readers-and-writers.c, but a reader leaves by a relaxed operation: the next writer does not come after what it read
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WRITER 1000

static atomic_int lock;
static int value;

static void write_lock(void)
{
    int free = 0;
    while (!atomic_compare_exchange_weak_explicit(&lock, &free, WRITER, memory_order_acquire,
                                                  memory_order_relaxed))
        free = 0;
}

static void write_unlock(void)
{
    atomic_store_explicit(&lock, 0, memory_order_release);
}

static void read_lock(void)
{
    int seen = atomic_load_explicit(&lock, memory_order_relaxed);
    while (seen == WRITER
           || !atomic_compare_exchange_weak_explicit(&lock, &seen, seen + 1, memory_order_acquire,
                                                     memory_order_relaxed)) {
        if (seen == WRITER)
            seen = atomic_load_explicit(&lock, memory_order_relaxed);
    }
}

static void read_unlock(void)
{
    atomic_fetch_sub_explicit(&lock, 1, memory_order_relaxed);
}

static void *writer(void *unused)
{
    write_lock();
    value++;
    write_unlock();
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, writer, NULL);
    read_lock();
    int seen = value;
    read_unlock();
    assert(seen <= 2);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(value == 2);
    return 0;
}

// race: `value` (lines 47 and 58)
