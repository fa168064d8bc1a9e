//: about threads.h: a condition variable, a thread-local variable, the result of a thread
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>
atomic_int x;
thread_local int mine;
mtx_t m;
cnd_t cv;
int body(void *u) { mine++; mtx_lock(&m); x += mine; cnd_signal(&cv); mtx_unlock(&m); return mine + 1; }
int main(void) {
    thrd_t a; int r;
    mtx_init(&m, mtx_plain);
    thrd_create(&a, body, 0);
    mtx_lock(&m);
    while (!x) cnd_wait(&cv, &m);
    mtx_unlock(&m);
    thrd_join(a, &r);
    assert(r == 2 && mine == 0 && x == 1);
    return 0;
}
