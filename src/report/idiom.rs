//! How fences are spelled where users write them: in the Linux kernel, in C11, in Rust, in assembly.
//!
//! | | kernel | C11 | Rust | assembly |
//! |---|---|---|---|---|
//! | full fence | `smp_mb()` | `atomic_thread_fence(memory_order_seq_cst)` | `fence(Ordering::SeqCst)` | `MFENCE`, `LOCK OR` |
//! | exchange | `smp_store_mb()` | a `seq_cst` store | `swap(…, SeqCst)` | `XCHG` |
//! | store fence | `smp_wmb()` | a release fence | a release fence | `SFENCE` |
//!
//! Each is what compilers turn into the instruction on x86. Other machines may need more.

use super::Source;
use crate::formats::Format;
use crate::program::{FenceKind, Origin};
use strum::VariantArray;

/// A vocabulary for fences.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Idiom {
    /// The Linux kernel's macros.
    Kernel,
    /// C11 atomics.
    C11,
    /// `std::sync::atomic`.
    Rust,
    /// x86 assembly.
    Asm,
}

impl Idiom {
    /// All vocabularies, as listed on the command line.
    pub const ALL: &[Idiom] = Idiom::VARIANTS;

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The one that a text uses; `None` for a language with fences of its own.
    pub(crate) fn of(source: &Source<'_>) -> Option<Self> {
        match source.format {
            Format::Fence | Format::Trencher => None,
            Format::Litmus => Some(Idiom::Asm),
            Format::LitmusC | Format::C if source.format.is_kernel_text(source.text) => {
                Some(Idiom::Kernel)
            }
            Format::LitmusC | Format::C => Some(Idiom::C11),
            Format::Rust => Some(Idiom::Rust),
        }
    }

    /// Where it is written.
    pub(super) fn place(self) -> &'static str {
        match self {
            Idiom::Kernel => "In the Linux kernel",
            Idiom::C11 => "In C11",
            Idiom::Rust => "In Rust",
            Idiom::Asm => "In x86 assembly",
        }
    }

    /// The spelling of a fence.
    pub(super) fn spelling(self, kind: FenceKind) -> &'static str {
        match (self, kind) {
            (Idiom::Kernel, FenceKind::Full) => "smp_mb()",
            (Idiom::Kernel, FenceKind::Exchange) => "smp_store_mb(x, v)",
            (Idiom::Kernel, FenceKind::Store) => "smp_wmb()",
            (Idiom::C11, FenceKind::Full) => "atomic_thread_fence(memory_order_seq_cst)",
            (Idiom::C11, FenceKind::Exchange) => {
                "atomic_store_explicit(&x, v, memory_order_seq_cst)"
            }
            (Idiom::C11, FenceKind::Store) => "atomic_thread_fence(memory_order_release)",
            (Idiom::Rust, FenceKind::Full) => "fence(Ordering::SeqCst)",
            (Idiom::Rust, FenceKind::Exchange) => "x.swap(v, Ordering::SeqCst)",
            (Idiom::Rust, FenceKind::Store) => "fence(Ordering::Release)",
            (Idiom::Asm, FenceKind::Full) => "MFENCE` or `LOCK OR",
            (Idiom::Asm, FenceKind::Exchange) => "XCHG",
            (Idiom::Asm, FenceKind::Store) => "SFENCE",
        }
    }
}

/// What a fence of this kind is called.
pub(super) fn noun(kind: FenceKind) -> &'static str {
    match kind {
        FenceKind::Full => "a fence",
        FenceKind::Store => "a store fence",
        FenceKind::Exchange => "an exchange",
    }
}

/// The C11 fences of a text that order no store before a later load, each as it is written and with its
/// line: on x86 they are no instruction.
pub(super) fn free_fences(source: &Source<'_>) -> Vec<(String, u32)> {
    let name = match source.format {
        Format::C | Format::LitmusC => "atomic_thread_fence(",
        Format::Rust => "fence(",
        Format::Fence | Format::Litmus | Format::Trencher => return Vec::new(),
    };
    let mut found = Vec::new();
    let mut start = 0;
    for (number, line) in source.text.split_inclusive('\n').enumerate() {
        let origin = Origin {
            start: start as u32,
            ..Origin::default()
        };
        start += line.len();
        // The lines of other files have other numbers.
        if source.program.file(origin).is_some() {
            continue;
        }
        let code = line.split("//").next().unwrap_or_default();
        let Some((before, call)) = code.split_once(name) else {
            continue;
        };
        let argument = call.split(')').next().unwrap_or_default().trim();
        let order = argument.to_ascii_lowercase();
        let is_free = ["acquire", "release", "acq_rel", "acqrel", "consume"]
            .iter()
            .any(|weak| order.ends_with(weak));
        // `compiler_fence` is no fence of the machine in any order.
        if is_free && !before.ends_with("compiler_") {
            let prefix = if before.ends_with("__") { "__" } else { "" };
            found.push((format!("{prefix}{name}{argument})"), number as u32 + 1));
        }
    }
    found
}
