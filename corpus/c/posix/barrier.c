//: about Barrier, used twice: both have written before either reads, and one of them is the last to come
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_barrier_t barrier;
static int x[2], serial;

static void *thread(void *arg)
{
    int me = (intptr_t)arg;
    x[me] = 1;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        serial++;
    assert(x[1 - me] == 1);
    pthread_barrier_wait(&barrier);
    assert(serial == 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
