//: about A block is unlinked and freed after a look at the hazard pointer: the unlinking must be visible
//: check sc holds
//: check tso violated
//: robust tso no
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared, hazard;
static int sink;

static void *reader(void *unused)
{
    int *p = atomic_load_explicit(&shared, memory_order_relaxed);
    if (!p)
        return NULL;
    atomic_store(&hazard, p);
    if (atomic_load(&shared) == p)
        sink = *p;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *block = malloc(sizeof(int));
    *block = 1;
    atomic_store(&shared, block);
    pthread_create(&t, NULL, reader, NULL);
    atomic_store_explicit(&shared, NULL, memory_order_release);
    if (!atomic_load(&hazard))
        free(block);
    pthread_join(t, NULL);
    return 0;
}
