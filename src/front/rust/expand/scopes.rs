//! Which definition the name of a macro stands for.
//!
//! ```text
//!   name!         definitions before it, in its text ──▶ imports around it ──▶ `#[macro_use] extern crate` ──▶ any of its crate
//!   a::b::name!   what the crate of `a` exports, or imports by this name
//! ```
//!
//! In a crate, a path leads to the last definition of its last name wherever that is: a program that compiles has one there.
//! Other crates see what is exported, and what is imported there by the name.

use crate::rust::names::is_known_crate;
use crate::text::Reached;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The character between `crate` and the number of a crate.
const APART: char = '·';

/// What `$crate` is in another crate.
pub(super) fn crate_name(number: usize) -> String {
    format!("crate{APART}{number}")
}

/// The crate that a word stands for which is `$crate` in another one.
pub(in crate::rust) fn crate_number(word: &str) -> Option<usize> {
    let number = word.strip_prefix("crate")?.strip_prefix(APART)?;
    number.parse().ok()
}

/// No macro is imported through more names.
const MOST_IMPORTS: usize = 32;

/// The macros of the standard library, which no definition of the file replaces unless it is in scope.
const KNOWN: [&str; 39] = [
    "addr_of",
    "addr_of_mut",
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "const_format_args",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include_str",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "pin",
    "print",
    "println",
    "ready",
    "stringify",
    "thread_local",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Definition(usize),
    /// Something of a crate whose macros are known otherwise, or that is not there.
    Elsewhere,
    Nothing,
}

/// What is known of a crate.
#[derive(Default)]
struct OfCrate {
    /// The last definition of each name.
    all: BTreeMap<Rc<str>, usize>,
    exported: BTreeMap<Rc<str>, usize>,
    /// The paths that each name is imported by, anywhere.
    imports: BTreeMap<String, Vec<Vec<String>>>,
    /// What everything is imported of.
    globs: Vec<Vec<String>>,
    /// The crates whose macros are known everywhere.
    everywhere: Vec<usize>,
    /// The crates that it can name.
    names: BTreeMap<String, Reached>,
}

/// The imports of a block or a module.
#[derive(Default)]
struct Frame {
    is_module: bool,
    names: Vec<(String, Vec<String>)>,
    globs: Vec<Vec<String>>,
}

/// The names of macros in all crates, and those in scope.
#[derive(Default)]
pub(super) struct Scopes {
    crates: BTreeMap<usize, OfCrate>,
    /// The crate at hand.
    at: usize,
    /// The definitions in scope, the nearest last.
    visible: Vec<(Rc<str>, usize)>,
    frames: Vec<Frame>,
}

impl Scopes {
    /// Begins with a crate, which can name these.
    pub(super) fn begin(&mut self, number: usize, names: &BTreeMap<String, Reached>) {
        self.at = number;
        self.restart();
        self.own().names.clone_from(names);
    }

    /// Begins with the text of the crate once more, whose definitions and imports are known.
    pub(super) fn restart(&mut self) {
        self.visible.clear();
        self.frames = vec![Frame {
            is_module: true,
            ..Frame::default()
        }];
    }

    fn own(&mut self) -> &mut OfCrate {
        self.crates.entry(self.at).or_default()
    }

    /// Whether other crates than this one export macros.
    pub(super) fn has_exported(&self) -> bool {
        self.crates.values().any(|of| !of.exported.is_empty())
    }

    pub(super) fn define(&mut self, name: &Rc<str>, number: usize, is_exported: bool) {
        self.visible.push((name.clone(), number));
        let own = self.own();
        own.all.insert(name.clone(), number);
        if is_exported {
            own.exported.insert(name.clone(), number);
        }
    }

    /// Adds an import to the block or module at hand.
    pub(super) fn import(&mut self, of: &super::syntax::Import) {
        if let Some(frame) = self.frames.last_mut() {
            frame.names.extend(of.names.iter().cloned());
            frame.globs.extend(of.globs.iter().cloned());
        }
        let everywhere = of.everywhere.as_ref();
        let everywhere = everywhere.and_then(|name| match self.own().names.get(name) {
            Some(Reached::Crate(number)) => Some(*number),
            Some(Reached::Absent(_)) | None => None,
        });
        let own = self.own();
        for (name, path) in &of.names {
            own.imports
                .entry(name.clone())
                .or_default()
                .push(path.clone());
        }
        own.globs.extend(of.globs.iter().cloned());
        own.everywhere.extend(everywhere);
    }

    /// Enters a block or a module.
    pub(super) fn enter(&mut self, is_module: bool) {
        self.frames.push(Frame {
            is_module,
            ..Frame::default()
        });
    }

    pub(super) fn leave(&mut self) {
        self.frames.pop();
    }

    /// How many definitions are in scope.
    pub(super) fn count(&self) -> usize {
        self.visible.len()
    }

    /// Only so many definitions are in scope any more.
    pub(super) fn truncate(&mut self, count: usize) {
        self.visible.truncate(count);
    }

    /// The definition that a path stands for; `None` if that is not one of the program.
    pub(super) fn find(&self, path: &[String]) -> Option<usize> {
        let (name, before) = path.split_last()?;
        if !before.is_empty() {
            return definition(self.of_path(self.at, path, 0));
        }
        let mut visible = self.visible.iter().rev();
        if let Some((_, number)) = visible.find(|(own, _)| **own == **name) {
            return Some(*number);
        }
        for frame in self.frames.iter().rev() {
            let named = frame.names.iter().filter(|(own, _)| own == name);
            let named = named.map(|(_, path)| self.of_path(self.at, path, 0));
            let of_globs = frame
                .globs
                .iter()
                .map(|path| self.of_glob(self.at, path, name, 0));
            let mut found = named.chain(of_globs);
            if let Some(found) = found.find(|found| *found != Found::Nothing) {
                return definition(found);
            }
            if frame.is_module {
                break;
            }
        }
        let own = self.crates.get(&self.at)?;
        let everywhere = own.everywhere.iter().filter_map(|of| self.crates.get(of));
        let mut everywhere = everywhere.filter_map(|of| of.exported.get(&**name));
        let found = everywhere.next();
        let is_known = KNOWN.contains(&name.as_str());
        found
            .or_else(|| own.all.get(&**name).filter(|_| !is_known))
            .copied()
    }

    /// What a path stands for in a crate.
    fn of_path(&self, within: usize, path: &[String], depth: usize) -> Found {
        let Some((name, before)) = path.split_last().filter(|_| depth < MOST_IMPORTS) else {
            return Found::Nothing;
        };
        let number = match before.first() {
            Some(first) => match self.crate_of(within, first, depth) {
                Ok(number) => number,
                Err(found) => return found,
            },
            None => within,
        };
        let Some(of) = self.crates.get(&number) else {
            return Found::Nothing;
        };
        let all = if number == within {
            &of.all
        } else {
            &of.exported
        };
        if let Some(number) = all.get(&**name) {
            return Found::Definition(*number);
        }
        let named = of.imports.get(name).into_iter().flatten();
        let named = named.filter(|other| number != within || *other != path);
        let named = named.map(|path| self.of_path(number, path, depth + 1));
        let of_globs = of
            .globs
            .iter()
            .map(|path| self.of_glob(number, path, name, depth + 1));
        let mut found = named.chain(of_globs);
        found
            .find(|found| *found != Found::Nothing)
            .unwrap_or(Found::Nothing)
    }

    /// What a name stands for of which everything is imported from another crate.
    fn of_glob(&self, within: usize, path: &[String], name: &str, depth: usize) -> Found {
        let first = path
            .first()
            .map(|first| self.crate_of(within, first, depth));
        match first {
            Some(Ok(number)) if number != within => {
                let path = [path, &[name.to_owned()]].concat();
                self.of_path(within, &path, depth + 1)
            }
            Some(Ok(_) | Err(_)) | None => Found::Nothing,
        }
    }

    /// The crate in which a path goes on that begins with this word in a crate.
    ///
    /// # Errors
    ///
    /// What the path stands for, if that is not one that was read.
    fn crate_of(&self, within: usize, first: &str, depth: usize) -> Result<usize, Found> {
        if let Some(number) = crate_number(first) {
            return Ok(number);
        }
        if matches!(first, "crate" | "self" | "super") {
            return Ok(within);
        }
        if is_known_crate(first) {
            return Err(Found::Elsewhere);
        }
        let of = self.crates.get(&within);
        match of.and_then(|of| of.names.get(first)) {
            Some(Reached::Crate(number)) => return Ok(*number),
            Some(Reached::Absent(_)) => return Err(Found::Elsewhere),
            None => {}
        }
        // A module, or another name of a crate.
        let imports = of.and_then(|of| of.imports.get(first));
        let mut firsts = imports
            .into_iter()
            .flatten()
            .filter_map(|path| path.first());
        match firsts.find(|other| *other != first && depth < MOST_IMPORTS) {
            Some(other) => self.crate_of(within, other, depth + 1),
            None => Ok(within),
        }
    }
}

fn definition(found: Found) -> Option<usize> {
    match found {
        Found::Definition(number) => Some(number),
        Found::Elsewhere | Found::Nothing => None,
    }
}
