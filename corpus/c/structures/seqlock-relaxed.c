//: about Seqlock written with relaxed stores only
//: check sc holds
//: check tso holds
//: check pso violated
//: robust tso yes
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low, high;

static void *writer(void *unused)
{
    for (int i = 1; i <= 1; i++) {
        unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
        atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
        atomic_store_explicit(&low, i, memory_order_relaxed);
        atomic_store_explicit(&high, i, memory_order_relaxed);
        atomic_store_explicit(&sequence, s + 2, memory_order_relaxed);
    }
    return NULL;
}

static void *reader(void *unused)
{
    unsigned before, after;
    int l, h;
    do {
        while ((before = atomic_load_explicit(&sequence, memory_order_acquire)) & 1)
            ;
        l = atomic_load_explicit(&low, memory_order_relaxed);
        h = atomic_load_explicit(&high, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
    } while (before != after);
    assert(l == h);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
