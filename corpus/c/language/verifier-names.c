//: about Names of verification competitions: any value, assumptions, atomic sections
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
extern void abort(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
void reach_error() { assert(0); }
void __VERIFIER_assert(int c) { if (!c) { ERROR: reach_error(); abort(); } }
void assume_abort_if_not(int c) { if (!c) abort(); }
int x;
void *t(void *u) { int v = __VERIFIER_nondet_int(); assume_abort_if_not(v > 0 && v < 5); __VERIFIER_atomic_begin(); x = x + v; __VERIFIER_atomic_end(); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a,0,t,0); pthread_create(&b,0,t,0); pthread_join(a,0); pthread_join(b,0); __VERIFIER_assert(x >= 2 && x <= 8); }
