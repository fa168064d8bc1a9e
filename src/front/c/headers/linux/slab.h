#pragma once
/* Allocations succeed, as those of malloc do. */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#define kmalloc(size, flags) malloc(size)
#define kzalloc(size, flags) calloc(1, size)
#define kcalloc(count, size, flags) calloc(count, size)
#define kmalloc_array(count, size, flags) malloc((count) * (size))
#define krealloc(block, size, flags) ((void)(flags), realloc((block), (size)))
#define kfree(block) free(block)
#define kvmalloc(size, flags) malloc(size)
#define kvzalloc(size, flags) calloc(1, size)
#define kmalloc_node(size, flags, node) malloc(size)
#define kzalloc_node(size, flags, node) calloc(1, size)
#define kfree_sensitive(block) free(block)
#define vmalloc(size) malloc(size)
#define vzalloc(size) calloc(1, size)
#define vfree(block) free(block)
#define kvfree(block) free(block)
#define kcalloc_node(count, size, flags, node) calloc(count, size)
#define kvcalloc(count, size, flags) calloc(count, size)
#define kvmalloc_array(count, size, flags) malloc((count) * (size))
#define vfree_atomic(block) free(block)
/* A cache is the size of its objects, whose type is that of the pointer to which an allocation is assigned. What has been
   freed is not used again. Caches whose objects are constructed are refused. */
struct kmem_cache;
#define SLAB_HWCACHE_ALIGN 0x2000u
#define SLAB_PANIC 0x40000u
#define SLAB_ACCOUNT 0x4000000u
#define kmem_cache_create(name, size, align, flags, constructor) \
    ((void)(name), (void)(flags), __fencepost_no_constructor(constructor), (struct kmem_cache *)(unsigned long)(size))
#define KMEM_CACHE(type, flags) kmem_cache_create(#type, sizeof(struct type), __alignof__(struct type), flags, NULL)
#define kmem_cache_destroy(cache) ((void)(cache))
#define kmem_cache_size(cache) ((unsigned int)(unsigned long)(cache))
#define kmem_cache_alloc(cache, flags) malloc((unsigned long)(cache))
#define kmem_cache_zalloc(cache, flags) calloc(1, (unsigned long)(cache))
#define kmem_cache_alloc_node(cache, flags, node) kmem_cache_alloc(cache, flags)
#define kmem_cache_free(cache, object) ((void)(cache), free(object))
DEFINE_FREE(kfree, void *, if (!IS_ERR_OR_NULL(_T)) kfree(_T))
DEFINE_FREE(kvfree, void *, if (!IS_ERR_OR_NULL(_T)) kvfree(_T))
