//: about A jump back in a block, over a declaration: the variables live before and after
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *volatile known;
static volatile int rounds = 2;

static void touch(void)
{
    if (known)
        *known = 3;
}

static void *thread(void *unused)
{
    int i = 0;
again:
    touch();
    int local = 1;
    known = &local;
    touch();
    assert(local == 3);
    if (++i < rounds)
        goto again;
    {
        int j = 0;
    once_more:
        touch();
        int inner = 1;
        known = &inner;
        touch();
        assert(inner == 3);
        if (++j < rounds)
            goto once_more;
        known = NULL;
    }
    touch();
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
