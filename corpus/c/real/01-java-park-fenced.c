//: about Java LockSupport.park (JDK-6822370): the reset of the permit, still buffered, overwrites the permit of a waker; the owner sleeps, nobody signals; fenced at P1
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int cond;         /* what the owner waits for */
static atomic_int permit = 1;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static bool asleep, signalled;

static void acquire(void)
{
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        ;
}

static void release(void)
{
    atomic_flag_clear_explicit(&lock, memory_order_release);
}

static void *owner(void *unused)
{
    bool done = false;
    if (atomic_load_explicit(&permit, memory_order_relaxed) > 0) {
        atomic_store_explicit(&permit, 0, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst);
        done = atomic_load_explicit(&cond, memory_order_relaxed);
    }
    if (!done) {
        acquire();
        if (atomic_load_explicit(&permit, memory_order_relaxed) == 0)
            asleep = true;
        release();
    }
    return NULL;
}

static void *waker(void *unused)
{
    atomic_store_explicit(&cond, 1, memory_order_relaxed);
    acquire();
    int before = atomic_load_explicit(&permit, memory_order_relaxed);
    atomic_store_explicit(&permit, 1, memory_order_relaxed);
    release();
    if (before < 1)
        signalled = true;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, waker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!asleep || signalled);
    return 0;
}
