#pragma once
/* What Linux warns about is a violation here: a reference from none, one too few, too many. */
#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
typedef struct refcount_struct { atomic_t refs; } refcount_t;
#define REFCOUNT_INIT(n) { ATOMIC_INIT(n) }
#define refcount_set(r, n) atomic_set(&(r)->refs, n)
#define refcount_read(r) ((unsigned int)atomic_read(&(r)->refs))
#define refcount_add(i, r) \
    ({ \
        int __more = (i), __old = atomic_fetch_add_relaxed(__more, &(r)->refs); \
        BUG_ON(__old <= 0 || __old > INT_MAX - __more); \
    })
#define refcount_inc(r) refcount_add(1, r)
#define refcount_add_not_zero(i, r) \
    ({ \
        refcount_t *__counted = (r); \
        int __more = (i), __old = atomic_read(&__counted->refs); \
        while (__old && !atomic_try_cmpxchg_relaxed(&__counted->refs, &__old, __old + __more)) \
            ; \
        BUG_ON(__old < 0 || __old > INT_MAX - __more); \
        __old != 0; \
    })
#define refcount_inc_not_zero(r) refcount_add_not_zero(1, r)
#define refcount_sub_and_test(i, r) \
    ({ \
        int __less = (i), __old = atomic_fetch_sub_release(__less, &(r)->refs); \
        BUG_ON(__old <= 0 || __old < __less); \
        if (__old == __less) \
            smp_acquire__after_ctrl_dep(); \
        __old == __less; \
    })
#define refcount_dec_and_test(r) refcount_sub_and_test(1, r)
#define refcount_dec(r) ({ int __old = atomic_fetch_sub_release(1, &(r)->refs); BUG_ON(__old <= 1); })
#define refcount_dec_if_one(r) ({ int __one = 1; atomic_try_cmpxchg_release(&(r)->refs, &__one, 0); })
#define refcount_dec_not_one(r) \
    ({ \
        refcount_t *__counted = (r); \
        int __old = atomic_read(&__counted->refs); \
        while (__old != 1 && !atomic_try_cmpxchg_release(&__counted->refs, &__old, __old - 1)) \
            ; \
        BUG_ON(__old <= 0); \
        __old != 1; \
    })
/* Take the lock only where the last reference may go. */
#define __refcount_dec_and_lock(r, l, lock, unlock) \
    ({ \
        refcount_t *__shared = (r); \
        __typeof__(&*(l)) __guard = (l); \
        int __last = 0; \
        if (!refcount_dec_not_one(__shared)) { \
            lock(__guard); \
            __last = refcount_dec_and_test(__shared); \
            if (!__last) \
                unlock(__guard); \
        } \
        __last; \
    })
#define refcount_dec_and_lock(r, l) __refcount_dec_and_lock(r, l, spin_lock, spin_unlock)
#define refcount_dec_and_lock_irqsave(r, l, flags) (*(flags) = 0, refcount_dec_and_lock(r, l))
#define refcount_dec_and_mutex_lock(r, m) __refcount_dec_and_lock(r, m, mutex_lock, mutex_unlock)
