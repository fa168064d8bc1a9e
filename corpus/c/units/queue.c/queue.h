#pragma once
#include <stdatomic.h>

struct queue {
	int item;
	atomic_int full;
};

extern struct queue shared;

void put(struct queue *q, int item);
int take(struct queue *q);
int takes(void);

static inline int is_full(struct queue *q)
{
	return atomic_load_explicit(&q->full, memory_order_acquire);
}
