//: about illumos adaptive mutex: a contender blocks because the owner seems to be off its processor, and the owner sees no waiter
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define OWNED 2
#define WAITERS 1

static atomic_int cpu;          /* 1: the owner runs */
static atomic_int lock = OWNED;
static int woken, blocked;

static void *owner(void *unused)
{
    atomic_store_explicit(&cpu, 1, memory_order_relaxed);
    if (atomic_load_explicit(&lock, memory_order_relaxed) & WAITERS)
        woken = 1;
    atomic_store_explicit(&lock, 0, memory_order_relaxed);
    return NULL;
}

static void *contender(void *unused)
{
    atomic_fetch_or(&lock, WAITERS);
    if (!atomic_load_explicit(&cpu, memory_order_relaxed)
        && atomic_load_explicit(&lock, memory_order_relaxed) == (OWNED | WAITERS))
        blocked = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, contender, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!blocked || woken);
    return 0;
}
