//: about A reader announces its epoch, UINT64_MAX if it is none: the fence makes the announcement visible before anything is used
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define INACTIVE UINT64_MAX

static _Atomic uint64_t announced = INACTIVE, epoch = 1;
static atomic_int linked = 1, freed;

static void *reader(void *unused)
{
    uint64_t now = atomic_load_explicit(&epoch, memory_order_acquire);
    atomic_store_explicit(&announced, now, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&linked, memory_order_acquire))
        assert(!atomic_load_explicit(&freed, memory_order_relaxed));
    atomic_store_explicit(&announced, INACTIVE, memory_order_release);
    return NULL;
}

static void *updater(void *unused)
{
    atomic_store_explicit(&linked, 0, memory_order_relaxed);
    uint64_t retired = atomic_fetch_add(&epoch, 1);
    if (atomic_load_explicit(&announced, memory_order_acquire) > retired)
        atomic_store_explicit(&freed, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, updater, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
