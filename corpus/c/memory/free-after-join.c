//: about A block is freed when no other thread can use it; freeing null does nothing
//: check sc holds
//: check tso holds
//: check pso holds
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;
static int sink;

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
    int *block = malloc(sizeof(int));
    *block = 1;
    atomic_store(&shared, block);
    pthread_create(&t, NULL, reader, NULL);
    atomic_store(&shared, NULL);
    pthread_join(t, NULL);
    free(block);
    free(NULL);
    free(atomic_load(&shared));
    return 0;
}
