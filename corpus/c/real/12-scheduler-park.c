//: about Submit and park in schedulers (Go, tokio, rayon): a task is queued, a worker seems to be spinning, and it parks; a sequentially consistent load is no fence
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int queue;        /* a task is queued */
static atomic_int spinning = 1; /* workers that look for tasks */
static int woken, parked;

static void *submit(void *unused)
{
    atomic_store_explicit(&queue, 1, memory_order_release);
    if (atomic_load(&spinning) == 0)
        woken = 1;
    return NULL;
}

static void *worker(void *unused)
{
    spinning--;
    if (queue == 0)
        parked = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, submit, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!parked || woken);
    return 0;
}
