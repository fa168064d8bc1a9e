#pragma once
#include <linux/kconfig.h>
#define READ_ONCE(x) __fencepost_read_once(&(x))
#define WRITE_ONCE(x, v) __fencepost_write_once(&(x), (v))
#define READ_ONCE_NOCHECK(x) READ_ONCE(x)
#define __READ_ONCE(x) READ_ONCE(x)
#define __WRITE_ONCE(x, v) WRITE_ONCE(x, v)
#define ACCESS_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define data_race(x) (x)
#define likely(x) (!!(x))
#define unlikely(x) (!!(x))
#define unreachable() __builtin_unreachable()
#define fallthrough ((void)0)
#define __same_type(a, b) __builtin_types_compatible_p(__typeof__(a), __typeof__(b))
#define OPTIMIZER_HIDE_VAR(x) ((void)(x))
#define barrier_data(p) ((void)(p), barrier())
#define ASSERT_EXCLUSIVE_WRITER(x) ((void)0)
#define ASSERT_EXCLUSIVE_ACCESS(x) ((void)0)
#define noinline
#define noinline_for_stack
#define notrace
#define asmlinkage
#define __always_inline inline
#define __maybe_unused
#define __always_unused
#define __must_check
#define __packed
#define __user
#define __kernel
#define __iomem
#define __force
#define __bitwise
#define __nocast
#define __rcu
#define __percpu
#define __init
#define __exit
#define __initdata
#define __cold
#define __pure
#define __used
#define __no_kcsan
#define __malloc
#define __section(name)
#define __printf(format, first)
#define __cacheline_aligned
#define __cacheline_aligned_in_smp
#define ____cacheline_aligned
#define ____cacheline_aligned_in_smp
#define ____cacheline_internodealigned_in_smp
#define __aligned(n)
#define __must_hold(l)
#define __acquires(l)
#define __releases(l)
#define __acquire(l) ((void)0)
#define __release(l) ((void)0)
#define __guarded_by(l)
