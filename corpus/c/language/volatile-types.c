//: about Volatile variables of several types
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
volatile bool go; volatile unsigned char c = 250; volatile long long w;
void *t(void *u) { while (!go); c += 10; w = (w + 3) * 2; return 0; }
int main(void) { pthread_t a; pthread_create(&a,0,t,0); go = 5; pthread_join(a,0); assert(c == 4 && w == 6 && go == 1); }
