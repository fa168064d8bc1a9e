//: about A choice that an assumption bounds is made among the values that pass
//: check sc holds
//: check tso holds
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int c[3];
pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
void inc(int *p) { pthread_mutex_lock(&l); (*p)++; pthread_mutex_unlock(&l); }
void *r(void *a) { for (int i = 0; i < 3; i++) inc(&c[i]); return 0; }
int main(void) {
  pthread_t t;
  int i = __VERIFIER_nondet_int();
  if (!(0 <= i && i < 3)) abort();
  pthread_create(&t, 0, r, 0);
  inc(&c[i]);
  pthread_join(t, 0);
  assert(c[i] == 2);
  return 0;
}
