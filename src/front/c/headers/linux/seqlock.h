#pragma once
/* Readers that try again if there was a writer. */
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/spinlock.h>
typedef struct seqcount { unsigned int sequence; } seqcount_t;
typedef seqcount_t seqcount_latch_t;
/* Which lock writers hold is not checked. */
typedef seqcount_t seqcount_raw_spinlock_t, seqcount_spinlock_t, seqcount_rwlock_t, seqcount_mutex_t;
typedef struct { seqcount_t seqcount; spinlock_t lock; } seqlock_t;
#define SEQCNT_ZERO(name) { 0 }
#define SEQCNT_RAW_SPINLOCK_ZERO(name, l) { 0 }
#define SEQCNT_SPINLOCK_ZERO(name, l) { 0 }
#define SEQCNT_RWLOCK_ZERO(name, l) { 0 }
#define SEQCNT_MUTEX_ZERO(name, l) { 0 }
#define __SEQLOCK_UNLOCKED(name) { { 0 }, { 0 } }
#define DEFINE_SEQLOCK(name) seqlock_t name = __SEQLOCK_UNLOCKED(name)
#define seqcount_init(s) ((void)((s)->sequence = 0))
#define seqcount_raw_spinlock_init(s, l) ((void)(l), seqcount_init(s))
#define seqcount_spinlock_init(s, l) ((void)(l), seqcount_init(s))
#define seqcount_rwlock_init(s, l) ((void)(l), seqcount_init(s))
#define seqcount_mutex_init(s, l) ((void)(l), seqcount_init(s))
#define __seqcount_step(s) ({ seqcount_t *__count = (s); WRITE_ONCE(__count->sequence, __count->sequence + 1); })
#define raw_read_seqcount(s) smp_load_acquire(&(s)->sequence)
#define raw_seqcount_begin(s) (raw_read_seqcount(s) & ~1u)
#define read_seqcount_begin(s) \
    ({ \
        const seqcount_t *__read = (s); \
        unsigned int __start; \
        while ((__start = smp_load_acquire(&__read->sequence)) & 1) \
            cpu_relax(); \
        __start; \
    })
#define raw_read_seqcount_begin(s) read_seqcount_begin(s)
#define __read_seqcount_retry(s, start) (READ_ONCE((s)->sequence) != (start))
#define read_seqcount_retry(s, start) (smp_rmb(), __read_seqcount_retry(s, start))
#define raw_write_seqcount_begin(s) (__seqcount_step(s), smp_wmb())
#define raw_write_seqcount_end(s) (smp_wmb(), __seqcount_step(s))
#define write_seqcount_begin(s) raw_write_seqcount_begin(s)
#define write_seqcount_end(s) raw_write_seqcount_end(s)
#define raw_write_seqcount_barrier(s) (__seqcount_step(s), smp_wmb(), __seqcount_step(s))
#define raw_write_seqcount_latch(s) (smp_wmb(), __seqcount_step(s), smp_wmb())
#define write_seqcount_latch_begin(s) raw_write_seqcount_latch(s)
#define write_seqcount_latch(s) raw_write_seqcount_latch(s)
#define raw_read_seqcount_latch(s) READ_ONCE((s)->sequence)
#define raw_read_seqcount_latch_retry(s, start) read_seqcount_retry(s, start)
#define read_seqcount_latch(s) raw_read_seqcount_latch(s)
#define read_seqcount_latch_retry(s, start) read_seqcount_retry(s, start)
#define SEQCNT_LATCH_ZERO(name) { 0 }
#define seqcount_latch_init(s) seqcount_init(s)
#define write_seqcount_invalidate(s) \
    ({ seqcount_t *__stale = (s); smp_wmb(); WRITE_ONCE(__stale->sequence, __stale->sequence + 2); })

#define seqlock_init(sl) (seqcount_init(&(sl)->seqcount), spin_lock_init(&(sl)->lock))
#define read_seqbegin(sl) read_seqcount_begin(&(sl)->seqcount)
#define read_seqretry(sl, start) read_seqcount_retry(&(sl)->seqcount, start)
#define write_seqlock(sl) \
    ({ seqlock_t *__locked = (sl); spin_lock(&__locked->lock); write_seqcount_begin(&__locked->seqcount); })
#define write_sequnlock(sl) \
    ({ seqlock_t *__locked = (sl); write_seqcount_end(&__locked->seqcount); spin_unlock(&__locked->lock); })
#define write_seqlock_irq(sl) write_seqlock(sl)
#define write_sequnlock_irq(sl) write_sequnlock(sl)
#define write_seqlock_bh(sl) write_seqlock(sl)
#define write_sequnlock_bh(sl) write_sequnlock(sl)
#define write_seqlock_irqsave(sl, flags) ((flags) = 0, write_seqlock(sl))
#define write_sequnlock_irqrestore(sl, flags) ((void)(flags), write_sequnlock(sl))
#define read_seqlock_excl(sl) spin_lock(&(sl)->lock)
#define read_sequnlock_excl(sl) spin_unlock(&(sl)->lock)
#define read_seqbegin_or_lock(sl, seq) \
    ({ \
        seqlock_t *__either = (sl); \
        int *__state = (seq); \
        if (*__state & 1) \
            read_seqlock_excl(__either); \
        else \
            *__state = read_seqbegin(__either); \
    })
#define need_seqretry(sl, seq) (!((seq) & 1) && read_seqretry(sl, seq))
#define done_seqretry(sl, seq) ({ if ((seq) & 1) read_sequnlock_excl(sl); })
