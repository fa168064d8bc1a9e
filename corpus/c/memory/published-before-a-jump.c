//: about A block is written before it is published, and a jump leads back: another thread may have freed it by then
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;
static volatile int rounds = 2;

static void *taker(void *unused)
{
    free(atomic_exchange(&shared, NULL));
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, taker, NULL);
    int *block = malloc(sizeof(int));
    int i = 0;
again:
    *block = i;
    if (i == 0)
        atomic_store(&shared, block);
    if (++i < rounds)
        goto again;
    pthread_join(t, NULL);
    return 0;
}
