//: error "`main` ends by `pthread_exit`, so which thread calls the handlers of `atexit` is not known"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int count;

static void handler(void)
{
    assert(count != 3);
}

static void *worker(void *unused)
{
    count = 3;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_exit(NULL);
}
