//: about What a trylock protects
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <errno.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int c;
void *t(void *u) { if (pthread_mutex_trylock(&m) == EBUSY) return 0; int v = c; c = v + 1; assert(c == v + 1); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t a,b; pthread_create(&a,0,t,0); pthread_create(&b,0,t,0); pthread_join(a,0); pthread_join(b,0); assert(c == 1 || c == 2); }
