//: about Chase-Lev deque of `size_t` indices: `bottom - 1` of an empty deque is SIZE_MAX, and the difference decides. Without a fence in `take`, an item is had twice
//: check sc holds
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define SIZE 2
#define EMPTY -1

static _Atomic size_t top, bottom;
static atomic_int items[SIZE];
static int taken, stolen[2];

static void push(int item)
{
    size_t b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&items[b % SIZE], item, memory_order_relaxed);
    atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

static int take(void)
{
    size_t b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    size_t t = atomic_load_explicit(&top, memory_order_relaxed);
    int item = EMPTY;
    if ((ptrdiff_t)(b - t) >= 0) {
        item = atomic_load_explicit(&items[b % SIZE], memory_order_relaxed);
        if (t != b)
            return item;
        if (!atomic_compare_exchange_strong(&top, &t, t + 1))
            item = EMPTY;
    }
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return item;
}

static int steal(void)
{
    size_t t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    size_t b = atomic_load_explicit(&bottom, memory_order_acquire);
    if ((ptrdiff_t)(b - t) <= 0)
        return EMPTY;
    int item = atomic_load_explicit(&items[t % SIZE], memory_order_relaxed);
    if (!atomic_compare_exchange_strong(&top, &t, t + 1))
        return EMPTY;
    return item;
}

static void *owner(void *unused)
{
    assert(take() == EMPTY);
    push(1);
    push(2);
    taken = take();
    return NULL;
}

static void *thief(void *unused)
{
    stolen[0] = steal();
    stolen[1] = steal();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(taken == EMPTY || taken == 1 || taken == 2);
    assert(taken == EMPTY || taken != stolen[0] && taken != stolen[1]);
    return 0;
}
