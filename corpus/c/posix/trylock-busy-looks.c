//: about An attempt to take a mutex that is held looks at it, and drains nothing (glibc 2.36)
//: check sc holds
//: check tso violated
//: check pso violated

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stored[2];
static int seen[2];

static void *thread(void *arg)
{
    int me = (intptr_t)arg;
    atomic_store_explicit(&stored[me], 1, memory_order_relaxed);
    if (pthread_mutex_trylock(&lock) == 0)
        pthread_mutex_unlock(&lock);
    seen[me] = atomic_load_explicit(&stored[1 - me], memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(seen[0] || seen[1]);
    return 0;
}
