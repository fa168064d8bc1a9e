//: about A barrier for one thread is passed by a load (musl)
//: check sc holds
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int a, b;
static pthread_barrier_t alone;

static void *first(void *unused)
{
    x = 1;
    pthread_barrier_wait(&alone);
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
    pthread_t p, q;
    pthread_barrier_init(&alone, NULL, 1);
    pthread_create(&p, NULL, first, NULL);
    pthread_create(&q, NULL, second, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(a || b);
    return 0;
}
