//: about A sequentially consistent store is the first access of allocated memory: it reads nothing
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head;

static struct node *node(int value)
{
    struct node *made = malloc(sizeof *made);
    made->value = value;
    atomic_store(&made->next, NULL);
    return made;
}

static void *push(void *unused)
{
    struct node *made = node(1);
    struct node *first = NULL;
    if (!atomic_compare_exchange_strong(&head, &first, made))
        atomic_store(&first->next, made);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, push, NULL);
    pthread_create(&b, NULL, push, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct node *second = atomic_load(&atomic_load(&head)->next);
    assert(second && second->value == 1 && !atomic_load(&second->next));
    return 0;
}
