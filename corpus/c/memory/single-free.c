//: about Two threads take a block by an exchange: only one of them gets and frees it
//: check sc holds
//: check tso holds
//: check pso holds
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *taker(void *unused)
{
    int *p = atomic_exchange(&shared, NULL);
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
