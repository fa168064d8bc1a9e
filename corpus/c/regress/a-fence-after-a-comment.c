//: about Comments between the store and the load: the fence goes before the load, and not under a condition that a comment ends like
//: check sc holds
//: check tso violated
//: fence tso assertions 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *left(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed); // before "y" /* see
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

static void *right(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    // as in left()
    /* or else */
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    b = seen;
    return 0;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, left, 0);
    pthread_create(&q, 0, right, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(a || b);
    return 0;
}
