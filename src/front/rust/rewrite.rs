//! Fences as statements of a text in Rust, and stronger stores.
//!
//! ```text
//!     X.store(1, Ordering::Release);          X.store(1, Ordering::Release);
//!     let r = Y.load(Ordering::Acquire);  →   fence(Ordering::SeqCst);
//!                                             let r = Y.load(Ordering::Acquire);
//! ```
//!
//! `fence` is imported from where the module's atomics come from (`imports`), unless the name is known there. Where it stands for
//! something else, or nothing that could be imported is, the fence has its full path. The order of a
//! store, its last argument, becomes `SeqCst`. Edits go into whichever file has the statement.
//!
//! **Absent.** Removing fences.

use super::files::Sources;
use super::imports::{self, Insertion};
use super::names::{Names, Target};
use super::parse;
use super::source::{Lexeme, lexemes};
use crate::lower::Form;
use crate::lower::parsed::stated;
use crate::lower::rewrite::{
    Around, OTHER_TEXT, Places, TextFiles, Words, Written, afterwards, edited, implements,
    opened_block, rewritten, same,
};
use crate::program::{Change, Fence, Origin, Program};
use crate::text::{
    Compiler, FileId, Layer, ParseOptions, Rewritten, Span, Unwritable, has_errors, observed,
    on_large_stack, unwritable,
};
use std::collections::BTreeSet;

/// The text with these changes made, and the other files that have some.
///
/// # Errors
///
/// The first change that no edit of the text makes, and why.
pub(super) fn rewrite(
    text: &str,
    options: &ParseOptions,
    program: &Program,
    changes: &[Change],
) -> Result<Rewritten, Unwritable> {
    let Some(first) = changes.first() else {
        return Ok(Rewritten::from(text.to_owned()));
    };
    let matching = |compiler| {
        let options = options.clone().compiler(compiler);
        let found = parse(text, &options);
        let which = same(&found.parsed, program)?;
        Some((options, found, which))
    };
    let found = Compiler::ALL.into_iter().find_map(matching);
    let vocabulary = on_large_stack(super::STACK, || Vocabulary::of(text, options)).flatten();
    let (Some((options, found, which)), Some((vocabulary, files))) = (found, vocabulary) else {
        return Err(unwritable(program, first, OTHER_TEXT));
    };
    let written = Written {
        program,
        spots: &found.spots,
        words: &vocabulary,
        refused: &|origin| shared(&files, origin),
        text: &|origin| files.text().get(origin.start as usize..origin.end as usize),
    };
    let before = observed(found.parsed.expectations);
    let edit = |places: &Places| {
        let edited = edited(&files, &vocabulary, places)?;
        Some(rewritten(text, &files, edited))
    };
    written.edited(changes, edit, |rewritten, changes| {
        let again = parse(&rewritten.text, &afterwards(&options, rewritten)).parsed;
        implements(again, which, program, changes, &before)
    })
}

/// Why an edit at this place is refused: several modules have the file.
fn shared(files: &Sources<'_>, origin: Origin) -> Option<String> {
    let file = files.at(origin.start as usize);
    files.is_shared(file).then(|| {
        format!(
            "several modules have the file `{}`, each with items of its own",
            files.files()[file].name
        )
    })
}

impl TextFiles for Sources<'_> {
    fn at(&self, position: usize) -> (FileId, usize) {
        let file = self.at(position);
        (FileId(file as u16), self.files()[file].base)
    }

    fn text(&self, file: FileId) -> &str {
        self.text_of(usize::from(file.0))
    }

    fn name(&self, file: FileId) -> &str {
        &self.files()[usize::from(file.0)].name
    }
}

/// How a module writes fences.
struct Module {
    /// What comes before `fence` and `Ordering`.
    fence: String,
    order: String,
    /// What imports `fence`.
    imports: Vec<Insertion>,
}

/// How a text writes fences, by the ranges of its modules; the innermost last.
struct Vocabulary {
    modules: Vec<(Span, Module)>,
}

impl Vocabulary {
    /// That of a text, and its files; `None` if it has errors.
    fn of<'t>(text: &'t str, options: &ParseOptions) -> Option<(Self, Sources<'t>)> {
        let made = Self::made(text, options);
        proc_macro2::extra::invalidate_current_thread_spans();
        made
    }

    fn made<'t>(text: &'t str, options: &ParseOptions) -> Option<(Self, Sources<'t>)> {
        let mut errors = Vec::new();
        let edition = stated(text, &mut errors)
            .edition
            .map(|(edition, _)| edition);
        let (sources, syntax) = Sources::read(text, options, edition, false, &mut errors)?;
        let names = Names::of(&sources, &syntax, &mut errors);
        if has_errors(&errors) {
            return None;
        }
        let mut modules = Vec::new();
        for number in 0..names.count() {
            let own = module(&names, sources.text(), &syntax.lexemes, number);
            modules.push((names.range(number), own));
        }
        drop(names);
        Some((Self { modules }, sources))
    }

    fn at(&self, position: usize) -> Option<&Module> {
        let inside = self
            .modules
            .iter()
            .filter(|(range, _)| range.contains(&position));
        inside
            .max_by_key(|(range, _)| range.start)
            .map(|(_, module)| module)
    }
}

fn module(names: &Names<'_>, text: &str, lexemes: &[Lexeme], number: usize) -> Module {
    let is = |word: &str, path: &[&str]| {
        let target = names.resolve(number, &[word.to_owned()]);
        matches!(target, Target::Known(known) if known.iter().map(String::as_str).eq(path.iter().copied()))
    };
    let is_free = |word: &str| {
        let target = names.resolve(number, &[word.to_owned()]);
        matches!(target, Target::None) && !names.is_imported_elsewhere(number, word)
    };
    let source = imports::source(names, text, lexemes, number);
    let root = source.path;
    let others = source.others;
    let order = if is("Ordering", &["sync", "atomic", "Ordering"]) {
        "Ordering::SeqCst".to_owned()
    } else if is("SeqCst", &["sync", "atomic", "Ordering", "SeqCst"]) {
        "SeqCst".to_owned()
    } else {
        format!("{others}Ordering::SeqCst")
    };
    if is("fence", &["sync", "atomic", "fence"]) {
        return Module {
            fence: String::new(),
            order,
            imports: Vec::new(),
        };
    }
    if source.is_by_path {
        Module {
            fence: root,
            order,
            imports: source.imports,
        }
    } else if is_free("fence") && !source.imports.is_empty() {
        Module {
            fence: String::new(),
            order,
            imports: source.imports,
        }
    } else {
        Module {
            fence: root,
            order,
            imports: Vec::new(),
        }
    }
}

impl Words for Vocabulary {
    fn language(&self) -> &'static str {
        "Rust"
    }

    fn call(&self, fence: &Fence, at: usize) -> Option<String> {
        let module = self.at(at)?;
        let order = match fence {
            Fence::Full => module.order.clone(),
            Fence::Store => {
                let before = module.order.strip_suffix("SeqCst")?;
                if before.is_empty() {
                    // Only `SeqCst` is imported by itself.
                    "std::sync::atomic::Ordering::Release".to_owned()
                } else {
                    format!("{before}Release")
                }
            }
            Fence::Cells(_) | Fence::All => return None,
        };
        Some(format!("{}fence({order})", module.fence))
    }

    fn around(&self, _: &str, _: usize, form: Form, calls: &[String]) -> Option<Around> {
        match form {
            Form::Statement | Form::InMacro => None,
            Form::List | Form::Operand => Some(Around {
                open: opened_block(calls),
                close: Some((Layer::CloseInner, " }")),
            }),
        }
    }

    fn imports(&self, places: &[usize]) -> Vec<Insertion> {
        let modules = places.iter().filter_map(|&place| self.at(place));
        let imports: BTreeSet<&Insertion> = modules.flat_map(|module| &module.imports).collect();
        imports.into_iter().cloned().collect()
    }

    fn strengthened(&self, text: &str) -> Option<Vec<(Span, String)>> {
        strengthened(text)
    }

    fn strengthened_fence(&self, text: &str) -> Option<Vec<(Span, String)>> {
        let found = stronger(text, &["fence"], &["Acquire", "Release", "AcqRel"]);
        proc_macro2::extra::invalidate_current_thread_spans();
        found
    }
}

/// The replacement that makes the store in this text, a call of a method and nothing else, an exchange.
pub(super) fn strengthened(text: &str) -> Option<Vec<(Span, String)>> {
    let found = stronger(text, &["store", "swap"], &["Relaxed", "Release"]);
    proc_macro2::extra::invalidate_current_thread_spans();
    found
}

/// The replacement of the order, one of these, that a call of one of these functions ends with.
fn stronger(text: &str, functions: &[&str], orders: &[&str]) -> Option<Vec<(Span, String)>> {
    let text = text.strip_suffix(';').unwrap_or(text);
    let tokens: proc_macro2::TokenStream = text.parse().ok()?;
    let all: Vec<Lexeme> = lexemes(tokens).ok()?;
    // `….store(…, Ordering::Relaxed)`, perhaps with a comma at the end.
    let word = |lexeme: &Lexeme| lexeme.word.clone();
    let last = all.iter().rev().find(|lexeme| lexeme.word.is_some())?;
    let after = text.get(last.end..)?.trim().trim_start_matches(',').trim();
    let order = word(last)?;
    if after != ")" || !orders.contains(&order.as_str()) {
        return None;
    }
    let close = all.last()?;
    let open = opening(text, &all, close)?;
    let before = &text[..open];
    let name = before
        .trim_end()
        .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
        .next()?;
    if !functions.contains(&name) {
        return None;
    }
    let qualified = text[..last.start].trim_end().ends_with("::");
    let stronger = if qualified {
        "SeqCst".to_owned()
    } else {
        "std::sync::atomic::Ordering::SeqCst".to_owned()
    };
    Some(vec![(last.start..last.end, stronger)])
}

/// Where the bracket opens that this one closes.
fn opening(text: &str, all: &[Lexeme], close: &Lexeme) -> Option<usize> {
    let mut depth = 0_usize;
    for lexeme in all.iter().rev() {
        match text.get(lexeme.start..lexeme.end)? {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return (lexeme.start < close.start).then_some(lexeme.start);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str) -> Option<String> {
        let mut made = text.to_owned();
        for (span, new) in strengthened(text)? {
            made.replace_range(span, &new);
        }
        Some(made)
    }

    #[test]
    fn a_store_gets_a_stronger_order() {
        for (text, stronger) in [
            (
                "X.store(f(1, 2), Ordering::Release)",
                "X.store(f(1, 2), Ordering::SeqCst)",
            ),
            (
                "self.a[i].store(1, atomic::Ordering::Relaxed,)",
                "self.a[i].store(1, atomic::Ordering::SeqCst,)",
            ),
            (
                "X.store(1, Relaxed)",
                "X.store(1, std::sync::atomic::Ordering::SeqCst)",
            ),
        ] {
            assert_eq!(made(text).as_deref(), Some(stronger));
        }
    }

    #[test]
    fn other_texts_stay() {
        for text in [
            "X.load(Ordering::Acquire)",
            "X.store(1, order)",
            "X.store(1, Ordering::SeqCst)",
            "X.fetch_add(1, Ordering::Relaxed)",
            "drop(X.store(1, Ordering::Relaxed))",
            "",
            ")",
        ] {
            assert_eq!(made(text), None, "{text}");
        }
    }
}
