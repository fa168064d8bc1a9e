//: about A static variable of a function is shared by all threads
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int next(void) { static atomic_int n; return ++n; }
void *t(void *u) { int a = next(); int b = next(); assert(a < b); return 0; }
int main(void) { pthread_t a,b; pthread_create(&a,0,t,0); pthread_create(&b,0,t,0); pthread_join(a,0); pthread_join(b,0); assert(next() == 5); }
