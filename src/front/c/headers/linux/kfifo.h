#pragma once
/* Queues of elements in an array, for one thread that puts and one that gets without a lock. Both ends count without
   bounds. Linux looks at the other end by a plain load, and its own has a barrier before it: as they are to be used, a
   load with acquire and a store with release, which are the same instructions. */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <asm/barrier.h>
#define STRUCT_KFIFO(type, size) struct { unsigned int in, out; type buf[size]; }
#define DECLARE_KFIFO(name, type, size) STRUCT_KFIFO(type, size) name
#define DEFINE_KFIFO(name, type, size) DECLARE_KFIFO(name, type, size) = { 0, 0 }
#define INIT_KFIFO(fifo) ((void)((fifo).in = (fifo).out = 0))
#define kfifo_initialized(fifo) ((void)(fifo), 1)
#define kfifo_esize(fifo) ((unsigned int)sizeof((fifo)->buf[0]))
#define kfifo_size(fifo) ((unsigned int)ARRAY_SIZE((fifo)->buf))
#define kfifo_len(fifo) (smp_load_acquire(&(fifo)->in) - smp_load_acquire(&(fifo)->out))
#define kfifo_is_empty(fifo) (kfifo_len(fifo) == 0)
#define kfifo_is_full(fifo) (kfifo_len(fifo) >= kfifo_size(fifo))
#define kfifo_avail(fifo) (kfifo_size(fifo) - kfifo_len(fifo))
#define kfifo_reset(fifo) (WRITE_ONCE((fifo)->in, 0u), WRITE_ONCE((fifo)->out, 0u))
#define kfifo_reset_out(fifo) WRITE_ONCE((fifo)->out, READ_ONCE((fifo)->in))
#define kfifo_skip(fifo) WRITE_ONCE((fifo)->out, READ_ONCE((fifo)->out) + 1)
#define __kfifo_at(fifo, which) ((fifo)->buf[(which) & (kfifo_size(fifo) - 1)])
#define kfifo_put(fifo, value) \
    ({ \
        __auto_type __into = (fifo); \
        __typeof__(__into->buf[0]) __put = (value); \
        unsigned int __fits = !kfifo_is_full(__into); \
        if (__fits) { \
            unsigned int __in = READ_ONCE(__into->in); \
            __kfifo_at(__into, __in) = __put; \
            smp_store_release(&__into->in, __in + 1); \
        } \
        __fits; \
    })
#define __kfifo_first(fifo, where, leaves) \
    ({ \
        __auto_type __from = (fifo); \
        unsigned int __is_there = !kfifo_is_empty(__from); \
        if (__is_there) { \
            unsigned int __out = READ_ONCE(__from->out); \
            *(where) = __kfifo_at(__from, __out); \
            if (leaves) \
                smp_store_release(&__from->out, __out + 1); \
        } \
        __is_there; \
    })
#define kfifo_get(fifo, where) __kfifo_first(fifo, where, 1)
#define kfifo_peek(fifo, where) __kfifo_first(fifo, where, 0)
#define kfifo_in(fifo, source, count) \
    ({ \
        __auto_type __into = (fifo); \
        __auto_type __source = (source); \
        unsigned int __room = kfifo_avail(__into), __number = (count), __start = READ_ONCE(__into->in); \
        __number = __number < __room ? __number : __room; \
        for (unsigned int __i = 0; __i < __number; __i++) \
            __kfifo_at(__into, __start + __i) = __source[__i]; \
        smp_store_release(&__into->in, __start + __number); \
        __number; \
    })
#define __kfifo_some(fifo, into, count, leave) \
    ({ \
        __auto_type __from = (fifo); \
        __auto_type __into = (into); \
        unsigned int __there = kfifo_len(__from), __number = (count), __start = READ_ONCE(__from->out); \
        __number = __number < __there ? __number : __there; \
        for (unsigned int __i = 0; __i < __number; __i++) \
            __into[__i] = __kfifo_at(__from, __start + __i); \
        if (leave) \
            smp_store_release(&__from->out, __start + __number); \
        __number; \
    })
#define kfifo_out(fifo, into, count) __kfifo_some(fifo, into, count, 1)
#define kfifo_out_peek(fifo, into, count) __kfifo_some(fifo, into, count, 0)
#define kfifo_in_spinlocked(fifo, source, count, lock) \
    ({ \
        unsigned long __flags; \
        unsigned int __done; \
        spin_lock_irqsave(lock, __flags); \
        __done = kfifo_in(fifo, source, count); \
        spin_unlock_irqrestore(lock, __flags); \
        __done; \
    })
#define kfifo_out_spinlocked(fifo, into, count, lock) \
    ({ \
        unsigned long __flags; \
        unsigned int __done; \
        spin_lock_irqsave(lock, __flags); \
        __done = kfifo_out(fifo, into, count); \
        spin_unlock_irqrestore(lock, __flags); \
        __done; \
    })
