//: about A signal that no thread waits for looks at a count and drains nothing
//: check sc holds
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>

static volatile int ready, parked;
static int a, b;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *producer(void *unused)
{
    ready = 1;
    pthread_cond_signal(&c);
    a = parked;
    return NULL;
}

static void *parker(void *unused)
{
    parked = 1;
    __sync_synchronize();
    b = ready;
    return NULL;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&q, NULL, parker, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(a || b);
    return 0;
}
