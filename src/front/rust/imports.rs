//! Where a module takes its atomics from, and how it imports `fence` from there.
//!
//! ```text
//!     use loom::sync::atomic::{AtomicBool, Ordering};         …::{AtomicBool, Ordering, fence};
//!     use loom::sync::atomic::AtomicBool;               →     use loom::sync::atomic::fence;   (one more)
//!     use std::sync::atomic::Ordering;
//! ```
//!
//! A fence of another crate than that of the atomics does nothing for them: `loom` does not see a fence of
//! `std`. So what counts is the imports that name a type of an atomic, then those of the module of
//! atomics. If all of them are conditional, `fence` is imported under each of their conditions.

use super::names::{Names, Target};
use super::source::{Lexeme, is_atomic_type, span};
use syn::{ItemUse, UseTree};

/// An insertion into the text.
pub(super) type Insertion = (usize, String);

/// How a module reaches what belongs to its atomics.
pub(super) struct Source {
    /// What comes before `fence`: `loom::sync::atomic::`
    pub(super) path: String,
    /// What imports `fence`; empty if nothing can.
    pub(super) imports: Vec<Insertion>,
}

/// An import of atomics.
struct Import<'a> {
    item: &'a ItemUse,
    /// What comes before the name: `loom::sync::atomic::`
    path: String,
    /// The end of the last name in the braces that name a type of an atomic.
    group: Option<usize>,
    names_type: bool,
}

/// Where a module takes its atomics from.
pub(super) fn source(names: &Names<'_>, text: &str, lexemes: &[Lexeme], module: usize) -> Source {
    let of = |other: usize| {
        let mut found = atomics(names, other);
        // A module of the program may have some names of the atomics' and not others.
        found.retain(|import| has_fence(names, other, &import.path));
        found
    };
    let own = of(module);
    let around = || (0..names.count()).map(of);
    let (found, is_own) = if own.is_empty() {
        (around().find(|found| !found.is_empty()), false)
    } else {
        (Some(own), true)
    };
    let Some(found) = found else {
        let path = written(lexemes).unwrap_or(names.root_crate()).to_owned();
        let path = format!("{path}::sync::atomic::");
        let last = last_plain(names, module);
        let imports = last.map(|item| line(text, item, "", &path));
        return Source {
            path,
            imports: imports.into_iter().collect(),
        };
    };
    let path = found[0].path.clone();
    let insertion = |of: &Import<'_>| match (is_own, of.group) {
        (true, Some(end)) => Some((end, ", fence".to_owned())),
        (true, None) => Some(line(text, of.item, &conditions(text, of.item), &of.path)),
        (false, _) => {
            let last = last_plain(names, module)?;
            // A path that is not one of a crate may mean something else here.
            let starts_with_crate = !matches!(first(&of.item.tree), None | Some("self" | "super"));
            let known = names.resolve(module, &[first(&of.item.tree)?.to_owned()]);
            let is_same = starts_with_crate && matches!(known, Target::Known(_));
            is_same.then(|| line(text, last, &conditions(text, of.item), &of.path))
        }
    };
    let imports: Option<Vec<Insertion>> = found.iter().map(insertion).collect();
    Source {
        path,
        imports: imports.unwrap_or_default(),
    }
}

/// Whether `fence` can be imported from here.
fn has_fence(names: &Names<'_>, module: usize, path: &str) -> bool {
    let path: Vec<String> = path.split_terminator("::").map(str::to_owned).collect();
    let path = [path, vec!["fence".to_owned()]].concat();
    match names.resolve(module, &path) {
        Target::Known(known) => known.iter().eq(&["sync", "atomic", "fence"]),
        Target::Item(..) | Target::None => false,
    }
}

/// The imports that count in a module.
fn atomics<'a>(names: &Names<'a>, module: usize) -> Vec<Import<'a>> {
    let mut all = Vec::new();
    for &item in names.uses(module) {
        let mut path = Vec::new();
        collect(names, module, item, &item.tree, &mut path, None, &mut all);
    }
    if all.iter().any(|import| import.names_type) {
        all.retain(|import| import.names_type);
    }
    let is_plain = |import: &Import<'_>| import.item.attrs.is_empty();
    if all.iter().any(is_plain) {
        all.retain(is_plain);
        all.truncate(1);
    }
    // One name of an import is enough.
    all.dedup_by_key(|import| span(import.item).start);
    all
}

fn collect<'a>(
    names: &Names<'a>,
    module: usize,
    item: &'a ItemUse,
    tree: &'a UseTree,
    path: &mut Vec<String>,
    group: Option<usize>,
    all: &mut Vec<Import<'a>>,
) {
    let mut leaf = |name: Option<String>| {
        let full: Vec<String> = path.iter().cloned().chain(name).collect();
        let Target::Known(known) = names.resolve(module, &full) else {
            return;
        };
        let (before, names_type) = match &known[..] {
            [.., of, name] if of == "atomic" && is_atomic_type(name) => (&path[..], true),
            [.., of] if of == "atomic" => (&full[..], false),
            _ => return,
        };
        all.push(Import {
            item,
            path: before
                .iter()
                .flat_map(|part| [part.as_str(), "::"])
                .collect(),
            group: group.filter(|_| names_type),
            names_type,
        });
    };
    match tree {
        UseTree::Path(of) => {
            path.push(of.ident.to_string());
            collect(names, module, item, &of.tree, path, None, all);
            path.pop();
        }
        UseTree::Name(of) if of.ident == "self" => leaf(None),
        UseTree::Name(of) => leaf(Some(of.ident.to_string())),
        UseTree::Rename(of) => leaf(Some(of.ident.to_string())),
        UseTree::Glob(_) => leaf(None),
        UseTree::Group(of) => {
            let end = of.items.last().map(|last| span(last).end);
            for tree in &of.items {
                collect(names, module, item, tree, path, end, all);
            }
        }
    }
}

fn first(tree: &UseTree) -> Option<&'static str> {
    let UseTree::Path(of) = tree else {
        return None;
    };
    let known = [
        "std",
        "core",
        "loom",
        "shuttle",
        "portable_atomic",
        "self",
        "super",
    ];
    known.into_iter().find(|name| of.ident == name)
}

/// The crate that an atomic is taken from where it is used: `loom::sync::atomic::AtomicBool`.
fn written(lexemes: &[Lexeme]) -> Option<&str> {
    let words: Vec<&str> = lexemes
        .iter()
        .filter_map(|lexeme| lexeme.word.as_deref())
        .collect();
    let mut paths = words.windows(4);
    let found =
        paths.find(|path| path[1] == "sync" && path[2] == "atomic" && is_atomic_type(path[3]));
    found.map(|path| path[0])
}

/// The last import of a module that is not conditional.
fn last_plain<'a>(names: &Names<'a>, module: usize) -> Option<&'a ItemUse> {
    let mut uses = names.uses(module).iter().rev().copied();
    uses.find(|item| item.attrs.is_empty())
}

/// The attributes of an import, each with the end of its line.
fn conditions(text: &str, item: &ItemUse) -> String {
    let written = item.attrs.iter().filter_map(|one| text.get(span(one)));
    written.flat_map(|one| [one, "\n"]).collect()
}

/// A line after an import, with its indentation.
fn line(text: &str, after: &ItemUse, conditions: &str, path: &str) -> Insertion {
    let of = span(after);
    let start = text[..of.start].rfind('\n').map_or(0, |at| at + 1);
    let indent: String = text[start..]
        .chars()
        .take_while(|c| matches!(c, ' ' | '\t'))
        .collect();
    let lines = format!("{conditions}use {path}fence;");
    let lines: String = lines
        .lines()
        .flat_map(|line| ["\n", &indent, line])
        .collect();
    (of.end, lines)
}
