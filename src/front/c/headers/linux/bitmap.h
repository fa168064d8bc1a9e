#pragma once
/* A plain store for each word. */
#include <linux/bitops.h>
#include <linux/types.h>
#define __fill_bits(map, count, word) \
    ({ \
        unsigned long *__filled = (map); \
        for (unsigned int __word = 0; __word < BITS_TO_LONGS(count); __word++) \
            __filled[__word] = (word); \
    })
#define bitmap_zero(map, count) __fill_bits(map, count, 0UL)
#define bitmap_empty(map, count) (find_first_bit(map, count) == (count))
#define bitmap_full(map, count) (find_first_zero_bit(map, count) == (count))
#define bitmap_weight(map, count) \
    ({ \
        const unsigned long *__bits = (map); \
        unsigned int __size = (count), __ones = 0; \
        for (unsigned int __at = 0; __at < __size; __at += BITS_PER_LONG) { \
            unsigned long __here = __bits[__at / BITS_PER_LONG]; \
            if (__size - __at < BITS_PER_LONG) \
                __here &= (1UL << (__size - __at)) - 1; \
            __ones += hweight64(__here); \
        } \
        __ones; \
    })
