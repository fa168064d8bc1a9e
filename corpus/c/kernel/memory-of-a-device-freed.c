//: about Memory for a device is used after it was given back
//: check sc violated
//: check tso violated
#include <linux/dma-mapping.h>
#include <linux/mempool.h>
#include <linux/module.h>
#include <linux/platform_device.h>

struct ring { u32 head, tail; };

static int probe(struct platform_device *device)
{
    dma_addr_t address;
    struct ring *ring = dma_alloc_coherent(&device->dev, sizeof(*ring), &address, GFP_KERNEL);
    BUG_ON(ring->head != 0);
    ring->tail = 3;
    platform_set_drvdata(device, ring);
    struct ring *same = platform_get_drvdata(device);
    BUG_ON(same->tail != 3);
    dma_free_coherent(&device->dev, sizeof(*ring), ring, address);
    mempool_t *pool = mempool_create_kmalloc_pool(2, sizeof(struct ring));
    struct ring *taken = mempool_alloc(pool, GFP_KERNEL);
    taken->head = 1;
    mempool_free(taken, pool);
    mempool_destroy(pool);
    ring->head = 1;
    int *numbers = kmalloc(sizeof(int), GFP_KERNEL);
    numbers[0] = 5;
    numbers = krealloc(numbers, 2 * sizeof(int), GFP_KERNEL);
    numbers[1] = 6;
    BUG_ON(numbers[0] != 5);
    kfree(numbers);
    return 0;
}

int main(void)
{
    struct platform_device device = { .name = "device" };
    return probe(&device);
}
