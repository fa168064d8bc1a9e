//: about Chase-Lev take: the owner lowers the bottom, a thief still sees the old one, and both take item 1; fenced at TAKE
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int bottom = 2, top = 0;  /* items 0 and 1 */
static bool took, stolen;

static void *owner(void *unused)
{
    int b = 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    if (t < b)
        took = true;
    else if (t == b && atomic_compare_exchange_strong(&top, &t, t + 1))
        took = true;
    return NULL;
}

/* The item, or -1. */
static int steal(void)
{
    int t = atomic_load_explicit(&top, memory_order_acquire);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t < b && atomic_compare_exchange_strong(&top, &t, t + 1))
        return t;
    return -1;
}

static void *thief(void *unused)
{
    steal();
    if (steal() == 1)
        stolen = true;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!(took && stolen));
    return 0;
}
