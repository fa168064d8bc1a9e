//: about A flag that is looked at before the variable keeps it alive under SC; its store may be buffered
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) place;
static atomic_int reading;
static int sink;

static void *owner(void *unused)
{
    int local = 1;
    atomic_store(&place, &local);
    atomic_store(&place, NULL);
    if (atomic_load(&reading))
        for (;;)
            ;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, owner, NULL);
    atomic_store_explicit(&reading, 1, memory_order_relaxed);
    int *p = atomic_load(&place);
    if (p)
        sink = *p;
    return 0;
}
