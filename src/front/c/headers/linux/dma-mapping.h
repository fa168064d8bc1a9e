#pragma once
/* Memory that devices share, and directions in which it is used. */
#include <linux/device.h>
#include <linux/io.h>
#include <linux/types.h>
enum dma_data_direction { DMA_BIDIRECTIONAL = 0, DMA_TO_DEVICE = 1, DMA_FROM_DEVICE = 2, DMA_NONE = 3 };
#define DMA_BIT_MASK(n) ((n) == 64 ? ~0ULL : (1ULL << (n)) - 1)
