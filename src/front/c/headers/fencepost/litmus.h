#pragma once
/* What a litmus test in C names without an #include: the operations of C11 and of the kernel, on plain
   integers: `atomic_inc` takes an `int *` as well as an `atomic_t *`. */
/* The functions of a test are its threads, so headers define none. */
#define __FENCEPOST_LITMUS
#undef __counter
#define __counter(v) (v)
#define atomic_t __struct_atomic_t
#define atomic64_t __struct_atomic64_t
#define atomic_long_t __struct_atomic_long_t
#include <linux/types.h>
#undef atomic_t
#undef atomic64_t
#undef atomic_long_t
typedef _Atomic(int) atomic_t;
typedef _Atomic(long) atomic64_t;
typedef _Atomic(long) atomic_long_t;
#include <stdatomic.h>
#include <lkmm.h>

/* C11 names the object first, the kernel last. */
#define __either(first, kernel, c11) \
    _Generic((first), int: kernel, unsigned: kernel, long: kernel, unsigned long: kernel, default: c11)
#undef atomic_fetch_add
#define atomic_fetch_add(a, b) \
    __either(a, __fencepost_atomic_fetch_add(b, a, __ATOMIC_SEQ_CST), atomic_fetch_add(a, b))
#undef atomic_fetch_sub
#define atomic_fetch_sub(a, b) \
    __either(a, __fencepost_atomic_fetch_sub(b, a, __ATOMIC_SEQ_CST), atomic_fetch_sub(a, b))
#undef atomic_fetch_and
#define atomic_fetch_and(a, b) \
    __either(a, __fencepost_atomic_fetch_and(b, a, __ATOMIC_SEQ_CST), atomic_fetch_and(a, b))
#undef atomic_fetch_or
#define atomic_fetch_or(a, b) \
    __either(a, __fencepost_atomic_fetch_or(b, a, __ATOMIC_SEQ_CST), atomic_fetch_or(a, b))
#undef atomic_fetch_xor
#define atomic_fetch_xor(a, b) \
    __either(a, __fencepost_atomic_fetch_xor(b, a, __ATOMIC_SEQ_CST), atomic_fetch_xor(a, b))
