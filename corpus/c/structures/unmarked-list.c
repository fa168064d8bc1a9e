//: about The same list without the mark: a node is inserted after one that is being removed, and is lost
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    int key;
};

static struct node tail = { NULL, 9 };
static struct node first = { &tail, 1 };
static struct node head = { &first, 0 };
static struct node second = { NULL, 2 };
static bool removed, inserted;

static struct node *marked(struct node *p)
{
    return (struct node *)((uintptr_t)p | 1);
}

static bool is_marked(struct node *p)
{
    return (uintptr_t)p & 1;
}

static struct node *pointer(struct node *p)
{
    return (struct node *)((uintptr_t)p & ~(uintptr_t)1);
}

static void *insert(void *unused)
{
    struct node *after = &first, *next = atomic_load(&after->next);

    if (!is_marked(next)) {
        atomic_store_explicit(&second.next, next, memory_order_relaxed);
        inserted = atomic_compare_exchange_strong(&after->next, &next, &second);
    }
    return NULL;
}

static void *delete(void *unused)
{
    struct node *next = atomic_load(&first.next);

    while (!is_marked(next)) {
        if (atomic_compare_exchange_strong(&first.next, &next, next)) {
            struct node *expected = &first;
            atomic_compare_exchange_strong(&head.next, &expected, next);
            removed = true;
            break;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, insert, NULL);
    pthread_create(&b, NULL, delete, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(removed);
    bool found = false;
    for (struct node *n = pointer(head.next); n; n = pointer(n->next)) {
        assert(n != &first);
        found |= n == &second;
    }
    assert(found == inserted);
    return 0;
}
