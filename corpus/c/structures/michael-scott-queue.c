//: about Queue of Michael and Scott: two producers, and all that they enqueued comes out
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
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static struct node *new_node(int value)
{
    struct node *node = malloc(sizeof(*node));
    node->value = value;
    atomic_init(&node->next, NULL);
    return node;
}

static void enqueue(int value)
{
    struct node *node = new_node(value);
    for (;;) {
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&last->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

static int dequeue(void)
{
    for (;;) {
        struct node *first = atomic_load(&head);
        struct node *next = atomic_load(&first->next);
        if (!next)
            return -1;
        int value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next))
            return value;
    }
}

static void *producer(void *value)
{
    enqueue((long)value);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    struct node *dummy = new_node(0);
    head = dummy;
    tail = dummy;
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, producer, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    int first = dequeue(), second = dequeue();
    assert(first + second == 3 && first != second);
    assert(dequeue() == -1);
    return 0;
}
