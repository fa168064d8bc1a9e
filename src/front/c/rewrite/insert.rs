//! Fences in the words of a text, and the edits that insert them.
//!
//! | position | edit |
//! |---|---|
//! | before a statement, at the end of a block | `fence; s` on a line of its own |
//! | before a statement without braces after `if (…)`, `else`, `do` … | `{ fence; s }` |
//! | before an expression where a comma may be | `fence, e` |
//! | before an operand | `(fence, e)` |
//! | before both in a text with statement expressions, or of the kernel | `({ fence; e; })` |

use crate::c::without_directives;
use crate::lower::Form;
use crate::lower::rewrite::{Around, Words, opened_block};
use crate::program::Fence;
use crate::text::{Layer, Span};

/// The fences that a text would write.
#[derive(Clone, Copy)]
enum Spelling {
    Kernel,
    C11,
    Builtin,
    Sync,
    /// No macro has a meaning any more.
    Preprocessed,
}

/// How a text would write fences.
#[derive(Clone, Copy)]
pub(super) struct Vocabulary {
    words: Spelling,
    /// Whether it has statement expressions.
    blocks: bool,
}

impl Vocabulary {
    /// That of a program with this text.
    pub(super) fn of(text: &str, is_preprocessed: bool) -> Self {
        let has = |word: &str| text.contains(word);
        let words = if is_preprocessed {
            Spelling::Preprocessed
        } else if is_kernel_text(text) {
            Spelling::Kernel
        } else if has("<stdatomic.h>") {
            Spelling::C11
        } else if has("__atomic_") {
            Spelling::Builtin
        } else {
            Spelling::Sync
        };
        Self::new(words, text)
    }

    /// That of a litmus test, which includes nothing.
    pub(super) fn of_test(text: &str) -> Self {
        let words = if has_any(text, &["READ_ONCE", "WRITE_ONCE", "smp_", "spin_", "rcu_"]) {
            Spelling::Kernel
        } else if has_any(text, &["__atomic_", "__sync_"]) {
            Spelling::Builtin
        } else {
            Spelling::C11
        };
        Self::new(words, text)
    }

    fn new(words: Spelling, text: &str) -> Self {
        // The kernel's barriers need not be expressions.
        let blocks = matches!(words, Spelling::Kernel) || text.contains("({");
        Self { words, blocks }
    }
}

impl Words for Vocabulary {
    fn language(&self) -> &'static str {
        "C"
    }

    fn call(&self, fence: &Fence, _: usize) -> Option<String> {
        let call = match fence {
            Fence::Full => Some(match self.words {
                Spelling::Kernel => "smp_mb()",
                Spelling::C11 => "atomic_thread_fence(memory_order_seq_cst)",
                Spelling::Builtin => "__atomic_thread_fence(__ATOMIC_SEQ_CST)",
                Spelling::Sync | Spelling::Preprocessed => "__sync_synchronize()",
            }),
            Fence::Store => Some(match self.words {
                Spelling::Kernel => "smp_wmb()",
                Spelling::C11 => "atomic_thread_fence(memory_order_release)",
                Spelling::Builtin | Spelling::Sync => "__atomic_thread_fence(__ATOMIC_RELEASE)",
                Spelling::Preprocessed => "__atomic_thread_fence(3)",
            }),
            Fence::Cells(_) | Fence::All => None,
        };
        call.map(str::to_owned)
    }

    fn strengthened(&self, text: &str) -> Option<Vec<(Span, String)>> {
        super::strengthened(text)
    }

    fn around(&self, text: &str, start: usize, form: Form, calls: &[String]) -> Option<Around> {
        let (open, close) = match form {
            Form::Statement if is_bare(text, start) => {
                (opened_block(calls), Some((Layer::CloseOuter, " }")))
            }
            Form::Statement => return None,
            Form::List | Form::Operand if self.blocks => (
                format!("({}", opened_block(calls)),
                Some((Layer::CloseInner, "; })")),
            ),
            Form::List => (list(calls), None),
            Form::Operand => (format!("({}", list(calls)), Some((Layer::CloseInner, ")"))),
        };
        Some(Around { open, close })
    }
}

/// Whether a text uses the kernel's macros.
pub(crate) fn is_kernel_text(text: &str) -> bool {
    has_any(text, &["smp_mb", "READ_ONCE", "WRITE_ONCE", "<linux/"])
}

/// Whether the text has one of these words.
fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// `f(), g(), `
fn list(calls: &[String]) -> String {
    calls
        .iter()
        .flat_map(|call| [call.as_str(), ", "])
        .collect()
}

/// Whether a statement is the body of a branch or loop, without braces.
fn is_bare(text: &str, start: usize) -> bool {
    let before = without_directives(&text[..start]);
    before.ends_with(')') || before.ends_with("else") || before.ends_with("do")
}
