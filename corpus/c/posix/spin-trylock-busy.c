//: about An attempt to take a spin lock of the kernel that is held is only a load; POSIX's is a locked instruction
//: check sc holds
//: check tso violated
//: check pso violated

#include <assert.h>
#include <linux/spinlock.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static DEFINE_SPINLOCK(lock);
static atomic_int stored[2];
static int seen[2];

static void *thread(void *arg)
{
    int me = (intptr_t)arg;
    atomic_store_explicit(&stored[me], 1, memory_order_relaxed);
    if (spin_trylock(&lock))
        spin_unlock(&lock);
    seen[me] = atomic_load_explicit(&stored[1 - me], memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    spin_lock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(seen[0] || seen[1]);
    return 0;
}
