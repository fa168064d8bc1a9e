//: about Put then flag (OpenSHMEM, NVSHMEM, DeepEP): the flag arrives before the data
//: check sc holds
//: check tso holds
//: check pso violated
//: robust tso yes
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *sender(void *unused)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

static void *receiver(void *unused)
{
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        ;
    assert(data == 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

// race: `data` (lines 16 and 25)
