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
//! atomics. If all of them are conditional, `fence` is imported under each of their conditions, and the conditional path is
//! written nowhere else: a module without imports of its own names what the module around it has imported. A module of the
//! program that has some names of the atomics', and not `fence`, gets it from where it has them:
//!
//! ```text
//!     mod sync { #[cfg(loom)] pub use loom::sync::atomic::{AtomicBool, fence}; … }      use crate::sync::{AtomicBool, fence};
//! ```

use super::names::{Named, Names, Target};
use super::source::{Lexeme, is_atomic_type, span};
use syn::{Item, ItemUse, UseTree, Visibility};

/// An insertion into the text.
pub(super) type Insertion = (usize, String);

/// No name is imported through more modules.
const MOST_MODULES: usize = 16;

/// How a module reaches what belongs to its atomics.
pub(super) struct Source {
    /// What comes before `fence`: `loom::sync::atomic::`
    pub(super) path: String,
    /// What comes before the other names of the atomics'.
    pub(super) others: String,
    /// Whether `fence` is written with its path, whatever is imported.
    pub(super) is_by_path: bool,
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
    /// The name of the module of atomics where it is imported.
    own: Option<String>,
}

/// Where a module takes its atomics from.
pub(super) fn source(names: &Names<'_>, text: &str, lexemes: &[Lexeme], module: usize) -> Source {
    // A module of the program may have some names of the atomics' and not others, and get them.
    let of = |other: usize| {
        let mut found = atomics(names, other);
        found.retain(|import| available(names, text, other, &import.path, 0).is_some());
        found
    };
    let own = of(module);
    let around = || (0..names.count()).map(|other| (other, of(other)));
    let found = if own.is_empty() {
        around().find(|(_, found)| !found.is_empty())
    } else {
        Some((module, own))
    };
    let Some((from, found)) = found else {
        let path = written(lexemes).unwrap_or(names.root_crate()).to_owned();
        let path = format!("{path}::sync::atomic::");
        let last = last_plain(names, module);
        let imports = last.map(|item| line(text, item, "", &path));
        return Source {
            others: path.clone(),
            path,
            is_by_path: false,
            imports: imports.into_iter().collect(),
        };
    };
    let path = found[0].path.clone();
    let others = found[0].own.as_ref();
    let others = others.map_or_else(|| path.clone(), |own| format!("{own}::"));
    let is_own = from == module;
    let is_conditional = found.iter().any(|import| !import.item.attrs.is_empty());
    if !is_own && is_conditional && names.is_within(module, from) {
        // It is imported where the other names are.
        let imports = extended(names, text, from, &found, 0).unwrap_or_default();
        let path = names.path_of(from);
        return Source {
            others: path.clone(),
            path,
            is_by_path: !names.is_part_of(module, from),
            imports,
        };
    }
    let imports = if is_own {
        extended(names, text, module, &found, 0)
    } else {
        let insertion = |of: &Import<'_>| {
            let last = last_plain(names, module)?;
            // A path that is not one of a crate may mean something else here.
            let starts_with_crate = !matches!(first(&of.item.tree), None | Some("self" | "super"));
            let known = names.resolve(module, &[first(&of.item.tree)?.to_owned()]);
            let is_same = starts_with_crate && matches!(known, Target::Known(_));
            is_same.then(|| line(text, last, &conditions(text, of.item), &of.path))
        };
        found.iter().map(insertion).collect()
    };
    Source {
        path,
        others,
        is_by_path: false,
        imports: imports.unwrap_or_default(),
    }
}

/// What imports `fence` into a module by these imports of it, and into the modules of the program that they are from.
fn extended(
    names: &Names<'_>,
    text: &str,
    module: usize,
    imports: &[Import<'_>],
    depth: usize,
) -> Option<Vec<Insertion>> {
    let mut all = Vec::new();
    for import in imports {
        all.extend(available(names, text, module, &import.path, depth)?);
        all.push(match import.group {
            Some(end) => (end, ", fence".to_owned()),
            None => line(
                text,
                import.item,
                &conditions(text, import.item),
                &import.path,
            ),
        });
    }
    all.sort();
    all.dedup();
    Some(all)
}

/// What makes `fence` known by a path in a module: nothing if it is; `None` if nothing does.
fn available(
    names: &Names<'_>,
    text: &str,
    module: usize,
    path: &str,
    depth: usize,
) -> Option<Vec<Insertion>> {
    if has_fence(names, module, path) {
        return Some(Vec::new());
    }
    let words: Vec<String> = path.split_terminator("::").map(str::to_owned).collect();
    let Target::Item(_, Named::Module(other)) = names.resolve(module, &words) else {
        return None;
    };
    if depth > MOST_MODULES || names.has(other, "fence") {
        return None;
    }
    let imports = atomics(names, other);
    let mut all = Some(extended(names, text, other, &imports, depth + 1)?);
    all = all.filter(|all| !all.is_empty());
    // The same module in other configurations.
    for instead in names.instead_of(other) {
        let items = instead.content.iter().flat_map(|(_, items)| items);
        let uses = items.filter_map(|item| match item {
            Item::Use(of) => Some(of),
            _ => None,
        });
        let imports = counting(names, other, uses);
        all.as_mut()?
            .extend(extended(names, text, other, &imports, depth + 1)?);
    }
    all
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
    counting(names, module, names.uses(module).iter().copied())
}

/// Those of these imports that count.
fn counting<'a>(
    names: &Names<'a>,
    module: usize,
    uses: impl Iterator<Item = &'a ItemUse>,
) -> Vec<Import<'a>> {
    let mut all = Vec::new();
    for item in uses {
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
    let mut leaf = |name: Option<String>, own: Option<String>| {
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
            own: own.filter(|_| !names_type),
        });
    };
    match tree {
        UseTree::Path(of) => {
            path.push(of.ident.to_string());
            collect(names, module, item, &of.tree, path, None, all);
            path.pop();
        }
        UseTree::Name(of) if of.ident == "self" => {
            let own = path.last().cloned();
            leaf(None, own);
        }
        UseTree::Name(of) => leaf(Some(of.ident.to_string()), Some(of.ident.to_string())),
        UseTree::Rename(of) => leaf(
            Some(of.ident.to_string()).filter(|name| name != "self"),
            Some(of.rename.to_string()),
        ),
        UseTree::Glob(_) => leaf(None, None),
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
    let visibility = match &after.vis {
        Visibility::Inherited => String::new(),
        other => text
            .get(span(other))
            .map(|of| format!("{of} "))
            .unwrap_or_default(),
    };
    let lines = format!("{conditions}{visibility}use {path}fence;");
    let lines: String = lines
        .lines()
        .flat_map(|line| ["\n", &indent, line])
        .collect();
    (of.end, lines)
}
