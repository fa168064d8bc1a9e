//: about A list of nodes from the heap, built by threads and walked by main
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct n { int v; struct n *next; };
struct n *head;
pthread_mutex_t m;
void *t(void *u) { struct n *x = malloc(sizeof *x); x->v = (int)(long)u; pthread_mutex_lock(&m); x->next = head; head = x; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t h[2]; for (long i = 0; i < 2; i++) pthread_create(&h[i],0,t,(void*)(i+1)); for (int i = 0; i < 2; i++) pthread_join(h[i],0);
 int sum = 0; for (struct n *p = head; p; p = p->next) sum += p->v; assert(sum == 3); }
