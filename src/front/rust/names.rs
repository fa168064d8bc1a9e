//! The items of a file by their modules, and what paths stand for.
//!
//! Names of the standard library, of `loom` and of `shuttle` are one: what comes after the crate's name
//! counts. Imports are never conditional: `#[cfg(loom)]` on one of two that import the same name from
//! either crate makes no difference.
//!
//! A block with items is a module without a name: what is not found in it is looked up around it, and
//! `self` and `super` in paths are those of the module that it is in.
//!
//! **Absent.** Other crates.

mod blocks;
mod conditions;
mod known;

pub(super) use known::{ORDERS, is_known_crate};

use known::{PRELUDE, is_of_glob, known};

use super::source::{Lexeme, span};
use crate::text::{Diagnostic, Edition, Span};
use std::collections::BTreeMap;
use syn::{Attribute, Item, UseTree};

/// The words that paths may begin with.
const STARTS: [&str; 3] = ["crate", "self", "super"];

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
}

/// A trait.
pub(super) struct Trait<'a> {
    pub(super) module: usize,
    pub(super) item: &'a syn::ItemTrait,
}

#[derive(Default)]
struct Module<'a> {
    parent: usize,
    /// Whether it is a block: names that it does not have are those of its parent.
    is_block: bool,
    items: BTreeMap<String, Named<'a>>,
    imports: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
    /// Where it is; the whole file for the first one.
    span: (usize, usize),
    /// Its imports.
    uses: Vec<&'a syn::ItemUse>,
    /// The macros whose items are not known.
    macros: Vec<&'a syn::Macro>,
}

/// What has to be known of a file to find its names.
#[derive(Clone, Copy, Default)]
pub(super) struct About {
    /// Whether it mentions `loom`.
    loom: bool,
    /// Whether paths in `use` begin in the file, as in edition 2015.
    is_rooted: bool,
}

impl About {
    pub(super) fn of(lexemes: &[Lexeme], edition: Edition) -> Self {
        let mut words = lexemes.iter().filter_map(|lexeme| lexeme.word.as_deref());
        Self {
            loom: words.any(|word| word == "loom"),
            is_rooted: edition == Edition::E2015,
        }
    }
}

/// All items of a file.
#[derive(Default)]
pub(super) struct Names<'a> {
    modules: Vec<Module<'a>>,
    /// The blocks that are modules, by the positions of their brackets.
    blocks: BTreeMap<usize, usize>,
    pub(super) adts: Vec<Adt<'a>>,
    pub(super) impls: Vec<Impl<'a>>,
    pub(super) traits: Vec<Trait<'a>>,
    /// The functions that are tests, with their modules.
    pub(super) tests: Vec<(usize, &'a syn::ItemFn)>,
    about: About,
    /// The module of the library that is written in Rust.
    library: usize,
    pub(super) lang: Lang,
}

/// The types of the library that the language itself makes.
#[derive(Clone, Copy, Default)]
pub(super) struct Lang {
    pub(super) option: usize,
    pub(super) result: usize,
    pub(super) poison: usize,
    pub(super) try_lock: usize,
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
    /// The items of a file, whose text has this length, and of the library.
    pub(super) fn of(
        file: &'a syn::File,
        library: &'a syn::File,
        length: usize,
        about: About,
        errors: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut names = Self {
            about,
            ..Self::default()
        };
        names.modules.push(Module {
            span: (0, length),
            ..Module::default()
        });
        names.module(0, &file.items, errors);
        names.library = names.modules.len();
        names.modules.push(Module {
            parent: names.library,
            span: (length, usize::MAX),
            ..Module::default()
        });
        names.module(names.library, &library.items, errors);
        let adt = |path: [&str; 2]| match names.in_library(&path.map(str::to_owned)) {
            Some(Target::Item(_, Named::Struct(id) | Named::Enum(id))) => id,
            _ => usize::MAX,
        };
        names.lang = Lang {
            option: adt(["option", "Option"]),
            result: adt(["result", "Result"]),
            poison: adt(["sync", "PoisonError"]),
            try_lock: adt(["sync", "TryLockError"]),
        };
        names
    }

    /// What conditions of compilation mean where nothing else matters.
    pub(super) fn without_items(about: About) -> Self {
        Self {
            about,
            ..Self::default()
        }
    }

    /// What a path of a known crate, without the crate, stands for in the library that is written in Rust.
    fn in_library(&self, path: &[String]) -> Option<Target<'a>> {
        match self.find(self.library, path, 0) {
            found @ Target::Item(..) => Some(found),
            Target::Known(_) | Target::None => None,
        }
    }

    fn module(
        &mut self,
        this: usize,
        items: impl IntoIterator<Item = &'a Item>,
        errors: &mut Vec<Diagnostic>,
    ) {
        for item in items {
            if let Item::Use(item) = item {
                let first = first_of(&item.tree);
                let mut path = Vec::new();
                let is_plain_path = !is_known_crate(&first) && !STARTS.contains(&&*first);
                if self.about.is_rooted && is_plain_path {
                    path.push("crate".to_owned());
                }
                self.import(this, &item.tree, &mut path);
                self.modules[this].uses.push(item);
                continue;
            }
            match self.holds_all(attributes(item)) {
                Ok(true) => self.item(this, item, errors),
                Ok(false) => {}
                Err(error) => errors.push(error),
            }
        }
    }

    fn item(&mut self, this: usize, item: &'a Item, errors: &mut Vec<Diagnostic>) {
        let (name, named) = match item {
            Item::Fn(item) => {
                if item.attrs.iter().any(is_test) && !self.modules[this].is_block {
                    self.tests.push((this, item));
                }
                self.blocks_in(this, &item.block, errors);
                (&item.sig.ident, Named::Fn(item))
            }
            Item::Static(item) => (&item.ident, Named::Static(item)),
            Item::Const(item) => (&item.ident, Named::Const(item)),
            Item::Struct(item) => {
                self.adts.push(Adt {
                    module: this,
                    item: AdtItem::Struct(item),
                });
                (&item.ident, Named::Struct(self.adts.len() - 1))
            }
            Item::Type(item) => (&item.ident, Named::Alias(item)),
            Item::Mod(module) => {
                let number = self.modules.len();
                self.modules.push(Module {
                    parent: this,
                    span: (span(module).start, span(module).end),
                    ..Module::default()
                });
                match &module.content {
                    Some((_, items)) => self.module(number, items, errors),
                    None => errors.push(
                        Diagnostic::error(
                            "a module in another file is not supported",
                            span(module),
                        )
                        .note("write its items into this file: the program is one file"),
                    ),
                }
                (&module.ident, Named::Module(number))
            }
            Item::Enum(item) => {
                self.adts.push(Adt {
                    module: this,
                    item: AdtItem::Enum(item),
                });
                (&item.ident, Named::Enum(self.adts.len() - 1))
            }
            Item::Trait(item) => {
                let module = this;
                self.traits.push(Trait { module, item });
                for item in &item.items {
                    if let syn::TraitItem::Fn(item) = item
                        && let Some(block) = &item.default
                    {
                        self.blocks_in(this, block, errors);
                    }
                }
                (&item.ident, Named::Trait(self.traits.len() - 1))
            }
            Item::Union(item) => (&item.ident, Named::Other),
            Item::Impl(item) => {
                let module = this;
                self.impls.push(Impl { module, item });
                for item in &item.items {
                    if let syn::ImplItem::Fn(item) = item {
                        self.blocks_in(this, &item.block, errors);
                    }
                }
                return;
            }
            Item::Macro(of) => {
                // A name that it may define is missed where it is used.
                if of.ident.is_none() {
                    self.modules[this].macros.push(&of.mac);
                }
                return;
            }
            // They define nothing that a program executes.
            _ => return,
        };
        let name = name.to_string();
        if self.modules[this]
            .items
            .insert(name.clone(), named)
            .is_some()
            && !matches!(item, Item::Fn(item) if item.sig.ident == "main")
        {
            errors.push(Diagnostic::error(
                format!("`{name}` is defined twice"),
                span(item),
            ));
        }
    }

    fn import(&mut self, module: usize, tree: &UseTree, path: &mut Vec<String>) {
        match tree {
            UseTree::Path(tree) => {
                path.push(tree.ident.to_string());
                self.import(module, &tree.tree, path);
                path.pop();
            }
            UseTree::Name(tree) => {
                let name = tree.ident.to_string();
                if name == "self" {
                    if let Some(last) = path.last().cloned() {
                        self.modules[module].imports.insert(last, path.clone());
                    }
                    return;
                }
                let mut path = path.clone();
                path.push(name.clone());
                self.modules[module].imports.insert(name, path);
            }
            UseTree::Rename(tree) => {
                let mut path = path.clone();
                if tree.ident != "self" {
                    path.push(tree.ident.to_string());
                }
                let name = tree.rename.to_string();
                self.modules[module].imports.insert(name, path);
            }
            UseTree::Glob(_) => self.modules[module].globs.push(path.clone()),
            UseTree::Group(tree) => {
                for tree in &tree.items {
                    self.import(module, tree, path);
                }
            }
        }
    }

    /// The trait of the text that an `impl` implements.
    pub(super) fn trait_of(&self, number: usize) -> Option<usize> {
        let of = &self.impls[number];
        let (_, path, _) = of.item.trait_.as_ref()?;
        match self.resolve(of.module, &super::unit::words_of(path)) {
            Target::Item(_, Named::Trait(of)) => Some(of),
            Target::Item(..) | Target::Known(_) | Target::None => None,
        }
    }

    /// What a path stands for in a module.
    pub(super) fn resolve(&self, module: usize, path: &[String]) -> Target<'a> {
        match self.find(module, path, 0) {
            Target::Known(known) => {
                let found = self.in_library(&known);
                found.unwrap_or(Target::Known(known))
            }
            found @ (Target::Item(..) | Target::None) => found,
        }
    }

    fn find(&self, module: usize, path: &[String], depth: usize) -> Target<'a> {
        let Some((first, rest)) = path.split_first() else {
            return Target::Item(module, Named::Module(module));
        };
        if depth > 16 {
            return Target::None;
        }
        match first.as_str() {
            "crate" => return self.find(0, rest, depth + 1),
            "self" => return self.find(self.around(module), rest, depth + 1),
            "super" => {
                let parent = self.modules[self.around(module)].parent;
                return self.find(self.around(parent), rest, depth + 1);
            }
            _ => {}
        }
        let found = self.first(module, first, depth);
        match found {
            Target::Item(_, Named::Module(inner)) if !rest.is_empty() => {
                self.find(inner, rest, depth + 1)
            }
            Target::Item(module, Named::Enum(id)) if rest.len() == 1 => {
                match self.adts[id].variant(&rest[0]) {
                    Some(variant) => Target::Item(module, Named::Variant(id, variant)),
                    None => Target::None,
                }
            }
            Target::Item(..) if !rest.is_empty() => Target::None,
            Target::Known(mut known) => {
                known.extend(rest.iter().cloned());
                Target::Known(known)
            }
            Target::None => known(path).map_or(Target::None, Target::Known),
            found @ Target::Item(..) => found,
        }
    }

    /// What the first part of a path stands for.
    fn first(&self, module: usize, name: &str, depth: usize) -> Target<'a> {
        let this = &self.modules[module];
        if let Some(named) = this.items.get(name) {
            return Target::Item(module, *named);
        }
        if let Some(path) = this.imports.get(name) {
            if let Some(known) = known(path) {
                return Target::Known(known);
            }
            if path.len() > 1 || path[0] != name {
                return self.find(module, path, depth + 1);
            }
        }
        for glob in &this.globs {
            if let Some(mut path) = known(glob) {
                let inner: Vec<String> = path.iter().cloned().chain([name.to_owned()]).collect();
                if let Some(found) = self.in_library(&inner) {
                    return found;
                }
                if is_of_glob(&path, name) {
                    path.push(name.to_owned());
                    return Target::Known(path);
                }
                continue;
            }
            match self.find(module, glob, depth + 1) {
                Target::Item(_, Named::Module(inner)) if inner != module => {
                    let found = self.first(inner, name, depth + 1);
                    if !matches!(found, Target::None) {
                        return found;
                    }
                }
                Target::Item(module, Named::Enum(id)) => {
                    if let Some(variant) = self.adts[id].variant(name) {
                        return Target::Item(module, Named::Variant(id, variant));
                    }
                }
                Target::Known(mut path) if is_of_glob(&path, name) => {
                    path.push(name.to_owned());
                    return Target::Known(path);
                }
                _ => {}
            }
        }
        if this.is_block {
            return self.first(this.parent, name, depth);
        }
        if PRELUDE.contains(&name) {
            return Target::Known(vec![name.to_owned()]);
        }
        Target::None
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
            all.map(String::as_str)
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

    /// The number of modules of the text, which are before those of the library.
    pub(super) fn count(&self) -> usize {
        self.library
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
        if self.about.loom { "loom" } else { "std" }
    }
}

/// Whether an attribute makes a function a test.
fn is_test(attribute: &Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|last| last.ident == "test")
}

fn first_of(tree: &UseTree) -> String {
    match tree {
        UseTree::Path(tree) => tree.ident.to_string(),
        UseTree::Name(tree) => tree.ident.to_string(),
        UseTree::Rename(tree) => tree.ident.to_string(),
        UseTree::Glob(_) | UseTree::Group(_) => String::new(),
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
