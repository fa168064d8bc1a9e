//: about A jump back enters a block again, and its variable has no value
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
again: {
    int local;
    known = &local;
    if (i == 0)
        *known = 1;
    sink = local;
}
    if (++i < rounds)
        goto again;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
