//: about Arrays whose lengths only the execution shows: one element too many
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
static int n = 2;
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *a) { 
  pthread_mutex_lock(&m); int k = x + 1; pthread_mutex_unlock(&m);
  int own[k];
  for (int i = 0; i < k; i++) own[i] = i;
  own[k] = 1;
  pthread_mutex_lock(&m); x += own[k-1] + 1; pthread_mutex_unlock(&m); return 0; }
static int *leak(int k) { int a[k]; a[0] = k; int *p = a;
  if (k == 3) { return p; }
  assert(sizeof a == k * sizeof(int)); assert(sizeof(a)/sizeof(a[0]) == k); return 0; }
int main(void) {
  pthread_t t[n], *p = t;
  int grid[n][3];
  grid[1][2] = 4;
  for (int i = 0; i < n; i++) pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < n; i++) pthread_join(p[i], 0);
  assert(grid[1][2] == 4 && x >= 2 && x <= 4);
  int *l = leak(n); assert(!l);
  return 0; }
