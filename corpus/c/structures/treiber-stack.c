//: about Treiber stack: nothing is lost, nothing is popped twice
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
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, memory_order_release,
                                                  memory_order_relaxed))
        ;
}

static int pop(void)
{
    struct node *node = atomic_load_explicit(&top, memory_order_acquire);
    while (node && !atomic_compare_exchange_weak(&top, &node, node->next))
        ;
    return node ? node->value : 0;
}

static void *pusher(void *value)
{
    push((long)value);
    return NULL;
}

static void *popper(void *unused)
{
    int value = pop();
    assert(value == 0 || value == 1 || value == 2);
    return (void *)(long)value;
}

int main(void)
{
    pthread_t a, b;
    void *popped;
    push(1);
    pthread_create(&a, NULL, pusher, (void *)2);
    pthread_create(&b, NULL, popper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, &popped);
    assert(popped);
    int rest = pop();
    assert((long)popped + rest == 3);
    assert(pop() == 0);
    return 0;
}
