//: about Ticket lock released by a relaxed store: PSO lets it overtake what the lock protects
//: check sc holds
//: check tso holds
//: check pso violated
//: robust tso yes
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3

static struct {
    atomic_uint next, serving;
} ticket;

static void lock(void)
{
    unsigned mine = atomic_fetch_add_explicit(&ticket.next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&ticket.serving, memory_order_acquire) != mine)
        ;
}

static void unlock(void)
{
    unsigned mine = atomic_load_explicit(&ticket.serving, memory_order_relaxed);
    atomic_store_explicit(&ticket.serving, mine + 1, memory_order_relaxed);
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

// race: `counter` (line 35 in two threads)
