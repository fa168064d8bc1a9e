//: about Robust with up to four threads and not with five, as gate5.fence
//: any number
//: robust tso no

#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

static atomic_int c, x, y;

static void *worker(void *unused)
{
    int r;
    __VERIFIER_atomic_begin();
    int order = atomic_load(&c);
    __VERIFIER_assume(order < 6);
    atomic_store_explicit(&c, order + 1, memory_order_relaxed);
    __VERIFIER_atomic_end();
    if (order == 4) {
        atomic_store_explicit(&x, 1, memory_order_relaxed);
        r = atomic_load(&y);
    } else if (order == 3) {
        atomic_store_explicit(&y, 1, memory_order_relaxed);
        r = atomic_load(&x);
    }
    return NULL;
}

int main(void)
{
    for (int i = 0; i < 5; i++) {
        pthread_t t;
        pthread_create(&t, NULL, worker, NULL);
    }
    return 0;
}
