//: about The store of the data is plain, and the flag is relaxed: stores stay in order under TSO, but a compiler may exchange them
//: check sc holds
//: check tso holds
//: check pso violated

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

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
        ;
    assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}

// race: `data` (lines 15 and 26)
