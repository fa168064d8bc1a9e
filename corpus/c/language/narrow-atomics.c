//: about Atomic objects of all sizes wrap as their types do
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
_Atomic uint8_t b = 255; _Atomic uint64_t w = 1; _Atomic int16_t h = 32767; atomic_uint q;
void *t(void *u) { b++; h += 1; atomic_fetch_sub(&q, 1); w <<= 3; w |= 1; return 0; }
int main(void) { pthread_t a; pthread_create(&a,0,t,0); pthread_join(a,0); assert(b == 0); assert(h == -32768); assert(q == 0xffffffffu); assert(q > 5); assert(w == 9); uint8_t o = atomic_fetch_sub(&b, 1); assert(o == 0 && b == 255); uint8_t old=atomic_fetch_add(&b,1); assert(old==255&&b==0);}
