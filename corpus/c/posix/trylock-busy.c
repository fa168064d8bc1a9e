//: about A lock that is taken yields EBUSY to those who only try
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <errno.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int c;
void *t(void *u) { int r = pthread_mutex_trylock(&m); assert(r == 0 || r == EBUSY); return 0; }
int main(void) { pthread_t a,b; pthread_create(&a,0,t,0); pthread_create(&b,0,t,0); pthread_join(a,0); pthread_join(b,0); }
