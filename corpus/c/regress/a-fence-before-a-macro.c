//: about A macro that stores and loads: a fence before it does not help, one in its definition does, in both threads
//: check sc holds
//: check tso violated
//: fence tso assertions 2
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int a, b;

#define STORE_AND_LOAD(p, q, r) \
    do {                        \
        *(p) = 1;               \
        (r) = *(q);             \
    } while (0)

static void *t0(void *unused)
{
    STORE_AND_LOAD(&x, &y, a);
    return 0;
}

static void *t1(void *unused)
{
    STORE_AND_LOAD(&y, &x, b);
    return 0;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, t0, 0);
    pthread_create(&q, 0, t1, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(a || b);
    return 0;
}
