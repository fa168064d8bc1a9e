//: about One pointer at file scope changes, the other does not
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
int a = 1, b = 2; int *p; int *q = &a;
void *t(void *u) { p = &b; return 0; }
int main(void) { pthread_t h; p = &a; pthread_create(&h,0,t,0); assert(*q == 1); assert(*p == 1 || *p == 2); pthread_join(h,0); assert(*p == 2); }

// race: `p` (lines 8 and 9)
