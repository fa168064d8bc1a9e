//! The items of a program by their modules, and what paths stand for (`search`).
//!
//! Names of the standard library, of `loom` and of `shuttle` are one: what comes after the crate's name
//! counts. So conditions on imports from these make no difference: `#[cfg(loom)]` on one of two that import the same name
//! from either crate.
//!
//! A block with items is a module without a name: what is not found in it is looked up around it, and
//! `self` and `super` in paths are those of the module that it is in.
//!
//! A module whose file is not there has no names, and a search that needs them says so. Which names are public matters only
//! for imports of everything: a path that names something private does not compile.
//!
//! **Absent.** Crates that are neither known nor in a folder of their own.

mod blocks;
mod conditions;
mod items;
mod known;
mod lang;
mod search;

pub(super) use conditions::Configuration;
pub(super) use known::{ORDERS, is_known_crate};

use super::files::{Crate, Sources, Syntax};
use super::locals::Locals;
use crate::text::{Diagnostic, Edition, Reached, Span};
use items::Reader;
use lang::Lang;
use std::collections::{BTreeMap, BTreeSet};
use syn::Attribute;

/// An item with a name.
#[derive(Clone, Copy)]
pub(super) enum Named<'a> {
    Fn(&'a syn::ItemFn),
    Static(&'a syn::ItemStatic),
    Const(&'a syn::ItemConst),
    Struct(usize),
    Enum(usize),
    /// An enumeration, and the number of one of its variants.
    Variant(usize, usize),
    Alias(&'a syn::ItemType),
    Trait(usize),
    Module(usize),
    /// An item whose kind is outside of the subset: refused where it is used.
    Other,
}

/// A structure or an enumeration.
pub(super) struct Adt<'a> {
    pub(super) module: usize,
    pub(super) item: AdtItem<'a>,
}

/// How it is written.
#[derive(Clone, Copy)]
pub(super) enum AdtItem<'a> {
    Struct(&'a syn::ItemStruct),
    Enum(&'a syn::ItemEnum),
}

impl<'a> Adt<'a> {
    pub(super) fn name(&self) -> &'a syn::Ident {
        match self.item {
            AdtItem::Struct(item) => &item.ident,
            AdtItem::Enum(item) => &item.ident,
        }
    }

    pub(super) fn generics(&self) -> &'a syn::Generics {
        match self.item {
            AdtItem::Struct(item) => &item.generics,
            AdtItem::Enum(item) => &item.generics,
        }
    }

    pub(super) fn attributes(&self) -> &'a [Attribute] {
        match self.item {
            AdtItem::Struct(item) => &item.attrs,
            AdtItem::Enum(item) => &item.attrs,
        }
    }

    /// The fields of each variant with its name; a structure is its only one, without a name.
    pub(super) fn variants(&self) -> Vec<(Option<&'a syn::Ident>, &'a syn::Fields)> {
        match self.item {
            AdtItem::Struct(item) => vec![(None, &item.fields)],
            AdtItem::Enum(item) => {
                let variants = item.variants.iter();
                variants
                    .map(|one| (Some(&one.ident), &one.fields))
                    .collect()
            }
        }
    }

    /// The attributes of a variant; none of a structure, which has them itself.
    pub(super) fn attributes_of_variant(&self, number: usize) -> &'a [Attribute] {
        match self.item {
            AdtItem::Struct(_) => &[],
            AdtItem::Enum(item) => item.variants.get(number).map_or(&[], |one| &one.attrs),
        }
    }

    /// Whether it is an enumeration whose variants hold no values: its values are numbers.
    pub(super) fn is_number(&self) -> bool {
        match self.item {
            AdtItem::Struct(_) => false,
            AdtItem::Enum(item) => {
                let mut variants = item.variants.iter();
                variants.all(|variant| matches!(variant.fields, syn::Fields::Unit))
            }
        }
    }

    /// Whether it derives a trait.
    pub(super) fn derives(&self, name: &str) -> bool {
        let mut attributes = self.attributes().iter();
        attributes.any(|one| {
            let list = one.meta.require_list().ok();
            let derived = list.filter(|_| one.path().is_ident("derive"));
            derived.is_some_and(|list| {
                let tokens = list.tokens.to_string();
                let mut traits = tokens.split(',').filter_map(|one| one.rsplit("::").next());
                traits.any(|last| last.trim() == name)
            })
        })
    }

    /// The number of the variant of this name.
    pub(super) fn variant(&self, name: &str) -> Option<usize> {
        match self.item {
            AdtItem::Struct(_) => None,
            AdtItem::Enum(item) => {
                let mut variants = item.variants.iter();
                variants.position(|variant| variant.ident == name)
            }
        }
    }
}

/// An `impl`.
pub(super) struct Impl<'a> {
    pub(super) module: usize,
    pub(super) item: &'a syn::ItemImpl,
    /// The trait of the text, once it was looked up.
    of_trait: std::cell::OnceCell<Option<usize>>,
}

/// A name that a module defines or imports.
#[derive(Clone)]
struct Entry<T> {
    what: T,
    /// The module in which it is visible; everywhere if there is none.
    within: Option<usize>,
}

/// A trait.
pub(super) struct Trait<'a> {
    pub(super) module: usize,
    pub(super) item: &'a syn::ItemTrait,
}

#[derive(Default)]
struct Module<'a> {
    /// As its path has it; empty for the first module of a crate, and for a block.
    name: String,
    parent: usize,
    /// The number of its crate.
    of_crate: usize,
    /// Whether it is a block: names that it does not have are those of its parent.
    is_block: bool,
    items: BTreeMap<String, Entry<Named<'a>>>,
    modules: BTreeMap<String, Entry<usize>>,
    /// Paths by the names that they are imported as: one name may stand for a module and for something else.
    imports: BTreeMap<String, Vec<Entry<Vec<String>>>>,
    globs: Vec<Entry<Vec<String>>>,
    /// Where it is; the whole file for the first one.
    span: (usize, usize),
    /// Its imports.
    uses: Vec<&'a syn::ItemUse>,
    /// The macros whose items are not known.
    macros: Vec<&'a syn::Macro>,
    /// The names that are imported in other configurations.
    elsewhere: BTreeSet<String>,
    /// The functions and variables of other languages.
    foreign: BTreeSet<String>,
    /// The modules that are there in other configurations.
    others: Vec<&'a syn::ItemMod>,
    /// Where its file was looked for, if it is not there.
    absent: Option<String>,
}

/// All items of a program.
#[derive(Default)]
pub(super) struct Names<'a> {
    modules: Vec<Module<'a>>,
    /// What was read of each crate.
    crates: Vec<OfCrate<'a>>,
    /// Where each file begins, and the number of its crate.
    files: Vec<(usize, usize)>,
    /// The blocks that are modules, by the positions of their brackets.
    blocks: BTreeMap<usize, usize>,
    pub(super) adts: Vec<Adt<'a>>,
    pub(super) impls: Vec<Impl<'a>>,
    pub(super) traits: Vec<Trait<'a>>,
    /// The functions that are tests, with their modules.
    pub(super) tests: Vec<(usize, &'a syn::ItemFn)>,
    /// The module of the library that is written in Rust.
    library: usize,
    pub(super) lang: Lang,
    /// The statics that each thread has of its own.
    locals: Option<&'a Locals>,
}

/// What is known of a crate.
struct OfCrate<'a> {
    about: &'a Crate,
    /// Its first module, if it was read.
    root: Option<usize>,
    /// The crates that it can name by their numbers, or where they were looked for.
    names: BTreeMap<String, Reached>,
}

/// What a path stands for.
#[derive(Clone)]
pub(super) enum Target<'a> {
    /// An item, and its module.
    Item(usize, Named<'a>),
    /// A path of a known crate, without the crate.
    Known(Vec<String>),
    None,
}

impl<'a> Names<'a> {
    /// The items of the files that were read.
    pub(super) fn of(
        sources: &'a Sources<'_>,
        syntax: &'a Syntax,
        errors: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut names = Self {
            locals: Some(&syntax.locals),
            ..Self::default()
        };
        let all = sources.files().iter();
        names
            .files
            .extend(all.map(|file| (file.base, file.of_crate)));
        let expanded = syntax.texts.iter();
        names
            .files
            .extend(expanded.map(|(start, file)| (*start, sources.files()[*file].of_crate)));
        for about in sources.crates() {
            names.crates.push(OfCrate {
                about,
                root: None,
                names: about.names.clone(),
            });
        }
        let mut reader = Reader {
            sources,
            files: &syntax.files,
            positions: &syntax.positions,
            errors,
        };
        for number in 0..names.crates.len() {
            let Some(file) = names.crates[number].about.root else {
                continue;
            };
            let this = names.modules.len();
            names.crates[number].root = Some(this);
            names.modules.push(Module {
                parent: this,
                of_crate: number,
                span: sources.range(file),
                ..Module::default()
            });
            names.file(this, &syntax.files[file], &mut reader);
        }
        names.add_library(&syntax.library, syntax.length, &mut reader);
        names
    }

    /// Adds the library that is written in Rust, as one more crate, whose text comes after all others.
    fn add_library(&mut self, library: &'a syn::File, length: usize, reader: &mut Reader<'_, 'a>) {
        let sources: &'a Sources<'_> = reader.sources;
        let number = self.crates.len();
        self.library = self.modules.len();
        self.files.push((length, number));
        self.crates.push(OfCrate {
            about: sources.library(),
            root: Some(self.library),
            names: BTreeMap::new(),
        });
        self.modules.push(Module {
            parent: self.library,
            of_crate: number,
            span: (length, usize::MAX),
            ..Module::default()
        });
        self.file(self.library, library, reader);
        self.lang = self.lang_items();
    }

    /// What makes the initial value of a static that each thread has of its own.
    pub(super) fn initial_of(&self, item: &syn::ItemStatic) -> Option<&'a syn::ItemFn> {
        self.locals?.initial(item)
    }

    /// Whether a call of a macro defines such statics.
    pub(super) fn is_local(&self, of: &syn::Macro) -> bool {
        self.locals.is_some_and(|locals| locals.get(of).is_some())
    }

    /// How the crate is compiled that a position of the text belongs to.
    fn configuration(&self, at: usize) -> &Configuration {
        &self.at(at).about.configuration
    }

    fn at(&self, at: usize) -> &OfCrate<'a> {
        let after = self.files.partition_point(|(base, _)| *base <= at);
        let (_, number) = self.files[after.saturating_sub(1)];
        &self.crates[number]
    }

    /// The edition of the crate of a module.
    pub(super) fn edition_of(&self, module: usize) -> Edition {
        self.crates[self.modules[module].of_crate].about.edition
    }

    /// The name of a test with its modules, as `cargo test` has it.
    pub(super) fn path_of_test(&self, module: usize, test: &syn::ItemFn) -> String {
        let mut parts = vec![test.sig.ident.to_string()];
        let mut at = module;
        while !self.modules[at].name.is_empty() {
            parts.push(self.modules[at].name.clone());
            at = self.modules[at].parent;
        }
        parts.reverse();
        parts.join("::")
    }

    /// The module that a block is in; any other module itself.
    fn around(&self, module: usize) -> usize {
        let mut at = module;
        while self.modules[at].is_block {
            at = self.modules[at].parent;
        }
        at
    }

    /// The names that a module defines or imports, for the nearest one.
    pub(super) fn visible(&self, module: usize) -> impl Iterator<Item = &str> {
        let outer = |at: &usize| {
            let this = &self.modules[*at];
            this.is_block.then_some(this.parent)
        };
        let modules = std::iter::successors(Some(module), outer);
        modules.flat_map(|at| {
            let this = &self.modules[at];
            let all = this.items.keys().chain(this.imports.keys());
            all.chain(this.modules.keys()).map(String::as_str)
        })
    }

    /// The macros in a module that may define what it does not.
    pub(super) fn macros(&self, module: usize) -> impl Iterator<Item = &'a syn::Macro> {
        let outer = |at: &usize| {
            let this = &self.modules[*at];
            this.is_block.then_some(this.parent)
        };
        let modules = std::iter::successors(Some(module), outer);
        modules.flat_map(|at| self.modules[at].macros.iter().copied())
    }

    /// Whether a name is imported into a module in another configuration.
    pub(super) fn is_imported_elsewhere(&self, module: usize, name: &str) -> bool {
        self.modules[module].elsewhere.contains(name)
    }

    /// Where a module imports a name from, as it is written, and by which item.
    pub(super) fn imported_from(
        &self,
        module: usize,
        name: &str,
    ) -> Option<(&[String], &'a syn::ItemUse)> {
        let import = self.modules[module].imports.get(name)?.first()?;
        let uses = self.modules[module].uses.iter();
        let mut of = uses.filter(|item| imports(&item.tree, name));
        (import.what.len() > 1).then_some((&import.what[..], *of.next()?))
    }

    /// Whether a module declares a name in a block `extern`.
    pub(super) fn is_foreign(&self, module: usize, name: &str) -> bool {
        let this = &self.modules[module];
        this.foreign.contains(name) || this.is_block && self.is_foreign(this.parent, name)
    }

    /// The number of modules of the text, which are before those of the library.
    pub(super) fn count(&self) -> usize {
        self.library
    }

    /// The module that something in a module is a part of, whose names it sees: blocks see those around them.
    pub(super) fn is_part_of(&self, inner: usize, outer: usize) -> bool {
        self.around(inner) == outer
    }

    /// Whether a module is in another one, or that itself: it may name what is private there.
    pub(super) fn is_within(&self, inner: usize, outer: usize) -> bool {
        let mut at = inner;
        while at != outer && self.modules[at].parent != at {
            at = self.modules[at].parent;
        }
        at == outer
    }

    /// The path of a module in its crate: `crate::a::b::`
    pub(super) fn path_of(&self, module: usize) -> String {
        let mut parts = Vec::new();
        let mut at = module;
        while self.modules[at].parent != at {
            if !self.modules[at].is_block {
                parts.push(self.modules[at].name.as_str());
            }
            at = self.modules[at].parent;
        }
        parts.push("crate");
        parts.iter().rev().flat_map(|part| [*part, "::"]).collect()
    }

    /// Whether a module defines or imports a name itself.
    pub(super) fn has(&self, module: usize, name: &str) -> bool {
        let this = &self.modules[module];
        this.items.contains_key(name) || this.imports.contains_key(name)
    }

    /// The modules that are in the place of this one in other configurations.
    pub(super) fn instead_of(&self, module: usize) -> impl Iterator<Item = &'a syn::ItemMod> {
        let this = &self.modules[module];
        let others = self.modules[this.parent].others.iter().copied();
        others.filter(|other| other.ident == this.name)
    }

    /// The part of the text that is a module.
    pub(super) fn range(&self, module: usize) -> Span {
        let (start, end) = self.modules[module].span;
        start..end
    }

    /// The imports in a module; those of the module around a block that has none.
    pub(super) fn uses(&self, module: usize) -> &[&'a syn::ItemUse] {
        let this = &self.modules[module];
        if this.is_block && this.uses.is_empty() {
            return self.uses(this.parent);
        }
        &this.uses
    }

    /// The crate that atomics come from if no path says so.
    pub(super) fn root_crate(&self) -> &'static str {
        let mut crates = self.crates.iter();
        let loom = crates.any(|one| one.about.configuration.loom);
        if loom { "loom" } else { "std" }
    }
}

/// Whether a name is one that an item imports.
fn imports(tree: &syn::UseTree, name: &str) -> bool {
    match tree {
        syn::UseTree::Path(of) => imports(&of.tree, name),
        syn::UseTree::Name(of) => of.ident == name,
        syn::UseTree::Rename(of) => of.rename == name,
        syn::UseTree::Glob(_) => false,
        syn::UseTree::Group(of) => of.items.iter().any(|tree| imports(tree, name)),
    }
}
