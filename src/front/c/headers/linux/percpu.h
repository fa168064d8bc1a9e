#pragma once
/* A variable of each CPU is an array with NR_CPUS elements, 4 unless `-DNR_CPUS=N` says otherwise; `linux/smp.h` says
   which thread is on which CPU. An initialiser is that of each of them. `this_cpu_add` and its kind are one instruction
   without a lock on x86: a load and a store to other CPUs, and no barrier. They take a variable, or a member of one. */
#include <linux/atomic.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/smp.h>
#define DECLARE_PER_CPU(type, name) extern __typeof__(type) name[NR_CPUS] __attribute__((__fencepost_each))
#define DECLARE_PER_CPU_SHARED_ALIGNED(type, name) DECLARE_PER_CPU(type, name)
#define DECLARE_PER_CPU_ALIGNED(type, name) DECLARE_PER_CPU(type, name)
#define DECLARE_PER_CPU_READ_MOSTLY(type, name) DECLARE_PER_CPU(type, name)
#define DEFINE_PER_CPU(type, name) __typeof__(type) name[NR_CPUS] __attribute__((__fencepost_each))
#define DEFINE_PER_CPU_SHARED_ALIGNED(type, name) DEFINE_PER_CPU(type, name)
#define DEFINE_PER_CPU_ALIGNED(type, name) DEFINE_PER_CPU(type, name)
#define DEFINE_PER_CPU_READ_MOSTLY(type, name) DEFINE_PER_CPU(type, name)
#define alloc_percpu(type) ((type *)calloc(NR_CPUS, sizeof(type)))
#define alloc_percpu_gfp(type, flags) alloc_percpu(type)
#define free_percpu(p) free(p)
/* The address of a variable is that of an array, and `alloc_percpu` yields the first element. */
#define __is_array(v) (!__builtin_types_compatible_p(__typeof__(v), __typeof__((0, (v)))))
#define per_cpu_ptr(p, cpu) (__builtin_choose_expr(__is_array(*(p)), *(p), (p)) + (cpu))
#define per_cpu(v, cpu) (*per_cpu_ptr(&(v), cpu))
#define raw_cpu_ptr(p) per_cpu_ptr(p, raw_smp_processor_id())
#define this_cpu_ptr(p) raw_cpu_ptr(p)
#define get_cpu_ptr(p) ({ preempt_disable(); this_cpu_ptr(p); })
#define put_cpu_ptr(p) preempt_enable()
#define get_cpu_var(v) (*get_cpu_ptr(&(v)))
#define put_cpu_var(v) preempt_enable()

/* The name of a variable stands for the array of all; with a member it is that of this CPU. */
#define __of_this_cpu(v) (__builtin_choose_expr(__is_array(v), (v), &(v)) + (__is_array(v) ? raw_smp_processor_id() : 0))
#define this_cpu_read(v) READ_ONCE(*__of_this_cpu(v))
#define this_cpu_write(v, n) WRITE_ONCE(*__of_this_cpu(v), n)
#define this_cpu_add_return(v, n) \
    ({ \
        __typeof__(__of_this_cpu(v)) __mine = __of_this_cpu(v); \
        __typeof__(*__mine) __sum = READ_ONCE(*__mine) + (n); \
        WRITE_ONCE(*__mine, __sum); \
        __sum; \
    })
#define this_cpu_sub_return(v, n) this_cpu_add_return(v, -(n))
#define this_cpu_inc_return(v) this_cpu_add_return(v, 1)
#define this_cpu_dec_return(v) this_cpu_add_return(v, -1)
#define this_cpu_add(v, n) ((void)this_cpu_add_return(v, n))
#define this_cpu_sub(v, n) this_cpu_add(v, -(n))
#define this_cpu_inc(v) this_cpu_add(v, 1)
#define this_cpu_dec(v) this_cpu_add(v, -1)
#define this_cpu_and(v, n) \
    ({ __typeof__(__of_this_cpu(v)) __mine = __of_this_cpu(v); WRITE_ONCE(*__mine, READ_ONCE(*__mine) & (n)); })
#define this_cpu_or(v, n) \
    ({ __typeof__(__of_this_cpu(v)) __mine = __of_this_cpu(v); WRITE_ONCE(*__mine, READ_ONCE(*__mine) | (n)); })
#define this_cpu_xchg(v, n) \
    ({ \
        __typeof__(__of_this_cpu(v)) __mine = __of_this_cpu(v); \
        __typeof__(*__mine) __previous = READ_ONCE(*__mine); \
        WRITE_ONCE(*__mine, n); \
        __previous; \
    })
#define this_cpu_cmpxchg(v, old, new) cmpxchg_local(__of_this_cpu(v), old, new)
#define __this_cpu_read(v) this_cpu_read(v)
#define __this_cpu_write(v, n) this_cpu_write(v, n)
#define __this_cpu_add(v, n) this_cpu_add(v, n)
#define __this_cpu_sub(v, n) this_cpu_sub(v, n)
#define __this_cpu_inc(v) this_cpu_inc(v)
#define __this_cpu_dec(v) this_cpu_dec(v)
#define __this_cpu_and(v, n) this_cpu_and(v, n)
#define __this_cpu_or(v, n) this_cpu_or(v, n)
#define __this_cpu_add_return(v, n) this_cpu_add_return(v, n)
#define __this_cpu_sub_return(v, n) this_cpu_sub_return(v, n)
#define __this_cpu_inc_return(v) this_cpu_inc_return(v)
#define __this_cpu_dec_return(v) this_cpu_dec_return(v)
#define __this_cpu_xchg(v, n) this_cpu_xchg(v, n)
#define __this_cpu_cmpxchg(v, old, new) this_cpu_cmpxchg(v, old, new)
#define raw_cpu_read(v) this_cpu_read(v)
#define raw_cpu_write(v, n) this_cpu_write(v, n)
#define raw_cpu_add(v, n) this_cpu_add(v, n)
#define raw_cpu_sub(v, n) this_cpu_sub(v, n)
#define raw_cpu_inc(v) this_cpu_inc(v)
#define raw_cpu_dec(v) this_cpu_dec(v)
#define raw_cpu_and(v, n) this_cpu_and(v, n)
#define raw_cpu_or(v, n) this_cpu_or(v, n)
#define raw_cpu_add_return(v, n) this_cpu_add_return(v, n)
#define raw_cpu_sub_return(v, n) this_cpu_sub_return(v, n)
#define raw_cpu_inc_return(v) this_cpu_inc_return(v)
#define raw_cpu_dec_return(v) this_cpu_dec_return(v)
#define raw_cpu_xchg(v, n) this_cpu_xchg(v, n)
#define raw_cpu_cmpxchg(v, old, new) this_cpu_cmpxchg(v, old, new)
