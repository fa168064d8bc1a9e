#pragma once
/* Memory that devices share, and directions in which it is used. */
#include <linux/device.h>
#include <linux/io.h>
#include <linux/types.h>
enum dma_data_direction { DMA_BIDIRECTIONAL = 0, DMA_TO_DEVICE = 1, DMA_FROM_DEVICE = 2, DMA_NONE = 3 };
#define DMA_BIT_MASK(n) ((n) == 64 ? ~0ULL : (1ULL << (n)) - 1)
/* Addresses for devices are any. Memory that a device shares is coherent on x86: handing it over is nothing. */
#define dma_alloc_coherent(dev, size, handle, flags) \
    ({ (void)(dev); *(handle) = (dma_addr_t)rand(); calloc(1, size); })
#define dma_free_coherent(dev, size, block, handle) ((void)(dev), (void)(size), (void)(handle), free(block))
#define dma_map_single(dev, block, size, direction) ((void)(dev), (void)(block), (void)(size), (dma_addr_t)rand())
#define dma_unmap_single(dev, handle, size, direction) ((void)(dev), (void)(handle), (void)(size))
#define dma_mapping_error(dev, handle) ((void)(dev), (void)(handle), __VERIFIER_nondet_bool() ? -ENOMEM : 0)
#define dma_sync_single_for_cpu(dev, handle, size, direction) barrier()
#define dma_sync_single_for_device(dev, handle, size, direction) barrier()
#define dma_set_mask(dev, mask) ((void)(dev), (void)(mask), __zero_or_error())
#define dma_set_coherent_mask(dev, mask) dma_set_mask(dev, mask)
#define dma_set_mask_and_coherent(dev, mask) dma_set_mask(dev, mask)
