//: about The lines of a macro end with a backslash, and so does the one with the fence
//: check sc holds
//: check tso violated
//: fence tso assertions 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ANNOUNCE(own, other, seen)                              \
    do {                                                        \
        atomic_store_explicit(own, 1, memory_order_relaxed);    \
        seen = atomic_load_explicit(other, memory_order_relaxed); \
    } while (0)

static atomic_int here, there;
static int a, b;

static void *left(void *unused)
{
    ANNOUNCE(&here, &there, a);
    return 0;
}

static void *right(void *unused)
{
    ANNOUNCE(&there, &here, b);
    return 0;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, left, 0);
    pthread_create(&q, 0, right, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(a || b);
    return 0;
}
