//: about Threads that create threads
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int n;
void *leaf(void *u) { n++; return 0; }
void *mid(void *u) { pthread_t a, b; pthread_create(&a,0,leaf,0); pthread_create(&b,0,leaf,0); pthread_join(a,0); pthread_join(b,0); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a,0,mid,0); pthread_create(&b,0,mid,0); pthread_join(a,0); pthread_join(b,0); assert(n == 4); }
