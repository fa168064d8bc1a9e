//: about main returns at once: assertions of threads count all the same
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
int x;
void *t(void *u) { x = 1; assert(x == 0); return 0; }
int main(void) { pthread_t a; pthread_create(&a,0,t,0); return 0; }
