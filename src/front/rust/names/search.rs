//! What paths stand for.
//!
//! The first part of a path is looked for in the module itself, in what it imports by name, in what it imports with
//! everything of another module, around it if it is a block, and among the crates; each other part in what the part before
//! it stands for. A name that stands for a module and for something else is the module before `::`.
//!
//! **Invariant.** A search looks for a name in a module once. While it does, the name is not there: imports of everything may
//! form cycles, and what a cycle leads back to is looked through where the search came from.

use super::known::{PRELUDE, is_known_crate, is_of_glob, known};
use super::{Entry, Named, Names, Target};
use crate::rust::expand::crate_number;
use crate::rust::unit::words_of;
use crate::text::{Diagnostic, Reached};
use std::collections::BTreeMap;

/// Why names are not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::rust) enum Missing {
    /// The file of this module is not there.
    Module { name: String, searched: String },
    /// This crate is not there.
    Crate { name: String, searched: String },
}

impl Missing {
    /// The error about a name that is not known, and why.
    pub(in crate::rust) fn explain(self, error: Diagnostic) -> Diagnostic {
        let (what, searched) = match self {
            Missing::Module { name, searched } => (
                format!("the file of the module `{name}` was not found"),
                searched,
            ),
            Missing::Crate { name, searched } => {
                (format!("the crate `{name}` was not found"), searched)
            }
        };
        error.note(format!("{what}: {searched}"))
    }
}

/// What a name is followed by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Before {
    Colons,
    Nothing,
}

/// A name that is looked for in a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Wanted<'p> {
    module: usize,
    name: &'p str,
    before: Before,
    /// The module in which it has to be visible.
    viewer: usize,
}

/// A search for one path.
struct Search<'s, 'a> {
    names: &'s Names<'a>,
    /// What was found; `None` of what is being looked for.
    seen: BTreeMap<Wanted<'s>, Option<Target<'a>>>,
    missing: Option<Missing>,
}

impl<'a> Names<'a> {
    /// What a path stands for in a module.
    pub(in crate::rust) fn resolve(&self, module: usize, path: &[String]) -> Target<'a> {
        match self.search(module, path).0 {
            Target::Known(known) => {
                let found = self.in_library(&known);
                found.unwrap_or(Target::Known(known))
            }
            found @ (Target::Item(..) | Target::None) => found,
        }
    }

    /// What a path of a known crate, without the crate, stands for in the library that is written in Rust.
    pub(in crate::rust) fn in_library(&self, path: &[String]) -> Option<Target<'a>> {
        let mut search = Search::of(self);
        let library = self.library;
        match search.find_from(library, path, Before::Nothing, library) {
            found @ Target::Item(..) => Some(found),
            Target::Known(_) | Target::None => None,
        }
    }

    /// The trait of the text that an `impl` implements.
    pub(in crate::rust) fn trait_of(&self, number: usize) -> Option<usize> {
        let of = &self.impls[number];
        *of.of_trait.get_or_init(|| {
            let (_, path, _) = of.item.trait_.as_ref()?;
            match self.resolve(of.module, &words_of(path)) {
                Target::Item(_, Named::Trait(of)) => Some(of),
                Target::Item(..) | Target::Known(_) | Target::None => None,
            }
        })
    }

    /// Why nothing is known of a path in a module, if it is because of something that was not found.
    pub(in crate::rust) fn missing(&self, module: usize, path: &[String]) -> Option<Missing> {
        self.search(module, path).1
    }

    fn search(&self, module: usize, path: &[String]) -> (Target<'a>, Option<Missing>) {
        let mut search = Search::of(self);
        let found = search.find(module, path, Before::Nothing);
        (found, search.missing)
    }

    /// The first module of the crate of a module.
    pub(super) fn root_of(&self, module: usize) -> usize {
        let number = self.modules[module].of_crate;
        self.crates[number].root.unwrap_or_default()
    }

    /// Whether a field or a function of a type, which is in this module, is visible in another one.
    pub(in crate::rust) fn sees_part(
        &self,
        viewer: usize,
        of: usize,
        visibility: &syn::Visibility,
    ) -> bool {
        self.is_around(self.within(of, visibility), viewer)
    }

    /// Whether a name is visible in a module.
    fn sees<T>(&self, viewer: usize, entry: &Entry<T>) -> bool {
        self.is_around(entry.within, viewer)
    }

    /// Whether a module is another one or around it; `None` is around all.
    fn is_around(&self, within: Option<usize>, viewer: usize) -> bool {
        let Some(within) = within else {
            return true;
        };
        let mut at = viewer;
        while at != within {
            let parent = self.modules[at].parent;
            if parent == at {
                return false;
            }
            at = parent;
        }
        true
    }
}

impl<'s, 'a> Search<'s, 'a> {
    fn of(names: &'s Names<'a>) -> Self {
        Self {
            names,
            seen: BTreeMap::new(),
            missing: None,
        }
    }

    /// What a path stands for in a module, and before this.
    fn find(&mut self, module: usize, path: &'s [String], before: Before) -> Target<'a> {
        let names = self.names;
        let Some((first, rest)) = path.split_first() else {
            return Target::Item(module, Named::Module(module));
        };
        let start = match first.as_str() {
            "crate" => Some(names.root_of(module)),
            "self" => Some(names.around(module)),
            "super" => {
                let parent = names.modules[names.around(module)].parent;
                Some(names.around(parent))
            }
            other => crate_number(other).and_then(|number| names.crates.get(number)?.root),
        };
        if let Some(start) = start {
            return self.find_from(start, rest, before, module);
        }
        let wanted = wanted(module, first, rest, before, module);
        match self.around(wanted) {
            Target::None => known(path).map_or(Target::None, Target::Known),
            found @ (Target::Item(..) | Target::Known(_)) => self.rest(found, rest, before, module),
        }
    }

    /// What a path stands for that begins in this module, for another one.
    fn find_from(
        &mut self,
        module: usize,
        path: &'s [String],
        before: Before,
        viewer: usize,
    ) -> Target<'a> {
        let names = self.names;
        let Some((first, rest)) = path.split_first() else {
            return Target::Item(module, Named::Module(module));
        };
        if first == "super" {
            let parent = names.modules[names.around(module)].parent;
            return self.find_from(names.around(parent), rest, before, viewer);
        }
        self.enter(module);
        let found = self.inside(wanted(module, first, rest, before, viewer));
        self.rest(found, rest, before, viewer)
    }

    /// What the rest of a path stands for after this.
    fn rest(
        &mut self,
        found: Target<'a>,
        rest: &'s [String],
        before: Before,
        viewer: usize,
    ) -> Target<'a> {
        match found {
            Target::Item(_, Named::Module(inner)) if !rest.is_empty() => {
                self.find_from(inner, rest, before, viewer)
            }
            Target::Item(module, Named::Enum(id)) if rest.len() == 1 => {
                match self.names.adts[id].variant(&rest[0]) {
                    Some(variant) => Target::Item(module, Named::Variant(id, variant)),
                    None => Target::None,
                }
            }
            Target::Item(..) if !rest.is_empty() => Target::None,
            Target::Known(mut known) => {
                known.extend(rest.iter().cloned());
                Target::Known(known)
            }
            found @ (Target::Item(..) | Target::None) => found,
        }
    }

    /// Takes note of a module that is looked into and whose file is not there.
    fn enter(&mut self, module: usize) {
        let of = &self.names.modules[module];
        if let Some(searched) = &of.absent {
            self.missing.get_or_insert_with(|| Missing::Module {
                name: of.name.clone(),
                searched: searched.clone(),
            });
        }
    }

    /// What a name stands for in a module and around it.
    fn around(&mut self, wanted: Wanted<'s>) -> Target<'a> {
        let found = self.inside(wanted);
        if !matches!(found, Target::None) {
            return found;
        }
        let this = &self.names.modules[wanted.module];
        if this.is_block {
            return self.around(Wanted {
                module: this.parent,
                viewer: this.parent,
                ..wanted
            });
        }
        let found = self.of_crates(wanted.module, wanted.name);
        if !matches!(found, Target::None) {
            return found;
        }
        if PRELUDE.contains(&wanted.name) {
            return Target::Known(vec![wanted.name.to_owned()]);
        }
        Target::None
    }

    /// The crate that a module can name so.
    fn of_crates(&mut self, module: usize, name: &str) -> Target<'a> {
        let of = &self.names.crates[self.names.modules[module].of_crate];
        match of.names.get(name) {
            Some(Reached::Crate(number)) => {
                if let Some(root) = self.names.crates[*number].root {
                    return Target::Item(root, Named::Module(root));
                }
            }
            Some(Reached::Absent(searched)) if !is_known_crate(name) => {
                self.missing.get_or_insert_with(|| Missing::Crate {
                    name: name.to_owned(),
                    searched: searched.clone(),
                });
            }
            Some(Reached::Absent(_)) | None => {}
        }
        Target::None
    }

    /// What a name stands for in a module itself.
    fn inside(&mut self, wanted: Wanted<'s>) -> Target<'a> {
        match self.seen.get(&wanted) {
            Some(Some(found)) => return found.clone(),
            Some(None) => return Target::None,
            None => {}
        }
        self.seen.insert(wanted, None);
        let found = match self.own(wanted) {
            Target::None => self.of_globs(wanted),
            found @ (Target::Item(..) | Target::Known(_)) => found,
        };
        self.seen.insert(wanted, Some(found.clone()));
        found
    }

    /// What a module defines or imports by this name.
    fn own(&mut self, wanted: Wanted<'s>) -> Target<'a> {
        let names = self.names;
        let Wanted { module, name, .. } = wanted;
        let this = &names.modules[module];
        let inner = this.modules.get(name);
        let inner = inner.filter(|entry| names.sees(wanted.viewer, entry));
        let inner = inner.map(|entry| Target::Item(module, Named::Module(entry.what)));
        if let (Before::Colons, Some(inner)) = (wanted.before, &inner) {
            return inner.clone();
        }
        if let Some(entry) = this.items.get(name)
            && names.sees(wanted.viewer, entry)
        {
            return Target::Item(module, entry.what);
        }
        for entry in this.imports.get(name).into_iter().flatten() {
            let path = &entry.what;
            if !names.sees(wanted.viewer, entry) {
                continue;
            }
            if let Some(known) = known(path) {
                return Target::Known(known);
            }
            let found = match &path[..] {
                [only] if only == name => self.of_crates(module, name),
                path => self.find(module, path, wanted.before),
            };
            let counts = match &found {
                Target::Item(_, Named::Module(_)) => inner.is_none(),
                Target::Item(..) | Target::Known(_) => true,
                Target::None => false,
            };
            if counts {
                return found;
            }
        }
        inner.unwrap_or(Target::None)
    }

    /// What a module imports by this name with everything of another one.
    fn of_globs(&mut self, wanted: Wanted<'s>) -> Target<'a> {
        let names = self.names;
        let Wanted { module, name, .. } = wanted;
        for glob in &names.modules[module].globs {
            if !names.sees(wanted.viewer, glob) {
                continue;
            }
            match self.find(module, &glob.what, Before::Colons) {
                Target::Item(_, Named::Module(inner)) if inner != module => {
                    self.enter(inner);
                    let found = self.inside(Wanted {
                        module: inner,
                        ..wanted
                    });
                    if !matches!(found, Target::None) {
                        return found;
                    }
                }
                Target::Item(module, Named::Enum(id)) => {
                    if let Some(variant) = names.adts[id].variant(name) {
                        return Target::Item(module, Named::Variant(id, variant));
                    }
                }
                Target::Known(mut path) => {
                    let is_known = is_of_glob(&path, name);
                    path.push(name.to_owned());
                    if let Some(found) = names.in_library(&path) {
                        return found;
                    }
                    if is_known {
                        return Target::Known(path);
                    }
                }
                Target::Item(..) | Target::None => {}
            }
        }
        Target::None
    }
}

fn wanted<'p>(
    module: usize,
    name: &'p str,
    rest: &[String],
    before: Before,
    viewer: usize,
) -> Wanted<'p> {
    Wanted {
        module,
        name,
        before: if rest.is_empty() {
            before
        } else {
            Before::Colons
        },
        viewer,
    }
}
