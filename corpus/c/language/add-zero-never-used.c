//: about Store buffering: compilers drop an addition of 0 whose result only reaches variables that are not used
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int r0, r1;

static void *left(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    int old = atomic_fetch_add_explicit(&z, 0, memory_order_acq_rel);
    int next = old + 1;
    (void)next;
    r0 = atomic_load(&y);
    return NULL;
}

static void *right(void *unused)
{
    atomic_store(&y, 1);
    r1 = atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(r0 == 1 || r1 == 1);
    return 0;
}
