//: about A lock made of tickets, for three threads
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next, serving;
static int value;

static void *thread(void *unused)
{
    int ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_acquire) != ticket)
        ;
    value++;
    atomic_store_explicit(&serving, ticket + 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, thread, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(value == 3);
    return 0;
}
