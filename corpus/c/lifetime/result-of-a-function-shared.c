//: about The address of a variable of a function is published when the function has returned
//: check sc violated
//: check tso violated
//: check pso violated
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) shared;
static int sink;

static int *local(void)
{
    int number = 1;
    return &number;
}

static void *reader(void *unused)
{
    int *p = atomic_load(&shared);
    if (p)
        sink = *p;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    atomic_store(&shared, local());
    pthread_join(t, NULL);
    return 0;
}
