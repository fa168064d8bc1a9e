//: about Handles in a list on the heap, joined by another loop
//: check sc holds
//: check tso holds
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct thr { pthread_t id; struct thr *next; };
static struct thr *all;
static int x;
static void *f(void *a) { __sync_fetch_and_add(&x, 1); return a; }
static void spawn(void)
{
	struct thr *t = malloc(sizeof *t);
	if (!t) exit(1);
	pthread_create(&t->id, 0, f, t);
	t->next = all; all = t;
}
int main(void)
{
	spawn(); spawn();
	for (int i = 0; i < 2; i++) { pthread_join(all->id, 0); all = all->next; }
	assert(x == 2);
	return 0;
}
