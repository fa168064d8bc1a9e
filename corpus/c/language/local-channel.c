//: about A local of main is handed to a thread
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
typedef struct { atomic_int state; int payload; } chan_t;
static void send(chan_t *c, int v) { c->payload = v; atomic_store_explicit(&c->state, 1, memory_order_release); }
static int recv(chan_t *c) { while (!atomic_load_explicit(&c->state, memory_order_acquire)); return c->payload; }
static void *t(void *p) { chan_t *c = p; send(c, 3); return 0; }
int main(void) { chan_t c = {0}; pthread_t a; pthread_create(&a,0,t,&c); int v = recv(&c); assert(v == 3); pthread_join(a,0); return 0; }
