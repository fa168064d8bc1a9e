//: about PostgreSQL latch: a reset or a flag, still buffered, is missed by the other side; the waiter sleeps, the setter does not signal
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct latch {
    atomic_bool is_set;
};

static struct latch latch = { true };
static atomic_bool flag;        /* the work that the latch announces */
static bool asleep, signalled;

static void *waiter(void *unused)
{
    for (;;) {
        atomic_store_explicit(&latch.is_set, false, memory_order_relaxed);
        if (atomic_load_explicit(&flag, memory_order_relaxed))
            break;
        if (!atomic_load_explicit(&latch.is_set, memory_order_relaxed)) {
            asleep = true;
            break;
        }
    }
    return NULL;
}

static void *setter(void *unused)
{
    struct latch *l = &latch;
    atomic_store_explicit(&flag, true, memory_order_relaxed);
    if (atomic_load_explicit(&l->is_set, memory_order_relaxed))
        return NULL;
    atomic_store_explicit(&l->is_set, true, memory_order_relaxed);
    signalled = true;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!(asleep && !signalled));
    return 0;
}
