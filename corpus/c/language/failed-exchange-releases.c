//: about A failed exchange with a release is a load with a warning, as for compilers
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread(void *unused)
{
    int expected = 1;
    atomic_compare_exchange_strong_explicit(&x, &expected, 2, memory_order_acq_rel, memory_order_acq_rel);
    assert(expected == 0 || expected == 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    atomic_store(&x, 1);
    pthread_join(t, NULL);
    assert(x == 1 || x == 2);
    return 0;
}
