//! Fences in the words of a text, and the edits that insert them.
//!
//! | position | edit |
//! |---|---|
//! | before a statement, at the end of a block | `fence; s` on a line of its own |
//! | before a statement without braces after `if (…)`, `else`, `do` … | `{ fence; s }` |
//! | before an expression where a comma may be | `fence, e` |
//! | before an operand | `(fence, e)` |
//! | before both in a text with statement expressions, or of the kernel | `({ fence; e; })` |

use crate::c::lower::Form;
use crate::c::without_directives;
use crate::program::Fence;
use crate::text::{Edits, Layer};

/// The fences that a text would write.
#[derive(Clone, Copy)]
enum Words {
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
    words: Words,
    /// Whether it has statement expressions.
    blocks: bool,
}

impl Vocabulary {
    /// That of a program with this text.
    pub(super) fn of(text: &str, is_preprocessed: bool) -> Self {
        let has = |word: &str| text.contains(word);
        let words = if is_preprocessed {
            Words::Preprocessed
        } else if has_any(text, &["smp_mb", "READ_ONCE", "WRITE_ONCE", "<linux/"]) {
            Words::Kernel
        } else if has("<stdatomic.h>") {
            Words::C11
        } else if has("__atomic_") {
            Words::Builtin
        } else {
            Words::Sync
        };
        Self::new(words, text)
    }

    /// That of a litmus test, which includes nothing.
    pub(super) fn of_test(text: &str) -> Self {
        let words = if has_any(text, &["READ_ONCE", "WRITE_ONCE", "smp_", "spin_", "rcu_"]) {
            Words::Kernel
        } else if has_any(text, &["__atomic_", "__sync_"]) {
            Words::Builtin
        } else {
            Words::C11
        };
        Self::new(words, text)
    }

    fn new(words: Words, text: &str) -> Self {
        // The kernel's barriers need not be expressions.
        let blocks = matches!(words, Words::Kernel) || text.contains("({");
        Self { words, blocks }
    }

    /// A call that is this fence; `None` if C has no such fence.
    pub(super) fn call(self, fence: &Fence) -> Option<&'static str> {
        match fence {
            Fence::Full => Some(match self.words {
                Words::Kernel => "smp_mb()",
                Words::C11 => "atomic_thread_fence(memory_order_seq_cst)",
                Words::Builtin => "__atomic_thread_fence(__ATOMIC_SEQ_CST)",
                Words::Sync | Words::Preprocessed => "__sync_synchronize()",
            }),
            Fence::Store => Some(match self.words {
                Words::Kernel => "smp_wmb()",
                Words::C11 => "atomic_thread_fence(memory_order_release)",
                Words::Builtin | Words::Sync => "__atomic_thread_fence(__ATOMIC_RELEASE)",
                Words::Preprocessed => "__atomic_thread_fence(3)",
            }),
            Fence::Cells(_) | Fence::All => None,
        }
    }

    /// Inserts calls before what is here in the text.
    pub(super) fn insert(
        self,
        edits: &mut Edits,
        text: &str,
        (start, end): (usize, usize),
        form: Form,
        calls: &[&str],
    ) {
        let statements: Vec<String> = calls.iter().map(|call| format!("{call};")).collect();
        match form {
            Form::Statement if text[start..end] == *"}" => {
                edits.insert_at_end(text, start, &statements);
            }
            Form::Statement if is_bare(text, start) => {
                let open = format!("{{ {} ", statements.join(" "));
                edits.insert(start, Layer::Around, open);
                edits.insert(end, Layer::CloseOuter, " }");
            }
            Form::Statement => edits.insert_before(text, start, &statements),
            Form::List | Form::Operand if self.blocks => {
                let open = format!("({{ {} ", statements.join(" "));
                edits.insert(start, Layer::Around, open);
                edits.insert(end, Layer::CloseInner, "; })");
            }
            Form::List => edits.insert(start, Layer::Around, list(calls)),
            Form::Operand => {
                edits.insert(start, Layer::Around, format!("({}", list(calls)));
                edits.insert(end, Layer::CloseInner, ")");
            }
        }
    }
}

/// Whether the text has one of these words.
fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// `f(), g(), `
fn list(calls: &[&str]) -> String {
    calls.iter().flat_map(|call| [call, ", "]).collect()
}

/// Whether a statement is the body of a branch or loop, without braces.
fn is_bare(text: &str, start: usize) -> bool {
    let before = without_directives(&text[..start]);
    before.ends_with(')') || before.ends_with("else") || before.ends_with("do")
}
