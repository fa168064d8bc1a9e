//: about A store that releases is not a fence: the relaxed one after it publishes nothing
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int first, second;

static void *sender(void *unused)
{
    data = 1;
    atomic_store_explicit(&first, 1, memory_order_release);
    atomic_store_explicit(&second, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    while (!atomic_load_explicit(&second, memory_order_acquire))
        ;
    assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}

// race: `data` (lines 15 and 27)
