#include "queue.h"

struct queue shared;

// Another object than the one with this name in the other unit.
static int shared_count;

void put(struct queue *q, int item)
{
	q->item = item;
	atomic_store_explicit(&q->full, 1, memory_order_release);
}

int take(struct queue *q)
{
	while (!is_full(q))
		;
	int item = q->item;
	atomic_store_explicit(&q->full, 0, memory_order_release);
	shared_count++;
	return item;
}

int takes(void)
{
	return shared_count;
}
