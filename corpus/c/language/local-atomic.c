//: about Operations on an atomic local variable yield the value before
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int g;
int s;
void *t(void *u) { atomic_store(&g, 3); return 0; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    _Atomic int l = 0;
    int e;
    l = g;
    int old = atomic_exchange(&l, g);
    assert(old == 0 || old == 3);
    assert(!(old == 3 && l == 0));
    assert(!(old == 0 && l == 3));  /* violated */
    pthread_join(a, 0);
}
