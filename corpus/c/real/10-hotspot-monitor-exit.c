//: about HotSpot ObjectMonitor exit: a thread parks on a monitor that was just left; production leaves the fence out and parks for a limited time
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int owner = 1;    /* who holds the monitor; 0: it is free */
static atomic_int cxq;          /* who wants to enter */
static bool unparked, parked;

static void *leave(void *unused)
{
    atomic_store_explicit(&owner, 0, memory_order_release);
    if (atomic_load(&cxq) != 0)
        unparked = true;
    return NULL;
}

static void *enter(void *unused)
{
    int nobody = 0;
    atomic_exchange(&cxq, 2);
    if (!atomic_compare_exchange_strong(&owner, &nobody, 2))
        parked = true;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, leave, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!parked || unparked);
    return 0;
}
