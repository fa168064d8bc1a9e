//: about A lock that looks and then takes is none, on any machine
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 2

static atomic_int taken;

static void lock(void)
{
    while (taken)
        ;
    taken = 1;
}

static void unlock(void)
{
    taken = 0;
}

static int counter;

static void *thread(void *unused)
{
    lock();
    counter++;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, thread, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(counter == N);
    return 0;
}

// race: `counter` (line 30 in two threads)
