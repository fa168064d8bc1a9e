//: about An attempt to take a spin lock that is held is a locked instruction all the same: it drains
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static pthread_spinlock_t lock;
static atomic_int stored[2];
static int seen[2];

static void *thread(void *arg)
{
    int me = (intptr_t)arg;
    atomic_store_explicit(&stored[me], 1, memory_order_relaxed);
    if (pthread_spin_trylock(&lock) == 0)
        pthread_spin_unlock(&lock);
    seen[me] = atomic_load_explicit(&stored[1 - me], memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(seen[0] || seen[1]);
    return 0;
}
