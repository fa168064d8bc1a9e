//! The built-in headers: macros, typedefs and the structures that programs name.
//!
//! Functions of libraries need no prototype: the parser knows them by name, from `library`. Names that
//! begin with `__fencepost_` are the tool's own: opaque types of libraries, and functions that take
//! the address of what a macro of the Linux kernel names.
//!
//! **Differs from** real headers where programs cannot tell: `errno` has any value, whatever
//! was assigned; standard streams are null; `READ_ONCE` has the type of its operand.

/// What is defined before a text begins.
pub(super) const PREDEFINED: &str = include_str!("headers/predefined.h");

macro_rules! headers {
    ($($name:literal,)*) => {
        /// Names and texts, in the order of the names.
        const HEADERS: &[(&str, &str)] = &[$(($name, include_str!(concat!("headers/", $name)))),*];
    };
}

headers! {
    "alloca.h",
    "asm-generic/atomic.h",
    "asm-generic/barrier.h",
    "asm-generic/bitops.h",
    "asm-generic/bug.h",
    "asm-generic/errno-base.h",
    "asm-generic/errno.h",
    "asm-generic/rwonce.h",
    "asm/atomic.h",
    "asm/barrier.h",
    "asm/bitops.h",
    "asm/bug.h",
    "asm/byteorder.h",
    "asm/cache.h",
    "asm/cmpxchg.h",
    "asm/current.h",
    "asm/errno.h",
    "asm/io.h",
    "asm/irqflags.h",
    "asm/page.h",
    "asm/percpu.h",
    "asm/processor.h",
    "asm/rwonce.h",
    "asm/smp.h",
    "asm/spinlock.h",
    "asm/timex.h",
    "asm/uaccess.h",
    "assert.h",
    "cpuid.h",
    "ctype.h",
    "dat3m.h",
    "emmintrin.h",
    "err.h",
    "errno.h",
    "error.h",
    "fcntl.h",
    "fencepost/exits.h",
    "fencepost/files.h",
    "fencepost/keys.h",
    "fencepost/later.h",
    "fencepost/litmus.h",
    "fencepost/mutexes.h",
    "fencepost/sort.h",
    "fencepost/standard.h",
    "fencepost/strings.h",
    "fencepost/system.h",
    "fencepost/tasks.h",
    "fencepost/trees.h",
    "genmc.h",
    "getopt.h",
    "immintrin.h",
    "inttypes.h",
    "limits.h",
    "linux/align.h",
    "linux/array_size.h",
    "linux/atomic.h",
    "linux/bitmap.h",
    "linux/bitops.h",
    "linux/bits.h",
    "linux/bug.h",
    "linux/build_bug.h",
    "linux/cache.h",
    "linux/circ_buf.h",
    "linux/cleanup.h",
    "linux/compiler.h",
    "linux/compiler_attributes.h",
    "linux/compiler_types.h",
    "linux/completion.h",
    "linux/container_of.h",
    "linux/cpu.h",
    "linux/cpumask.h",
    "linux/delay.h",
    "linux/device.h",
    "linux/dma-mapping.h",
    "linux/err.h",
    "linux/errno.h",
    "linux/export.h",
    "linux/freezer.h",
    "linux/fs.h",
    "linux/futex.h",
    "linux/gfp.h",
    "linux/hash.h",
    "linux/hashtable.h",
    "linux/hrtimer.h",
    "linux/init.h",
    "linux/instrumented.h",
    "linux/interrupt.h",
    "linux/io.h",
    "linux/irqflags.h",
    "linux/irqreturn.h",
    "linux/jiffies.h",
    "linux/kconfig.h",
    "linux/kcsan-checks.h",
    "linux/kernel.h",
    "linux/kfifo.h",
    "linux/kref.h",
    "linux/kthread.h",
    "linux/ktime.h",
    "linux/linkage.h",
    "linux/list.h",
    "linux/llist.h",
    "linux/lockdep.h",
    "linux/log2.h",
    "linux/math.h",
    "linux/membarrier.h",
    "linux/minmax.h",
    "linux/mm.h",
    "linux/mm_types.h",
    "linux/module.h",
    "linux/moduleparam.h",
    "linux/mutex.h",
    "linux/mutex_types.h",
    "linux/overflow.h",
    "linux/percpu-defs.h",
    "linux/percpu.h",
    "linux/preempt.h",
    "linux/prefetch.h",
    "linux/printk.h",
    "linux/random.h",
    "linux/rbtree.h",
    "linux/rculist.h",
    "linux/rcupdate.h",
    "linux/refcount.h",
    "linux/rwlock.h",
    "linux/rwlock_types.h",
    "linux/rwsem.h",
    "linux/sched.h",
    "linux/sched/clock.h",
    "linux/sched/signal.h",
    "linux/sched/task.h",
    "linux/semaphore.h",
    "linux/seqlock.h",
    "linux/seqlock_types.h",
    "linux/slab.h",
    "linux/smp.h",
    "linux/smp_types.h",
    "linux/spinlock.h",
    "linux/spinlock_types.h",
    "linux/srcu.h",
    "linux/stddef.h",
    "linux/string.h",
    "linux/swait.h",
    "linux/threads.h",
    "linux/time.h",
    "linux/timer.h",
    "linux/timex.h",
    "linux/types.h",
    "linux/uaccess.h",
    "linux/virtio_config.h",
    "linux/virtio_ring.h",
    "linux/virtio_types.h",
    "linux/vmalloc.h",
    "linux/wait.h",
    "linux/wait_bit.h",
    "linux/workqueue.h",
    "lkmm.h",
    "malloc.h",
    "math.h",
    "poll.h",
    "pthread.h",
    "sched.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/eventfd.h",
    "sys/mman.h",
    "sys/queue.h",
    "sys/stat.h",
    "sys/syscall.h",
    "sys/time.h",
    "sys/types.h",
    "sys/wait.h",
    "threads.h",
    "time.h",
    "unistd.h",
    "x86intrin.h",
    "xmmintrin.h",
}

/// The text of a built-in header.
pub(super) fn find(name: &str) -> Option<&'static str> {
    let found = HEADERS.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text)
}

/// The header that defines a macro with parameters of this name.
pub(super) fn defining(name: &str) -> Option<&'static str> {
    let defines = |text: &str| {
        let mut defined = text
            .lines()
            .filter_map(|line| line.strip_prefix("#define "));
        defined.any(|rest| {
            rest.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('('))
        })
    };
    let found = HEADERS.iter().find(|(_, text)| defines(text));
    found.map(|(name, _)| *name)
}

/// The names of all built-in headers.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    HEADERS.iter().map(|(name, _)| *name)
}
