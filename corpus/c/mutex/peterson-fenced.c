//: about Peterson with a fence after the stores: enough on TSO; on PSO the turn may become visible before the flag
//: check sc holds
//: check tso holds
//: check pso violated
//: robust tso yes
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int flag[2], turn, inside;

static void *thread(void *arg)
{
    int me = (intptr_t)arg, other = 1 - me;
    atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
    atomic_store_explicit(&turn, other, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load(&flag[other]) && atomic_load(&turn) == other)
        ;
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store_explicit(&flag[me], 0, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}
