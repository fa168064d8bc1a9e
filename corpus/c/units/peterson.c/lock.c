#include <stdatomic.h>
#include "lock.h"

static atomic_int flag[2], turn;

void lock(int me)
{
	int other = 1 - me;

	atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
	atomic_store_explicit(&turn, other, memory_order_relaxed);
	while (atomic_load_explicit(&flag[other], memory_order_relaxed) == 1 &&
	       atomic_load_explicit(&turn, memory_order_relaxed) == other)
		;
}

void unlock(int me)
{
	atomic_store_explicit(&flag[me], 0, memory_order_release);
}
