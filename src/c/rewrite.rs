//! Fences as statements of a C text, in the words that the text already uses.
//!
//! ```text
//!     flag0 = 1;                          flag0 = 1;
//!     r = flag1;                    →     atomic_thread_fence(memory_order_seq_cst);
//!                                         r = flag1;
//! ```
//!
//! A fence goes before a statement or at the end of a block; a statement without braces that is the
//! body of a branch or loop gets some. Everything else stays byte for byte.
//!
//! **Invariant.** The result was parsed again, and is the program after the changes up to numbering and
//! steps that do nothing.
//!
//! **Absent.** Exchanges; removing fences; places inside macros and headers.

use super::{parse, parse_with_ends};
use crate::program::{Change, Fence, Op, Program};
use crate::text::{
    Compiler, Edits, Layer, Parsed, Unwritable, implements_changes, observed, unwritable,
};
use std::collections::BTreeMap;

/// The text with these changes made.
///
/// # Errors
///
/// The first change that no edit of the text makes, and why.
pub(super) fn rewrite(
    text: &str,
    program: &Program,
    changes: &[Change],
) -> Result<String, Unwritable> {
    let Some(first) = changes.first() else {
        return Ok(text.to_owned());
    };
    let matching = |compiler| {
        let (parsed, ends) = parse_with_ends(text, compiler);
        let merged = parsed.program.as_ref() == Some(program);
        let matches = merged || parsed.apart.as_ref() == Some(program);
        matches.then_some((compiler, merged, parsed, ends))
    };
    let found = Compiler::ALL.into_iter().find_map(matching);
    let Some((compiler, merged, parsed, ends)) = found else {
        let why = "the text is not that of the program";
        return Err(unwritable(program, first, why));
    };
    let vocabulary = Vocabulary::of(text);
    let mut places: BTreeMap<usize, (usize, Vec<String>)> = BTreeMap::new();
    for change in changes {
        let refuse = |why: &str| Err(unwritable(program, change, why));
        let Change::Fence { thread, loc, fence } = change else {
            return refuse("only fences are written into C programs");
        };
        let automaton = program.thread(*thread);
        let leaving = automaton.outgoing(*loc);
        let mut position = leaving.iter().map(|&instr| automaton.instruction(instr));
        let Some(position) = position.find(|i| i.op == Op::Skip && i.origin.line > 0) else {
            return refuse("no statement of the text begins here");
        };
        let statement = match fence {
            Fence::Full => vocabulary.full(),
            Fence::Store => vocabulary.store(),
            Fence::Cells(_) | Fence::All => return refuse("C has no such fence"),
        };
        let start = position.origin.start as usize;
        let end = ends.get(&start).copied().unwrap_or(start);
        let (_, statements) = places.entry(start).or_insert((end, Vec::new()));
        // The same words in another thread, or in another call, are one place of the text.
        if statements.is_empty() {
            statements.push(statement.to_owned());
        }
    }
    let mut edits = Edits::default();
    for (start, (end, statements)) in &places {
        if text[*start..*end] == *"}" {
            edits.insert_at_end(text, *start, statements);
        } else if is_bare(text, *start) {
            let open = format!("{{ {} ", statements.join(" "));
            edits.insert(*start, Layer::Around, open);
            edits.insert(*end, Layer::CloseOuter, " }");
        } else {
            edits.insert_before(text, *start, statements);
        }
    }
    let before = observed(parsed.expectations);
    edits
        .apply(text)
        .filter(|out| {
            let mut again = parse(out, compiler);
            if !merged {
                again.program = again.apart.take();
            }
            let again = Parsed {
                program: again.program.map(|program| program.without_places()),
                ..again
            };
            let meant = program.without_places();
            implements_changes(again, &meant, changes, &before, &[])
        })
        .ok_or_else(|| unwritable(program, first, "the text would mean something else"))
}

/// Whether a statement is the body of a branch or loop, without braces.
fn is_bare(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end();
    before.ends_with(')') || before.ends_with("else") || before.ends_with("do")
}

/// The fences that a text would write.
#[derive(Clone, Copy)]
enum Vocabulary {
    Kernel,
    C11,
    Builtin,
    Sync,
}

impl Vocabulary {
    /// That of a text.
    fn of(text: &str) -> Self {
        let has = |word: &str| text.contains(word);
        if has("smp_mb") || has("READ_ONCE") || has("WRITE_ONCE") || has("<linux/") {
            Vocabulary::Kernel
        } else if has("<stdatomic.h>") {
            Vocabulary::C11
        } else if has("__atomic_") {
            Vocabulary::Builtin
        } else {
            Vocabulary::Sync
        }
    }

    fn full(self) -> &'static str {
        match self {
            Vocabulary::Kernel => "smp_mb();",
            Vocabulary::C11 => "atomic_thread_fence(memory_order_seq_cst);",
            Vocabulary::Builtin => "__atomic_thread_fence(__ATOMIC_SEQ_CST);",
            Vocabulary::Sync => "__sync_synchronize();",
        }
    }

    fn store(self) -> &'static str {
        match self {
            Vocabulary::Kernel => "smp_wmb();",
            Vocabulary::C11 => "atomic_thread_fence(memory_order_release);",
            Vocabulary::Builtin | Vocabulary::Sync => "__atomic_thread_fence(__ATOMIC_RELEASE);",
        }
    }
}
