//: about Looking at a clock is not a fence
//: check sc holds
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <time.h>

static volatile int x, y;
static int a, b;
static struct timespec now;

static void *first(void *unused)
{
    x = 1;
    clock_gettime(CLOCK_MONOTONIC, &now);
    a = y;
    return NULL;
}

static void *second(void *unused)
{
    y = 1;
    __sync_synchronize();
    b = x;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(a == 1 || b == 1);
    return 0;
}
