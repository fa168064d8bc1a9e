//: about Arithmetic on an atomic pointer goes by elements
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int a[3] = {1,2,3};
_Atomic(int *) p = a;
void *t(void *u) { p += 1; p++; return 0; }
int main(void) { pthread_t h; pthread_create(&h,0,t,0); pthread_join(h,0); assert(*p == 3); }
