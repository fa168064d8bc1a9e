//: about Each thread stores its own handle, which others compare
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
static pthread_t mine[2]; static int n = 2;
static void *f(void *a) { mine[(long)a] = pthread_self(); return 0; }
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, f, (void *)0);
	pthread_create(&b, 0, f, (void *)1);
	pthread_join(a, 0); pthread_join(b, 0);
	for (int i = 0; i < n; i++) assert(mine[i] == a || mine[i] == b);
	assert(mine[0] != mine[1]);
	return 0;
}
