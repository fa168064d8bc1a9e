//: about Hazard pointers, the node unlinked by a plain store: the reclaimer needs a fence too
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int freed;
};

static _Atomic(struct node *) shared;   /* the node in use */
static _Atomic(struct node *) hazard;   /* the node that the reader protects */

static void *reader(void *unused)
{
    struct node *p = atomic_load_explicit(&shared, memory_order_acquire);
    atomic_store_explicit(&hazard, p, memory_order_relaxed);
    if (atomic_load_explicit(&shared, memory_order_acquire) == p)
        assert(!atomic_load_explicit(&p->freed, memory_order_relaxed));
    return NULL;
}

static void *reclaimer(void *fresh)
{
    struct node *old = atomic_load_explicit(&shared, memory_order_relaxed);
    atomic_store_explicit(&shared, fresh, memory_order_release);
    if (atomic_load_explicit(&hazard, memory_order_acquire) != old)
        atomic_store_explicit(&old->freed, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    atomic_init(&first->freed, 0);
    atomic_init(&second->freed, 0);
    atomic_init(&shared, first);
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reclaimer, second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
