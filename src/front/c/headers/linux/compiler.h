#pragma once
#define READ_ONCE(x) __fencepost_read_once(&(x))
#define WRITE_ONCE(x, v) __fencepost_write_once(&(x), (v))
#define ACCESS_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define data_race(x) (x)
#define likely(x) (!!(x))
#define unlikely(x) (!!(x))
#define noinline
#define __always_inline inline
#define __maybe_unused
#define __must_check
#define __packed
#define __user
#define __rcu
#define __percpu
#define __init
#define __exit
#define __cacheline_aligned
#define ____cacheline_aligned
#define ____cacheline_aligned_in_smp
#define __aligned(n)
#define __acquires(l)
#define __releases(l)
