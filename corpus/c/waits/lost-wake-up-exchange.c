//: about The sleeper announces by a seq_cst store, which is an exchange; the waker needs a fence
//: check sc holds
//: check tso violated
//: fence tso assertions 1
// fencepost: forbid stuck
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sleeping, flag, woken;

static void *sleeper(void *unused)
{
    atomic_store(&sleeping, 1);
    if (!atomic_load_explicit(&flag, memory_order_acquire))
        while (!atomic_load_explicit(&woken, memory_order_acquire))
            ;
    return NULL;
}

static void *waker(void *unused)
{
    atomic_store_explicit(&flag, 1, memory_order_release);
    if (atomic_load_explicit(&sleeping, memory_order_acquire))
        atomic_store_explicit(&woken, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, sleeper, NULL);
    pthread_create(&b, NULL, waker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
