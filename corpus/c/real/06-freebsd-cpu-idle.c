//: about FreeBSD cpu_idle and tdq_notify: the processor halts with a thread to run and nobody interrupts it; the lock before the store does not help
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int idle;
static atomic_int load;         /* threads to run */
static pthread_spinlock_t lock;
static int halted, interrupted;

static void *cpu(void *unused)
{
    atomic_store_explicit(&idle, 1, memory_order_relaxed);
    if (atomic_load_explicit(&load, memory_order_relaxed) == 0)
        halted = 1;
    return NULL;
}

static void *notifier(void *unused)
{
    pthread_spin_lock(&lock);
    atomic_store_explicit(&load, 1, memory_order_relaxed);
    if (atomic_load_explicit(&idle, memory_order_relaxed))
        interrupted = 1;
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, cpu, NULL);
    pthread_create(&b, NULL, notifier, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!(halted && !interrupted));
    return 0;
}
