//: about A handle that is stored by the name of its variable is seen through a pointer
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
static pthread_t id, *p;
static void *f(void *a) { return a; }
int main(void)
{
	pthread_create(&id, 0, f, 0);
	pthread_join(id, 0);
	p = &id;
	assert(*p != 0);
	return 0;
}
