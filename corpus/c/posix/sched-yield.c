//: about sched_yield is no fence
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int r0, r1;

static void *left(void *unused)
{
    x = 1;
    sched_yield();
    r0 = y;
    return NULL;
}

static void *right(void *unused)
{
    y = 1;
    __sync_synchronize();
    r1 = x;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(r0 == 1 || r1 == 1);
    return 0;
}
