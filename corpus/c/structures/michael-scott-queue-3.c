//: about Michael-Scott queue: three threads, an insertion and a removal each
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

static _Atomic(struct node *) head, tail;
static int got[3];

static struct node *fresh(int value)
{
    struct node *node = malloc(sizeof *node);
    atomic_store_explicit(&node->value, value, memory_order_relaxed);
    atomic_store(&node->next, NULL);
    return node;
}

static void enqueue(int value)
{
    struct node *node = fresh(value);
    for (;;) {
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&last->next);
        if (last != atomic_load(&tail))
            continue;
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

static int dequeue(void)
{
    for (;;) {
        struct node *first = atomic_load(&head);
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (first != atomic_load(&head))
            continue;
        if (!next)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else {
            int value = atomic_load_explicit(&next->value, memory_order_relaxed);
            if (atomic_compare_exchange_strong(&head, &first, next))
                return value;
        }
    }
}

static void *worker(void *arg)
{
    long me = (long)arg;
    enqueue((int)me + 1);
    got[me] = dequeue();
    assert(got[me] != 0);
    return NULL;
}

int main(void)
{
    struct node *dummy = fresh(0);
    atomic_store(&head, dummy);
    atomic_store(&tail, dummy);
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(got[0] + got[1] + got[2] == 6);
    return 0;
}
