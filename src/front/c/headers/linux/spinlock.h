#pragma once
#include <linux/cleanup.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
#include <linux/types.h>
typedef __fencepost_spinlock spinlock_t;
typedef __fencepost_spinlock raw_spinlock_t;
typedef __fencepost_rwlock rwlock_t;
#define __SPIN_LOCK_UNLOCKED(name) {0}
#define __RAW_SPIN_LOCK_UNLOCKED(name) {0}
#define __RW_LOCK_UNLOCKED(name) {0}
#define SPIN_LOCK_UNLOCKED {0}
#define DEFINE_SPINLOCK(name) spinlock_t name = {0}
#define DEFINE_RAW_SPINLOCK(name) raw_spinlock_t name = {0}
#define DEFINE_RWLOCK(name) rwlock_t name = {0}

/* spin_lock_init, spin_lock, spin_trylock, spin_unlock and the same for rwlock_t are known by name.
   Interrupts do not exist. */
#define spin_lock_irq(l) spin_lock(l)
#define spin_lock_bh(l) spin_lock(l)
#define spin_trylock_bh(l) spin_trylock(l)
#define spin_trylock_irqsave(l, flags) ((flags) = 0, spin_trylock(l))
#define spin_lock_irqsave(l, flags) ((flags) = 0, spin_lock(l))
#define spin_unlock_irq(l) spin_unlock(l)
#define spin_unlock_bh(l) spin_unlock(l)
#define spin_unlock_irqrestore(l, flags) ((void)(flags), spin_unlock(l))
#define raw_spin_lock_init(l) spin_lock_init(l)
#define raw_spin_lock(l) spin_lock(l)
#define raw_spin_trylock(l) spin_trylock(l)
#define raw_spin_unlock(l) spin_unlock(l)
#define raw_spin_lock_irq(l) spin_lock(l)
#define raw_spin_lock_bh(l) spin_lock(l)
#define raw_spin_unlock_bh(l) spin_unlock(l)
#define raw_spin_lock_irqsave(l, flags) ((flags) = 0, spin_lock(l))
#define raw_spin_unlock_irq(l) spin_unlock(l)
#define raw_spin_unlock_irqrestore(l, flags) ((void)(flags), spin_unlock(l))
#define read_lock_irq(l) read_lock(l)
#define read_lock_bh(l) read_lock(l)
#define read_lock_irqsave(l, flags) ((flags) = 0, read_lock(l))
#define read_unlock_irq(l) read_unlock(l)
#define read_unlock_bh(l) read_unlock(l)
#define read_unlock_irqrestore(l, flags) ((void)(flags), read_unlock(l))
#define write_lock_irq(l) write_lock(l)
#define write_lock_bh(l) write_lock(l)
#define write_lock_irqsave(l, flags) ((flags) = 0, write_lock(l))
#define write_unlock_irq(l) write_unlock(l)
#define write_unlock_bh(l) write_unlock(l)
#define write_unlock_irqrestore(l, flags) ((void)(flags), write_unlock(l))
#define spin_trylock_irq(l) spin_trylock(l)
#define spin_lock_nested(l, subclass) spin_lock(l)
#define spin_lock_bh_nested(l, subclass) spin_lock(l)
#define spin_lock_nest_lock(l, outer) spin_lock(l)
#define spin_lock_irqsave_nested(l, flags, subclass) spin_lock_irqsave(l, flags)
#define spin_needbreak(l) ((void)(l), 0)
#define assert_spin_locked(l) ((void)(l))
#define raw_spin_lock_nested(l, subclass) spin_lock(l)
#define raw_spin_trylock_irqsave(l, flags) spin_trylock_irqsave(l, flags)
#define assert_raw_spin_locked(l) ((void)(l))
#define read_trylock_irqsave(l, flags) ((flags) = 0, read_trylock(l))
#define write_trylock_irqsave(l, flags) ((flags) = 0, write_trylock(l))

/* Takes the lock only where the counter reaches 0; otherwise a locked instruction counts down. */
#define atomic_dec_and_lock(v, l) \
    ({ \
        __typeof__(v) __counted = (v); \
        __typeof__(&*(l)) __guard = (l); \
        int __reached = 0; \
        if (!atomic_add_unless(__counted, -1, 1)) { \
            spin_lock(__guard); \
            __reached = atomic_dec_and_test(__counted); \
            if (!__reached) \
                spin_unlock(__guard); \
        } \
        __reached; \
    })
#define atomic_dec_and_lock_irqsave(v, l, flags) ((flags) = 0, atomic_dec_and_lock(v, l))
#define spin_is_locked(l) (__fencepost_is_locked(l) != 0)
#define raw_spin_is_locked(l) spin_is_locked(l)
#define rwlock_is_locked(l) (__fencepost_is_locked(l) != 0)
DEFINE_GUARD(spinlock, spinlock_t *, spin_lock(_T), spin_unlock(_T))
DEFINE_GUARD_COND(spinlock, _try, spin_trylock(_T))
DEFINE_GUARD(spinlock_irq, spinlock_t *, spin_lock(_T), spin_unlock(_T))
DEFINE_GUARD_COND(spinlock_irq, _try, spin_trylock(_T))
DEFINE_GUARD(spinlock_irqsave, spinlock_t *, spin_lock(_T), spin_unlock(_T))
DEFINE_GUARD_COND(spinlock_irqsave, _try, spin_trylock(_T))
DEFINE_GUARD(spinlock_bh, spinlock_t *, spin_lock(_T), spin_unlock(_T))
DEFINE_GUARD_COND(spinlock_bh, _try, spin_trylock(_T))
DEFINE_GUARD(raw_spinlock, spinlock_t *, spin_lock(_T), spin_unlock(_T))
DEFINE_GUARD_COND(raw_spinlock, _try, spin_trylock(_T))
DEFINE_GUARD(raw_spinlock_irq, spinlock_t *, spin_lock(_T), spin_unlock(_T))
DEFINE_GUARD_COND(raw_spinlock_irq, _try, spin_trylock(_T))
DEFINE_GUARD(raw_spinlock_irqsave, spinlock_t *, spin_lock(_T), spin_unlock(_T))
DEFINE_GUARD_COND(raw_spinlock_irqsave, _try, spin_trylock(_T))
DEFINE_GUARD(read_lock, rwlock_t *, read_lock(_T), read_unlock(_T))
DEFINE_GUARD(read_lock_irq, rwlock_t *, read_lock(_T), read_unlock(_T))
DEFINE_GUARD(read_lock_irqsave, rwlock_t *, read_lock(_T), read_unlock(_T))
DEFINE_GUARD(write_lock, rwlock_t *, write_lock(_T), write_unlock(_T))
DEFINE_GUARD(write_lock_irq, rwlock_t *, write_lock(_T), write_unlock(_T))
DEFINE_GUARD(write_lock_irqsave, rwlock_t *, write_lock(_T), write_unlock(_T))
