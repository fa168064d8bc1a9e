//: about Peterson's lock as a unit of its own, with relaxed stores: the fence is in the other file
//: check sc holds
//: check tso violated
//: robust tso no
//: fence tso robustness 2
#include <assert.h>
#include <pthread.h>
#include "lock.h"

static int inside;

static void *worker(void *arg)
{
	lock((int)(long)arg);
	inside = inside + 1;
	assert(inside == 1);
	inside = inside - 1;
	unlock((int)(long)arg);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, worker, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return 0;
}
