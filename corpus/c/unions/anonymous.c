//: about Members of an anonymous union are members of the structure around it; two pointers share a cell
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int key;
    union {
        struct node *next;
        void *link;
    };
};

static _Atomic(struct node *) top;

static void *push(void *argument)
{
    struct node *new = malloc(sizeof *new);
    new->key = (int)(intptr_t)argument;
    new->link = 0;
    struct node *old = atomic_load(&top);
    do
        new->next = old;
    while (!atomic_compare_exchange_weak(&top, &old, new));
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, push, (void *)1);
    pthread_create(&b, NULL, push, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct node *first = atomic_load(&top);
    assert(first->key + first->next->key == 3 && first->next->link == 0);
    return 0;
}
