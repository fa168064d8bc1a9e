#pragma once
/* Bits of `unsigned long` words. Those that yield the old bit order like other atomic operations. */
#include <linux/compiler.h>
#define BITS_PER_LONG 64
#define BIT(nr) (1UL << (nr))
#define __bit_word(nr, addr) ((long *)(addr) + (nr) / BITS_PER_LONG)
#define __bit_mask(nr) (1L << (nr) % BITS_PER_LONG)
/* Functions, which evaluate their arguments once. */
#define __on_bit(nr, addr, how, ...) ({ __typeof__(+(nr)) __nr = (nr); how(__bit_word(__nr, addr), __VA_ARGS__); })
#define __of_bit(nr, addr, how, ...) \
    ({ __typeof__(+(nr)) __nr = (nr); (how(__bit_word(__nr, addr), __VA_ARGS__) & __bit_mask(__nr)) != 0; })
#define set_bit(nr, addr) __on_bit(nr, addr, __fencepost_atomic_or, __bit_mask(__nr))
#define clear_bit(nr, addr) __on_bit(nr, addr, __fencepost_atomic_and, ~__bit_mask(__nr))
#define change_bit(nr, addr) __on_bit(nr, addr, __fencepost_atomic_xor, __bit_mask(__nr))
#define test_bit(nr, addr) \
    ({ __typeof__(+(nr)) __nr = (nr); (__fencepost_atomic_read(__bit_word(__nr, addr)) & __bit_mask(__nr)) != 0; })
#define test_and_set_bit(nr, addr) \
    __of_bit(nr, addr, __fencepost_atomic_fetch_or, __bit_mask(__nr), __ATOMIC_SEQ_CST)
#define test_and_clear_bit(nr, addr) \
    __of_bit(nr, addr, __fencepost_atomic_fetch_and, ~__bit_mask(__nr), __ATOMIC_SEQ_CST)
#define test_and_change_bit(nr, addr) \
    __of_bit(nr, addr, __fencepost_atomic_fetch_xor, __bit_mask(__nr), __ATOMIC_SEQ_CST)
#define test_and_set_bit_lock(nr, addr) test_and_set_bit(nr, addr)
#define clear_bit_unlock(nr, addr) \
    ((void)__on_bit(nr, addr, __fencepost_atomic_fetch_and, ~__bit_mask(__nr), __ATOMIC_RELEASE))
