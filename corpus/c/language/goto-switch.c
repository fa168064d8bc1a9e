//: about Jumps back, and cases that fall through
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x; 
void *t(void *u) {
  int tries = 0;
again:
  switch (atomic_load(&x)) {
  case 0: { int z = 0; if (atomic_compare_exchange_strong(&x, &z, 1)) break; goto again; }
  case 1: { int o = 1; if (!atomic_compare_exchange_strong(&x, &o, 2)) goto again; }
  /* fall through */
  case 2: tries = 7; break;
  default: assert(0);
  }
  return 0; }
int main(void) { pthread_t a, b; pthread_create(&a,0,t,0); pthread_create(&b,0,t,0); pthread_join(a,0); pthread_join(b,0); assert(x == 2); }
