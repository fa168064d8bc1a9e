//: about An exchange whose result is not used, which some compilers make a store, after the end of an array
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int array[3], now;

static void *thread(void *unused)
{
    atomic_int *end = array + 3;
    atomic_exchange_explicit(end, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    atomic_store(&now, 1);
    pthread_join(a, NULL);
    return 0;
}
