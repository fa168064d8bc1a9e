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
    "asm/atomic.h",
    "asm/barrier.h",
    "asm/bug.h",
    "asm/cmpxchg.h",
    "asm/processor.h",
    "assert.h",
    "cpuid.h",
    "ctype.h",
    "dat3m.h",
    "emmintrin.h",
    "err.h",
    "errno.h",
    "fcntl.h",
    "fencepost/keys.h",
    "fencepost/litmus.h",
    "fencepost/strings.h",
    "fencepost/system.h",
    "genmc.h",
    "immintrin.h",
    "inttypes.h",
    "limits.h",
    "linux/atomic.h",
    "linux/bitops.h",
    "linux/bits.h",
    "linux/bug.h",
    "linux/cache.h",
    "linux/compiler.h",
    "linux/completion.h",
    "linux/cpumask.h",
    "linux/delay.h",
    "linux/err.h",
    "linux/export.h",
    "linux/futex.h",
    "linux/init.h",
    "linux/irqflags.h",
    "linux/jiffies.h",
    "linux/kernel.h",
    "linux/kthread.h",
    "linux/list.h",
    "linux/llist.h",
    "linux/minmax.h",
    "linux/module.h",
    "linux/mutex.h",
    "linux/overflow.h",
    "linux/percpu.h",
    "linux/preempt.h",
    "linux/rculist.h",
    "linux/rcupdate.h",
    "linux/refcount.h",
    "linux/sched.h",
    "linux/seqlock.h",
    "linux/slab.h",
    "linux/smp.h",
    "linux/spinlock.h",
    "linux/string.h",
    "linux/types.h",
    "linux/wait.h",
    "lkmm.h",
    "malloc.h",
    "poll.h",
    "pthread.h",
    "sched.h",
    "semaphore.h",
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
