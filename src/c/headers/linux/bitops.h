#pragma once
/* Bits of `unsigned long` words. Those that yield the old bit order like other atomic operations. */
#include <linux/compiler.h>
#define BITS_PER_LONG 64
#define BIT(nr) (1UL << (nr))
#define __bit_word(nr, addr) ((long *)(addr) + (nr) / BITS_PER_LONG)
#define __bit_mask(nr) (1L << (nr) % BITS_PER_LONG)
#define set_bit(nr, addr) __fencepost_atomic_or(__bit_word(nr, addr), __bit_mask(nr))
#define clear_bit(nr, addr) __fencepost_atomic_and(__bit_word(nr, addr), ~__bit_mask(nr))
#define change_bit(nr, addr) __fencepost_atomic_xor(__bit_word(nr, addr), __bit_mask(nr))
#define test_bit(nr, addr) ((__fencepost_atomic_read(__bit_word(nr, addr)) & __bit_mask(nr)) != 0)
#define test_and_set_bit(nr, addr) \
    ((__fencepost_atomic_fetch_or(__bit_word(nr, addr), __bit_mask(nr), __ATOMIC_SEQ_CST) & __bit_mask(nr)) != 0)
#define test_and_clear_bit(nr, addr) \
    ((__fencepost_atomic_fetch_and(__bit_word(nr, addr), ~__bit_mask(nr), __ATOMIC_SEQ_CST) & __bit_mask(nr)) != 0)
#define test_and_change_bit(nr, addr) \
    ((__fencepost_atomic_fetch_xor(__bit_word(nr, addr), __bit_mask(nr), __ATOMIC_SEQ_CST) & __bit_mask(nr)) != 0)
#define test_and_set_bit_lock(nr, addr) test_and_set_bit(nr, addr)
#define clear_bit_unlock(nr, addr) \
    ((void)__fencepost_atomic_fetch_and(__bit_word(nr, addr), ~__bit_mask(nr), __ATOMIC_RELEASE))
