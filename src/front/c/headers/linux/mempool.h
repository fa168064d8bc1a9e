#pragma once
/* Pools of memory that are never empty. A pool is the size of its elements. */
#include <linux/slab.h>
typedef struct mempool_s mempool_t;
#define mempool_create_kmalloc_pool(least, size) ((void)(least), (mempool_t *)(unsigned long)(size))
#define mempool_create_slab_pool(least, cache) ((void)(least), (mempool_t *)(cache))
#define mempool_alloc(pool, flags) malloc((unsigned long)(pool))
#define mempool_free(element, pool) ((void)(pool), free(element))
#define mempool_destroy(pool) ((void)(pool))
