//: about The load that may overtake the store is inside of an assertion, which is a macro
//: check tso holds
//: robust tso no
//: fence tso robustness 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int seen;

static void *writer(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    assert(atomic_load_explicit(&y, memory_order_relaxed) >= 0);
    return NULL;
}

static void *other(void *unused)
{
    atomic_store(&y, 1);
    seen = atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
