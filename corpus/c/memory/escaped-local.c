//: about A local of one thread, read by another one before its initialisation reaches memory
//: check sc holds
//: check tso holds
//: check pso violated
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) place;
static int sink;

static void *owner(void *unused)
{
    int local = 1;
    atomic_store_explicit(&place, &local, memory_order_relaxed);
    while (atomic_load_explicit(&place, memory_order_relaxed))
        ;
    return NULL;
}

static void *visitor(void *unused)
{
    int *local = atomic_load_explicit(&place, memory_order_relaxed);
    if (local) {
        sink = *local;
        atomic_store_explicit(&place, NULL, memory_order_relaxed);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, visitor, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

// race: `owner.local` (lines 14 and 25)
