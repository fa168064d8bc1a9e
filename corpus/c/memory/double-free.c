//: about Two threads take the same block from a stack of one without a read-modify-write, and free it
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *taker(void *unused)
{
    int *p = atomic_load(&shared);
    atomic_store(&shared, NULL);
    free(p);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int *block = malloc(sizeof(int));
    atomic_store(&shared, block);
    pthread_create(&a, NULL, taker, NULL);
    pthread_create(&b, NULL, taker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
