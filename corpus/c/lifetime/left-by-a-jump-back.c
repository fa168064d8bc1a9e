//: about A block is left by a jump back, and its variable is read before the block
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *volatile known;
static volatile int rounds = 2;
static int sink;

static void *thread(void *unused)
{
    int i = 0;
again:
    if (i)
        sink = *known;
    {
        int local = 1;
        known = &local;
        if (++i < rounds)
            goto again;
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
