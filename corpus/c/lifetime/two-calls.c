//: about A variable of each of two calls is read by another thread, which says so before the call returns
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) place;
static volatile int rounds = 2;

static void offer(int number)
{
    int local = number;
    atomic_store(&place, &local);
    while (atomic_load(&place))
        ;
}

static void *owner(void *unused)
{
    for (int i = 0; i < rounds; i++)
        offer(i);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, owner, NULL);
    for (int i = 0; i < rounds; i++) {
        int *p;
        while (!(p = atomic_load(&place)))
            ;
        assert(*p == i);
        atomic_store(&place, NULL);
    }
    pthread_join(t, NULL);
    return 0;
}
