//: about Linux futex: the sleeper counts itself by a locked instruction, so only the waker needs a fence; fenced at W
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cond;
static atomic_int waiters;

static void *waker(void *unused)
{
    atomic_store_explicit(&cond, 1, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    int woken = atomic_load_explicit(&waiters, memory_order_relaxed) != 0;
    return (void *)(long)woken;
}

static void *sleeper(void *unused)
{
    atomic_fetch_add(&waiters, 1);
    int asleep = atomic_load_explicit(&cond, memory_order_acquire) == 0;
    return (void *)(long)asleep;
}

int main(void)
{
    pthread_t a, b;
    void *woken, *asleep;
    pthread_create(&a, NULL, waker, NULL);
    pthread_create(&b, NULL, sleeper, NULL);
    pthread_join(a, &woken);
    pthread_join(b, &asleep);
    assert(!(asleep != NULL && woken == NULL));
    return 0;
}
