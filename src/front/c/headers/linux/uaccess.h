#pragma once
/* The memory of user space has any values, and may not be there: any part of a copy may fail. Nothing here is a fence. */
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/types.h>
#define __any_in(low, high) \
    ({ int __in = __VERIFIER_nondet_int(); __VERIFIER_assume(__in >= (low) && __in <= (high)); __in; })
#define __zero_or_error() (__VERIFIER_nondet_bool() ? 0 : __any_in(-4095, -1))
#define __zero_or_fault() (__VERIFIER_nondet_bool() ? 0 : -EFAULT)
/* How many bytes of so many are not copied. */
#define __not_copied(count) \
    ({ \
        unsigned long __of = (count), __left = (unsigned long)rand(); \
        __VERIFIER_assume(__left <= __of); \
        __left; \
    })
#define access_ok(p, count) ((void)(p), (void)(count), (int)__VERIFIER_nondet_bool())
/* What is not copied becomes 0. */
#define copy_from_user(to, from, count) \
    ({ \
        unsigned long __size = (count); \
        (void)(from); \
        __fencepost_any_bytes((to), 0, __size); \
        __not_copied(__size); \
    })
#define copy_to_user(to, from, count) \
    ({ \
        unsigned long __size = (count); \
        (void)(to); \
        __fencepost_hand_out((from), __size); \
        __not_copied(__size); \
    })
#define __copy_from_user(to, from, count) copy_from_user(to, from, count)
#define __copy_to_user(to, from, count) copy_to_user(to, from, count)
#define clear_user(p, count) ((void)(p), __not_copied(count))
#define get_user(x, p) \
    ({ \
        int __fault = __zero_or_fault(); \
        __typeof__(*(p)) __got; \
        (void)(p); \
        __fencepost_any_bytes(&__got, 0, sizeof(__got)); \
        (x) = __fault ? 0 : __got; \
        __fault; \
    })
#define put_user(v, p) ((void)(v), (void)(p), __zero_or_fault())
#define __get_user(x, p) get_user(x, p)
#define __put_user(v, p) put_user(v, p)
/* The length of the text, or `count` if it does not end before that. */
#define strncpy_from_user(to, from, count) \
    ({ \
        long __size = (count); \
        char *__text = (to); \
        (void)(from); \
        __fencepost_any_bytes(__text, 0, __size); \
        long __length = __VERIFIER_nondet_bool() ? (long)__not_copied(__size) : (long)-EFAULT; \
        if (__length >= 0 && __length < __size) \
            __text[__length] = 0; \
        __length; \
    })
