//: about A block is left by a jump forward, with its variable's address in memory
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *volatile known;
static volatile int one = 1;
static int sink;

static void *thread(void *unused)
{
    {
        int local = 1;
        known = &local;
        if (one)
            goto out;
        *known = 2;
    }
    return NULL;
out:
    sink = *known;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
