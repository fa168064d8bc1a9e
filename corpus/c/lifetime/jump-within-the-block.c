//: about A jump forward stays in the block, whose variable lives on
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *volatile known;
static volatile int one = 1;

static void *thread(void *unused)
{
    {
        int local = 1;
        known = &local;
        if (one)
            goto later;
        *known = 2;
    later:
        assert(*known == 1);
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
