//: about The end of the process calls handlers, the last one first, in the thread that ends it
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;
static int order;

static void last(void)
{
    assert(order == 2);
}

static void second(void)
{
    assert(order == 1);
    order = 2;
}

static void never(void)
{
    assert(0);
}

static void *thread(void *unused)
{
    x = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;

    atexit(last);
    pthread_create(&t, NULL, thread, NULL);
    if (x == 2)
        atexit(never);
    atexit(second);
    order = 1;
    if (x == 1)
        exit(0);
    pthread_join(t, NULL);
    return 0;
}
