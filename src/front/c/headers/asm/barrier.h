#pragma once
/* smp_mb, smp_rmb, smp_wmb, mb, rmb, wmb, barrier, smp_load_acquire, smp_store_release and the
   smp_mb__… functions are known by name. */
#include <linux/compiler.h>
#define smp_store_mb(x, v) __fencepost_store_mb(&(x), (v))
#define set_mb(x, v) smp_store_mb(x, v)
#define smp_read_barrier_depends() ((void)0)
#define read_barrier_depends() ((void)0)
#define smp_cond_load_acquire(p, condition) \
    ({ \
        __typeof__(&*(p)) __p = (p); \
        __typeof__(*(p)) VAL; \
        while (VAL = smp_load_acquire(__p), !(condition)) \
            cpu_relax(); \
        VAL; \
    })
#define smp_cond_load_relaxed(p, condition) \
    ({ \
        __typeof__(&*(p)) __p = (p); \
        __typeof__(*(p)) VAL; \
        while (VAL = READ_ONCE(*__p), !(condition)) \
            cpu_relax(); \
        VAL; \
    })
