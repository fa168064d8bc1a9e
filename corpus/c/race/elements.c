//: about Each thread has an element of its own; one of them stores to another one's as well
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int own[2], shared[2];

static void *thread(void *arg)
{
    int me = (intptr_t)arg;
    own[me] = 1;
    if (me == 1)
        shared[0] = 1;
    shared[me] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(own[0] == 1 && own[1] == 1 && shared[0] == 1);
    return 0;
}

// race: `shared` (lines 17 and 18)
