//: about A thread waits before it returns until its variable has been read: release and acquire suffice
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) place;
static atomic_int done;

static void *owner(void *unused)
{
    int local = 1;
    atomic_store_explicit(&place, &local, memory_order_release);
    while (!atomic_load_explicit(&done, memory_order_acquire))
        ;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *p;
    pthread_create(&t, NULL, owner, NULL);
    while (!(p = atomic_load_explicit(&place, memory_order_acquire)))
        ;
    assert(*p == 1);
    atomic_store_explicit(&done, 1, memory_order_release);
    pthread_join(t, NULL);
    return 0;
}
