//: error "constructors of the objects of a cache are not supported"
#include <linux/slab.h>

static void construct(void *object)
{
}

int main(void)
{
    struct kmem_cache *cache = kmem_cache_create("cache", sizeof(int), 0, 0, construct);
    int *one = kmem_cache_alloc(cache, GFP_KERNEL);
    *one = 1;
    return 0;
}
