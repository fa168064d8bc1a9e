//: about Treiber stack: three threads, a push and a pop each
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) top;
static int got[3];

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    atomic_store_explicit(&node->value, value, memory_order_relaxed);
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do
        atomic_store_explicit(&node->next, old, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &old, node, memory_order_release,
                                                  memory_order_relaxed));
}

static int pop(void)
{
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
    while (old) {
        struct node *next = atomic_load_explicit(&old->next, memory_order_relaxed);
        if (atomic_compare_exchange_weak_explicit(&top, &old, next, memory_order_acquire,
                                                  memory_order_acquire))
            return atomic_load_explicit(&old->value, memory_order_relaxed);
    }
    return 0;
}

static void *worker(void *arg)
{
    long me = (long)arg;
    push((int)me + 1);
    got[me] = pop();
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(got[0] + got[1] + got[2] == 6);
    return 0;
}
