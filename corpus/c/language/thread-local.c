//: about Each thread has its own thread-local variables
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Thread_local int n = 4; static __thread int k;
atomic_int x;
void *t(void *u) { n++; k = n; assert(n == 5 && k == 5); int *p = &k; *p += 1; assert(k == 6); atomic_store(&x, k); return 0; }
int main(void) { pthread_t a,b; pthread_create(&a,0,t,0); pthread_create(&b,0,t,0); n = 1; pthread_join(a,0); pthread_join(b,0); assert(n == 1 && x == 6); }
