//! Fences in the words of a text, and the edits that insert them.
//!
//! | position | edit |
//! |---|---|
//! | before a statement, at the end of a block | `fence; s` on a line of its own |
//! | before a statement without braces after `if (…)`, `else`, `do` … | `{ fence; s }` |
//! | before an expression where a comma may be | `fence, e` |
//! | before an operand | `(fence, e)` |
//! | before a statement in the definition of a macro | `fence; s`, on a line of its own where `s` has one |
//! | before both in a text with statement expressions, or of the kernel | `({ fence; e; })` |

use crate::c::without_directives;
use crate::lower::Form;
use crate::lower::rewrite::{Around, Words, opened_block};
use crate::program::{Fence, FenceKind};
use crate::text::{Idiom, Layer, Span};

/// How a text would write fences.
#[derive(Clone, Copy)]
pub(super) struct Vocabulary {
    idiom: Idiom,
    /// Whether no macro has a meaning any more.
    is_preprocessed: bool,
    /// Whether it has statement expressions.
    blocks: bool,
}

impl Vocabulary {
    /// That of a program with this text.
    pub(super) fn of(text: &str, is_preprocessed: bool) -> Self {
        let idiom = if is_preprocessed {
            Idiom::GnuSync
        } else {
            idiom_of(text)
        };
        Self {
            is_preprocessed,
            ..Self::new(idiom, text)
        }
    }

    /// That of a litmus test, which includes nothing.
    pub(super) fn of_test(text: &str) -> Self {
        Self::new(idiom_of_test(text), text)
    }

    fn new(idiom: Idiom, text: &str) -> Self {
        Self {
            idiom,
            is_preprocessed: false,
            // The kernel's barriers need not be expressions.
            blocks: idiom == Idiom::Kernel || text.contains("({"),
        }
    }
}

/// The words for fences that a program with this text uses.
pub(crate) fn idiom_of(text: &str) -> Idiom {
    if has_any(text, &["smp_mb", "READ_ONCE", "WRITE_ONCE", "<linux/"]) {
        Idiom::Kernel
    } else if text.contains("<stdatomic.h>") {
        Idiom::C11
    } else if text.contains("__atomic_") {
        Idiom::Gnu
    } else {
        Idiom::GnuSync
    }
}

/// Those of a litmus test.
pub(crate) fn idiom_of_test(text: &str) -> Idiom {
    let kernel = ["READ_ONCE", "WRITE_ONCE", "smp_", "spin_", "rcu_"];
    if has_any(text, &kernel) {
        Idiom::Kernel
    } else if has_any(text, &["__atomic_", "__sync_"]) {
        Idiom::Gnu
    } else {
        Idiom::C11
    }
}

impl Words for Vocabulary {
    fn language(&self) -> &'static str {
        "C"
    }

    fn call(&self, fence: &Fence, _: usize) -> Option<String> {
        let kind = match fence {
            Fence::Full => FenceKind::Full,
            Fence::Store => FenceKind::Store,
            Fence::Cells(_) | Fence::All => return None,
        };
        let call = if self.is_preprocessed && kind == FenceKind::Store {
            "__atomic_thread_fence(3)"
        } else {
            self.idiom.spelling(kind)
        };
        Some(call.to_owned())
    }

    fn strengthened(&self, text: &str) -> Option<Vec<(Span, String)>> {
        super::strengthened(text)
    }

    fn strengthened_fence(&self, text: &str) -> Option<Vec<(Span, String)>> {
        super::strengthened_fence(text)
    }

    fn around(&self, text: &str, start: usize, form: Form, calls: &[String]) -> Option<Around> {
        let (open, close) = match form {
            Form::Statement if is_bare(text, start) => {
                (opened_block(calls), Some((Layer::CloseOuter, " }")))
            }
            Form::Statement => return None,
            Form::InMacro => (in_macro(text, start, calls), None),
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

/// The calls as statements in the definition of a macro. Where a line begins, the next one is indented like it.
fn in_macro(text: &str, start: usize, calls: &[String]) -> String {
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let indent = &text[line..start];
    let is_first = !indent.is_empty() && indent.chars().all(|c| c == ' ' || c == '\t');
    let (before, after) = if is_first {
        ("", format!("; \\\n{indent}"))
    } else if indent.ends_with([' ', '\t']) {
        ("", "; ".to_owned())
    } else {
        // At the end of a block.
        (" ", ";".to_owned())
    };
    let parts = calls
        .iter()
        .flat_map(|call| [before, call.as_str(), after.as_str()]);
    parts.collect()
}

/// Whether a statement is the body of a branch or loop, without braces.
fn is_bare(text: &str, start: usize) -> bool {
    let before = without_directives(&text[..start]);
    before.ends_with(')') || before.ends_with("else") || before.ends_with("do")
}
