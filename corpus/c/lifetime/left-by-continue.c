//: about An iteration ends with `continue`, and the next one writes to its variable
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *volatile known;
static volatile int rounds = 2;

static void *thread(void *unused)
{
    for (int i = 0; i < rounds; i++) {
        if (known)
            *known = 1;
        int local;
        known = &local;
        if (rounds)
            continue;
        known = NULL;
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
