//: about A handler runs while other threads do; what ends the process at once calls none
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int done;

static void check(void)
{
    assert(done);
}

static void *thread(void *unused)
{
    done = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;

    atexit(check);
    pthread_create(&t, NULL, thread, NULL);
    if (done)
        _exit(1);
    return 0;
}
