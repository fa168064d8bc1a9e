//: about A function that threads begin with is no candidate of a call through a pointer
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
static int x;
static void *r(void *a) { __atomic_fetch_add(&x, 1, 5); return a; }
static void *w(void *a) { __atomic_fetch_add(&x, 2, 5); return a; }
static void *both(void *a)
{
	for (unsigned i = 0; i < 2; i++)
		{ void *(*q)(void *) = i & 1 ? w : r; q(a); };
	return 0;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, both, 0);
	pthread_join(t, 0);
	assert(x == 3);
	return 0;
}
