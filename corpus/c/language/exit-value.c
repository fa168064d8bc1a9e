//: about pthread_exit and return hand over different results
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
int x;
void *t(void *u) { if (x) pthread_exit((void*)1); return (void*)(intptr_t)2; }
int main(void) {
    pthread_t a; void *r;
    pthread_create(&a, 0, t, 0);
    x = 1;
    pthread_join(a, &r);
    intptr_t v = (intptr_t)r;
    assert(v == 1 || v == 2);
    assert((long)r == 2);
}

// race: `x` (lines 9 and 13)
