//! How fences are spelled where users write them: in the Linux kernel, in C, in Rust, in assembly.
//!
//! | | full fence | exchange | store fence |
//! |---|---|---|---|
//! | kernel | `smp_mb()` | `smp_store_mb()` | `smp_wmb()` |
//! | C11 | `atomic_thread_fence(memory_order_seq_cst)` | a `seq_cst` store | a release fence |
//! | C with `__atomic_…` of GCC | `__atomic_thread_fence(__ATOMIC_SEQ_CST)` | a `seq_cst` store | a release fence |
//! | C with neither | `__sync_synchronize()` | `__atomic_store_n(…)` | `__atomic_thread_fence(__ATOMIC_RELEASE)` |
//! | Rust | `fence(Ordering::SeqCst)` | `swap(…, SeqCst)` | a release fence |
//! | assembly | `MFENCE`, `LOCK OR` | `XCHG` | `SFENCE` |
//!
//! Each is what compilers turn into the instruction on x86. Other machines may need more.

use crate::program::FenceKind;

/// A vocabulary for fences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Idiom {
    /// The Linux kernel's macros.
    Kernel,
    /// C11 atomics.
    C11,
    /// The built-in functions `__atomic_…` of GCC and Clang, in C without `<stdatomic.h>`.
    Gnu,
    /// The older built-in functions `__sync_…`, in C that uses no atomics at all.
    GnuSync,
    /// `std::sync::atomic`.
    Rust,
    /// x86 assembly.
    Asm,
}

impl Idiom {
    /// All vocabularies, as listed on the command line.
    pub const ALL: &[Idiom] = &[
        Idiom::Kernel,
        Idiom::C11,
        Idiom::Gnu,
        Idiom::GnuSync,
        Idiom::Rust,
        Idiom::Asm,
    ];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Idiom::Kernel => "kernel",
            Idiom::C11 => "c11",
            Idiom::Gnu => "gnu",
            Idiom::GnuSync => "gnu-sync",
            Idiom::Rust => "rust",
            Idiom::Asm => "asm",
        }
    }

    /// Where it is written: `In C11`.
    pub fn place(self) -> &'static str {
        match self {
            Idiom::Kernel => "In the Linux kernel",
            Idiom::C11 => "In C11",
            Idiom::Gnu | Idiom::GnuSync => "In C with the built-in functions of GCC and Clang",
            Idiom::Rust => "In Rust",
            Idiom::Asm => "In x86 assembly",
        }
    }

    /// The spelling of a fence.
    pub fn spelling(self, kind: FenceKind) -> &'static str {
        match (self, kind) {
            (Idiom::Kernel, FenceKind::Full) => "smp_mb()",
            (Idiom::Kernel, FenceKind::Exchange) => "smp_store_mb(x, v)",
            (Idiom::Kernel, FenceKind::Store) => "smp_wmb()",
            (Idiom::C11, FenceKind::Full) => "atomic_thread_fence(memory_order_seq_cst)",
            (Idiom::C11, FenceKind::Exchange) => {
                "atomic_store_explicit(&x, v, memory_order_seq_cst)"
            }
            (Idiom::C11, FenceKind::Store) => "atomic_thread_fence(memory_order_release)",
            (Idiom::Gnu, FenceKind::Full) => "__atomic_thread_fence(__ATOMIC_SEQ_CST)",
            (Idiom::GnuSync, FenceKind::Full) => "__sync_synchronize()",
            (Idiom::Gnu | Idiom::GnuSync, FenceKind::Exchange) => {
                "__atomic_store_n(&x, v, __ATOMIC_SEQ_CST)"
            }
            (Idiom::Gnu | Idiom::GnuSync, FenceKind::Store) => {
                "__atomic_thread_fence(__ATOMIC_RELEASE)"
            }
            (Idiom::Rust, FenceKind::Full) => "fence(Ordering::SeqCst)",
            (Idiom::Rust, FenceKind::Exchange) => "x.swap(v, Ordering::SeqCst)",
            (Idiom::Rust, FenceKind::Store) => "fence(Ordering::Release)",
            (Idiom::Asm, FenceKind::Full) => "MFENCE` or `LOCK OR",
            (Idiom::Asm, FenceKind::Exchange) => "XCHG",
            (Idiom::Asm, FenceKind::Store) => "SFENCE",
        }
    }
}
