//: about Readers and writers
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int a, b;
void *w(void *u) { pthread_rwlock_wrlock(&l); a++; b++; pthread_rwlock_unlock(&l); return 0; }
void *r(void *u) { pthread_rwlock_rdlock(&l); assert(a == b); pthread_rwlock_unlock(&l); return 0; }
int main(void) { pthread_t t[3]; pthread_create(&t[0],0,w,0); pthread_create(&t[1],0,r,0); pthread_create(&t[2],0,r,0);
 if (pthread_rwlock_trywrlock(&l) == 0) { assert(a == b); a += 5; b += 5; pthread_rwlock_unlock(&l); }
 for (int i = 0; i < 3; i++) pthread_join(t[i],0); assert(a == b); }
