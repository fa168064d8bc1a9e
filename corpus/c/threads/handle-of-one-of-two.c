//: about A handle stands for the thread that was created, which only the execution shows
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
int c, x;
pthread_t h;
void *f(void *u) { x = 1; return 0; }
void *g(void *u) { x = 2; return 0; }
void *n(void *u) { c = 1; return 0; }
int main(void) {
    pthread_t k;
    pthread_create(&k, 0, n, 0);
    if (c) pthread_create(&h, 0, f, 0); else pthread_create(&h, 0, g, 0);
    pthread_join(h, 0);
    assert(x == 2);
}
// race: `c` (lines 10 and 14)
