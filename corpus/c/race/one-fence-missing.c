//: about A release fence without an acquire fence orders nothing
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *sender(void *unused)
{
    data = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
        ;
    asm volatile("");
    assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}

// race: `data` (lines 15 and 28)
