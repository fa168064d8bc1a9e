//: about A block is written before it is published, in a loop: another thread may have freed it by then
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
    for (int i = 0; i < rounds; i++) {
        *block = i;
        if (i == 0)
            atomic_store(&shared, block);
    }
    pthread_join(t, NULL);
    return 0;
}
