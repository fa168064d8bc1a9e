//: about A queue with one slot as a unit of its own; the structure and an inline function are those of a header
//: check sc holds
//: check tso holds
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include "queue.h"

// This one is not the queue's.
static int shared_count = 5;

static void *producer(void *arg)
{
	put(&shared, 7);
	return 0;
}

static void *consumer(void *arg)
{
	assert(take(&shared) == 7);
	assert(takes() == 1 && shared_count == 5);
	return 0;
}

int main(void)
{
	pthread_t p, c;
	pthread_create(&p, 0, producer, 0);
	pthread_create(&c, 0, consumer, 0);
	pthread_join(p, 0);
	pthread_join(c, 0);
	assert(!is_full(&shared));
	return 0;
}
