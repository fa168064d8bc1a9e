//: about What is computed from any value is stored in memory that begins without one
//: check sc holds
//: check tso holds
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { int *g = malloc(4); int a = __VERIFIER_nondet_int(); *g = a ^ 1; assert(*g == (a ^ 1)); return 0; }
