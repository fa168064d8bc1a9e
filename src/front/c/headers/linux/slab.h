#pragma once
/* Allocations succeed, as those of malloc do. */
#include <linux/kernel.h>
#include <linux/overflow.h>
#define GFP_KERNEL 0u
#define GFP_ATOMIC 1u
#define GFP_NOWAIT 2u
#define GFP_NOIO 3u
#define __GFP_ZERO 256u
#define kmalloc(size, flags) malloc(size)
#define kzalloc(size, flags) calloc(1, size)
#define kcalloc(count, size, flags) calloc(count, size)
#define kmalloc_array(count, size, flags) malloc((count) * (size))
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
