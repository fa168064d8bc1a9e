#pragma once
/* Bits of `unsigned long` words. Those that yield the old bit order like other atomic operations. Those that begin
   with two underscores are not atomic: a load and a store of the word, even where it is one instruction. */
#include <linux/compiler.h>
#include <asm/barrier.h>
#define BITS_PER_BYTE 8
#define BITS_PER_LONG 64
#define BITS_PER_LONG_LONG 64
#define BIT(nr) (1UL << (nr))
#define BIT_ULL(nr) (1ULL << (nr))
#define BIT_MASK(nr) (1UL << ((nr) % BITS_PER_LONG))
#define BIT_WORD(nr) ((nr) / BITS_PER_LONG)
#define BITS_TO_LONGS(count) (((count) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define GENMASK(high, low) ((~0UL << (low)) & (~0UL >> (BITS_PER_LONG - 1 - (high))))
#define GENMASK_ULL(high, low) GENMASK(high, low)
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
#define test_bit_acquire(nr, addr) \
    ({ \
        __typeof__(+(nr)) __nr = (nr); \
        (__fencepost_atomic_read_acquire(__bit_word(__nr, addr)) & __bit_mask(__nr)) != 0; \
    })
#define test_and_set_bit(nr, addr) \
    __of_bit(nr, addr, __fencepost_atomic_fetch_or, __bit_mask(__nr), __ATOMIC_SEQ_CST)
#define test_and_clear_bit(nr, addr) \
    __of_bit(nr, addr, __fencepost_atomic_fetch_and, ~__bit_mask(__nr), __ATOMIC_SEQ_CST)
#define test_and_change_bit(nr, addr) \
    __of_bit(nr, addr, __fencepost_atomic_fetch_xor, __bit_mask(__nr), __ATOMIC_SEQ_CST)
#define test_and_set_bit_lock(nr, addr) test_and_set_bit(nr, addr)
#define clear_bit_unlock(nr, addr) \
    ((void)__on_bit(nr, addr, __fencepost_atomic_fetch_and, ~__bit_mask(__nr), __ATOMIC_RELEASE))
#define assign_bit(nr, addr, value) ({ if (value) set_bit(nr, addr); else clear_bit(nr, addr); })

#define __change_bits(nr, addr, op, mask) \
    ({ \
        __typeof__(+(nr)) __nr = (nr); \
        long *__word = __bit_word(__nr, addr), __was = *__word; \
        *__word = __was op (mask); \
        (__was & __bit_mask(__nr)) != 0; \
    })
#define __set_bit(nr, addr) ((void)__change_bits(nr, addr, |, __bit_mask(__nr)))
#define __clear_bit(nr, addr) ((void)__change_bits(nr, addr, &, ~__bit_mask(__nr)))
#define __change_bit(nr, addr) ((void)__change_bits(nr, addr, ^, __bit_mask(__nr)))
#define __test_and_set_bit(nr, addr) __change_bits(nr, addr, |, __bit_mask(__nr))
#define __test_and_clear_bit(nr, addr) __change_bits(nr, addr, &, ~__bit_mask(__nr))
#define __test_and_change_bit(nr, addr) __change_bits(nr, addr, ^, __bit_mask(__nr))
#define __assign_bit(nr, addr, value) ({ if (value) __set_bit(nr, addr); else __clear_bit(nr, addr); })
#define __clear_bit_unlock(nr, addr) \
    ({ \
        __typeof__(+(nr)) __nr = (nr); \
        long *__word = __bit_word(__nr, addr); \
        smp_store_release(__word, READ_ONCE(*__word) & ~__bit_mask(__nr)); \
    })

#define __ffs(word) ((unsigned long)__builtin_ctzl(word))
#define __fls(word) ((unsigned long)(63 - __builtin_clzl(word)))
#define ffz(word) __ffs(~(word))
#define fls(x) ({ unsigned int __of = (x); __of ? 32 - __builtin_clz(__of) : 0; })
#define fls64(x) ({ unsigned long __of = (x); __of ? 64 - __builtin_clzl(__of) : 0; })
#define fls_long(x) fls64(x)
#define hweight8(x) ((unsigned int)__builtin_popcount((unsigned char)(x)))
#define hweight16(x) ((unsigned int)__builtin_popcount((unsigned short)(x)))
#define hweight32(x) ((unsigned int)__builtin_popcount(x))
#define hweight64(x) ((unsigned long)__builtin_popcountl(x))
#define hweight_long(x) hweight64(x)

/* Words are read one after the other; what else happens between is not seen at once. */
#define __find_bit(addr, size, from, invert) \
    ({ \
        unsigned long *__map = (unsigned long *)(addr); \
        unsigned long __size = (size), __at = (from), __low = __at % BITS_PER_LONG, __found = __size; \
        for (__at -= __low; __at < __size; __at += BITS_PER_LONG, __low = 0) { \
            unsigned long __bits = READ_ONCE(__map[__at / BITS_PER_LONG]); \
            __bits = ((invert) ? ~__bits : __bits) & (~0UL << __low); \
            if (__bits) { \
                __found = __at + __builtin_ctzl(__bits); \
                break; \
            } \
        } \
        __found < __size ? __found : __size; \
    })
#define find_first_bit(addr, size) __find_bit(addr, size, 0, 0)
#define find_first_zero_bit(addr, size) __find_bit(addr, size, 0, 1)
#define find_next_bit(addr, size, from) __find_bit(addr, size, from, 0)
#define find_next_zero_bit(addr, size, from) __find_bit(addr, size, from, 1)
#define for_each_set_bit(bit, addr, size) \
    for ((bit) = find_first_bit(addr, size); (bit) < (size); (bit) = find_next_bit(addr, size, (bit) + 1))
#define for_each_clear_bit(bit, addr, size) \
    for ((bit) = find_first_zero_bit(addr, size); (bit) < (size); (bit) = find_next_zero_bit(addr, size, (bit) + 1))
/* Yields what it was. */
#define set_mask_bits(p, mask, bits) \
    ({ \
        __typeof__(p) __word = (p); \
        __typeof__(+*__word) __mask = (mask), __bits = (bits), __was = READ_ONCE(*__word); \
        while (!__fencepost_try_cmpxchg(__word, &__was, (__was & ~__mask) | __bits, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) \
            ; \
        __was; \
    })
