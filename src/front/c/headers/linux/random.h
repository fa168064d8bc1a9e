#pragma once
#include <linux/types.h>
#define get_random_u32() ((u32)__VERIFIER_nondet_uint())
#define get_random_u16() ((u16)__VERIFIER_nondet_ushort())
#define get_random_u8() ((u8)__VERIFIER_nondet_uchar())
#define get_random_u32_below(ceiling) \
    ({ \
        u32 __ceiling = (ceiling), __below = __VERIFIER_nondet_uint(); \
        __VERIFIER_assume(__below < __ceiling); \
        __below; \
    })
