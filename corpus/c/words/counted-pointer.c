//: about A stack whose head has a counter in its upper 16 bits, against ABA; the node is written before it is published
//: check sc holds
//: check tso holds
//: check pso holds
#include <stdint.h>
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
struct node { struct node *next; int value; };
static struct node nodes[2];
static _Atomic uint64_t head;
#define MASK ((1UL << 48) - 1)
static struct node *node_of(uint64_t word) { return (struct node *)(word & MASK); }
static void push(struct node *n) {
    uint64_t old = atomic_load_explicit(&head, memory_order_relaxed), new_;
    do {
        n->next = node_of(old);
        new_ = (uint64_t)n | ((old >> 48) + 1) << 48;
    } while (!atomic_compare_exchange_weak_explicit(&head, &old, new_, memory_order_release, memory_order_relaxed));
}
static struct node *pop(void) {
    uint64_t old = atomic_load_explicit(&head, memory_order_acquire), new_;
    struct node *n;
    do {
        n = node_of(old);
        if (!n)
            return 0;
        new_ = (uint64_t)n->next | ((old >> 48) + 1) << 48;
    } while (!atomic_compare_exchange_weak_explicit(&head, &old, new_, memory_order_acquire, memory_order_acquire));
    return n;
}
static void *pusher(void *arg) {
    nodes[0].value = 7;
    push(&nodes[0]);
    return 0;
}
static void *popper(void *arg) {
    struct node *n = pop();
    if (n)
        assert(n->value == 7);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pusher, 0);
    pthread_create(&b, 0, popper, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
