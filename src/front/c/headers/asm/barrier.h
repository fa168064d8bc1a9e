#pragma once
/* smp_mb, smp_rmb, smp_wmb, mb, rmb, wmb, barrier, smp_load_acquire, smp_store_release and the
   smp_mb__… functions are known by name. */
#include <linux/compiler.h>
#define smp_store_mb(x, v) __fencepost_store_mb(&(x), (v))
#define set_mb(x, v) smp_store_mb(x, v)
/* Between virtual machines, and with devices whose memory is coherent: as between CPUs. */
#define virt_mb() smp_mb()
#define virt_rmb() smp_rmb()
#define virt_wmb() smp_wmb()
#define virt_store_mb(x, v) smp_store_mb(x, v)
#define virt_load_acquire(p) smp_load_acquire(p)
#define virt_store_release(p, v) smp_store_release(p, v)
#define virt_mb__before_atomic() smp_mb__before_atomic()
#define virt_mb__after_atomic() smp_mb__after_atomic()
#define dma_mb() mb()
#define dma_rmb() rmb()
#define dma_wmb() wmb()
#define __smp_mb() smp_mb()
#define __smp_rmb() smp_rmb()
#define __smp_wmb() smp_wmb()
#define mmiowb() barrier()
#define io_stop_wc() barrier()
/* Taking a lock after releasing one is a full barrier. */
#define smp_mb__after_unlock_lock() barrier()
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
