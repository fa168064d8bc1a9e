//: about A spin lock, taken by as many threads as the environment chooses
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

static atomic_int lock;
static int inside;

static void *worker(void *unused)
{
    while (atomic_exchange(&lock, 1))
        ;
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    atomic_store_explicit(&lock, 0, memory_order_release);
    return NULL;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 1;
    for (int i = 0; i < n; i++) {
        pthread_t t;
        pthread_create(&t, NULL, worker, NULL);
    }
    return 0;
}
