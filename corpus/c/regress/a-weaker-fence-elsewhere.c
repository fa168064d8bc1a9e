//: about A function with a release fence is called where a full fence is needed, and where it is not: the fence goes beside it
//: check sc holds
//: check tso violated
//: fence tso assertions 1
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
atomic_int x, y; int r0, r1;
static void rel(void) { atomic_thread_fence(memory_order_release); }
static void *t0(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    rel();
    r0 = atomic_load_explicit(&y, memory_order_relaxed);
    rel();
    return 0;
}
static void *t1(void *arg) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}
int main(void) { pthread_t a, b; pthread_create(&a, 0, t0, 0); pthread_create(&b, 0, t1, 0); pthread_join(a, 0); pthread_join(b, 0); assert(r0 || r1); return 0; }
