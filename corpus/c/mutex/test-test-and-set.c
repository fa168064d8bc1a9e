//: about Spinlock that looks before it takes: a compare-exchange, and a sequentially consistent release
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 2

struct lock {
    _Atomic int taken;
};
static struct lock the_lock;

static void acquire(struct lock *l)
{
    int expected;
    do {
        while (l->taken)
            sched_yield();
        expected = 0;
    } while (!atomic_compare_exchange_weak(&l->taken, &expected, 1));
}

static void lock(void)
{
    acquire(&the_lock);
}

static void unlock(void)
{
    the_lock.taken = 0;
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
