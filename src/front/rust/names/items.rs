//! The items of modules, and what they import.

use super::known::{is_known_crate, known};
use super::{Adt, AdtItem, Entry, Impl, Module, Named, Names, Reached, Trait};
use crate::rust::expand::{Positions, crate_number};
use crate::rust::files::{Outside, Sources};
use crate::rust::source::span;
use crate::text::Diagnostic;
use syn::{Attribute, Item, UseTree, Visibility};

/// The words that paths may begin with.
const STARTS: [&str; 3] = ["crate", "self", "super"];

/// What is read.
pub(super) struct Reader<'r, 'a> {
    pub(super) sources: &'a Sources<'a>,
    pub(super) files: &'a [syn::File],
    pub(super) positions: &'a Positions,
    pub(super) errors: &'r mut Vec<Diagnostic>,
}

impl<'a> Names<'a> {
    /// Adds the items of a file to a module, if the conditions at its beginning hold.
    pub(super) fn file(&mut self, this: usize, file: &'a syn::File, reader: &mut Reader<'_, 'a>) {
        match self.holds_all(&file.attrs) {
            Ok(true) => self.module(this, &file.items, reader),
            Ok(false) => {}
            Err(error) => reader.errors.push(error),
        }
    }

    /// Adds these items to a module.
    pub(super) fn module(
        &mut self,
        this: usize,
        items: impl IntoIterator<Item = &'a Item>,
        reader: &mut Reader<'_, 'a>,
    ) {
        for item in items {
            let holds = self.holds_all(attributes(item));
            if let Item::Use(item) = item {
                let first = first_of(&item.tree);
                let mut path = Vec::new();
                let is_plain_path = !is_known_crate(&first)
                    && !STARTS.contains(&&*first)
                    && crate_number(&first).is_none();
                let about = self.crates[self.modules[this].of_crate].about;
                if about.is_rooted() && is_plain_path {
                    path.push("crate".to_owned());
                }
                let within = self.within(this, &item.vis);
                match holds {
                    Ok(holds) => self.import(this, &item.tree, &mut path, (within, holds)),
                    Err(error) => reader.errors.push(error),
                }
                self.modules[this].uses.push(item);
                continue;
            }
            match holds {
                Ok(true) => self.item(this, item, reader),
                Ok(false) => {
                    if let Item::Mod(other) = item {
                        self.modules[this].others.push(other);
                    }
                }
                Err(error) => reader.errors.push(error),
            }
        }
    }

    fn item(&mut self, this: usize, item: &'a Item, reader: &mut Reader<'_, 'a>) {
        let (name, visibility, named) = match item {
            Item::Fn(item) => {
                let attributes = self.attributes(&item.attrs);
                let of = &self.modules[this];
                if attributes.iter().any(is_test) && !of.is_block && of.of_crate == 0 {
                    self.tests.push((this, item));
                }
                self.blocks_in(this, &item.block, reader);
                (&item.sig.ident, &item.vis, Named::Fn(item))
            }
            Item::Static(item) => (&item.ident, &item.vis, Named::Static(item)),
            Item::Const(item) => (&item.ident, &item.vis, Named::Const(item)),
            Item::Struct(item) => {
                self.adts.push(Adt {
                    module: this,
                    item: AdtItem::Struct(item),
                });
                let named = Named::Struct(self.adts.len() - 1);
                (&item.ident, &item.vis, named)
            }
            Item::Type(item) => (&item.ident, &item.vis, Named::Alias(item)),
            Item::Mod(item) => {
                self.inner(this, item, reader);
                return;
            }
            Item::Enum(item) => {
                self.adts.push(Adt {
                    module: this,
                    item: AdtItem::Enum(item),
                });
                let named = Named::Enum(self.adts.len() - 1);
                (&item.ident, &item.vis, named)
            }
            Item::Trait(item) => {
                let module = this;
                self.traits.push(Trait { module, item });
                for item in &item.items {
                    if let syn::TraitItem::Fn(item) = item
                        && let Some(block) = &item.default
                    {
                        self.blocks_in(this, block, reader);
                    }
                }
                let named = Named::Trait(self.traits.len() - 1);
                (&item.ident, &item.vis, named)
            }
            Item::Union(item) => (&item.ident, &item.vis, Named::Other),
            Item::Impl(item) => {
                let module = this;
                self.impls.push(Impl {
                    module,
                    item,
                    of_trait: std::cell::OnceCell::new(),
                });
                for item in &item.items {
                    if let syn::ImplItem::Fn(item) = item {
                        self.blocks_in(this, &item.block, reader);
                    }
                }
                return;
            }
            Item::ForeignMod(item) => {
                let names = item.items.iter().filter_map(|item| match item {
                    syn::ForeignItem::Fn(item) => Some(item.sig.ident.to_string()),
                    syn::ForeignItem::Static(item) => Some(item.ident.to_string()),
                    _ => None,
                });
                self.modules[this].foreign.extend(names);
                return;
            }
            Item::ExternCrate(item) => {
                self.extern_crate(this, item);
                return;
            }
            Item::Macro(of) => {
                // A name that it may define is missed where it is used.
                if of.ident.is_none() && !self.locals_of(this, &of.mac, reader) {
                    self.modules[this].macros.push(&of.mac);
                }
                return;
            }
            // They define nothing that a program executes.
            _ => return,
        };
        let name = name.to_string();
        let entry = Entry {
            what: named,
            within: self.within(this, visibility),
        };
        let before = self.modules[this].items.insert(name.clone(), entry);
        if before.is_some() && !matches!(item, Item::Fn(item) if item.sig.ident == "main") {
            let message = format!("`{name}` is defined twice");
            reader.errors.push(Diagnostic::error(message, span(item)));
        }
    }

    /// Adds what `thread_local!` defines; whether it is that macro.
    pub(super) fn locals_of(
        &mut self,
        this: usize,
        of: &'a syn::Macro,
        reader: &mut Reader<'_, 'a>,
    ) -> bool {
        let Some(all) = self.locals.and_then(|locals| locals.get(of)) else {
            return false;
        };
        for local in all {
            let item = &local.item;
            match self.holds_all(&item.attrs) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => {
                    reader.errors.push(error);
                    continue;
                }
            }
            let entry = Entry {
                what: Named::Static(item),
                within: self.within(this, &item.vis),
            };
            let name = item.ident.to_string();
            self.modules[this].items.insert(name, entry);
        }
        true
    }

    /// Adds a module that is in this one.
    fn inner(&mut self, this: usize, item: &'a syn::ItemMod, reader: &mut Reader<'_, 'a>) {
        let number = self.modules.len();
        let name = item.ident.to_string();
        let own = span(item);
        // Where macros are expanded, what is in its file is in its brackets.
        let at = reader.positions.span(&(own.start..own.start + 1)).start;
        let named = reader.positions.span(&span(&item.ident)).start;
        let outside = reader.sources.outside(at, (named, name.clone()));
        self.modules.push(Module {
            name: name.clone(),
            parent: this,
            of_crate: self.modules[this].of_crate,
            span: match outside {
                Some(Outside::File(file)) => reader.sources.range(*file),
                Some(Outside::Absent(_)) | None => (own.start, own.end),
            },
            absent: match outside {
                Some(Outside::Absent(searched)) => Some(searched.clone()),
                None if item.content.is_none() => {
                    Some("modules in blocks have their items with them".to_owned())
                }
                Some(Outside::File(_)) | None => None,
            },
            ..Module::default()
        });
        let entry = Entry {
            what: number,
            within: self.within(this, &item.vis),
        };
        if self.modules[this]
            .modules
            .insert(name.clone(), entry)
            .is_some()
        {
            let message = format!("the module `{name}` is defined twice");
            reader.errors.push(Diagnostic::error(message, span(item)));
        }
        let files = reader.files;
        match (&item.content, outside) {
            (Some((_, items)), _) => self.module(number, items, reader),
            (None, Some(Outside::File(file))) => self.file(number, &files[*file], reader),
            (None, Some(Outside::Absent(_)) | None) => {}
        }
    }

    /// `extern crate`: in the first module of a crate, the name is known in all of it.
    fn extern_crate(&mut self, this: usize, item: &syn::ItemExternCrate) {
        let name = item.ident.to_string();
        let own = match &item.rename {
            Some((_, own)) => own.to_string(),
            None => name.clone(),
        };
        let crate_number = self.modules[this].of_crate;
        let of = &mut self.crates[crate_number];
        if name == "self" {
            of.names.insert(own, Reached::Crate(crate_number));
            return;
        }
        if let Some(reached) = of.names.get(&name).cloned() {
            of.names.insert(own.clone(), reached);
        }
        let entry = Entry {
            what: vec![name],
            within: self.within(this, &item.vis),
        };
        let imports = self.modules[this].imports.entry(own);
        imports.or_default().push(entry);
    }

    /// Adds what a tree imports. `about` says where it is visible, and whether its conditions hold: those from known crates
    /// are imported in any case.
    fn import(
        &mut self,
        module: usize,
        tree: &UseTree,
        path: &mut Vec<String>,
        about: (Option<usize>, bool),
    ) {
        let (within, holds) = about;
        let mut add = |name: String, path: Vec<String>| {
            if holds || known(&path).is_some() {
                let entry = Entry { what: path, within };
                let imports = self.modules[module].imports.entry(name);
                imports.or_default().push(entry);
            } else {
                self.modules[module].elsewhere.insert(name);
            }
        };
        match tree {
            UseTree::Path(tree) => {
                path.push(tree.ident.to_string());
                self.import(module, &tree.tree, path, about);
                path.pop();
            }
            UseTree::Name(tree) => {
                let name = tree.ident.to_string();
                if name == "self" {
                    if let Some(last) = path.last().cloned() {
                        add(last, path.clone());
                    }
                    return;
                }
                let mut path = path.clone();
                path.push(name.clone());
                add(name, path);
            }
            UseTree::Rename(tree) => {
                let mut path = path.clone();
                if tree.ident != "self" || path.is_empty() {
                    path.push(tree.ident.to_string());
                }
                add(tree.rename.to_string(), path);
            }
            UseTree::Glob(_) => {
                if holds || known(path).is_some() {
                    let what = path.clone();
                    self.modules[module].globs.push(Entry { what, within });
                }
            }
            UseTree::Group(tree) => {
                for tree in &tree.items {
                    self.import(module, tree, path, about);
                }
            }
        }
    }

    /// The module within which something in a module is visible; `None` for everywhere.
    pub(super) fn within(&self, module: usize, visibility: &Visibility) -> Option<usize> {
        match visibility {
            Visibility::Public(_) => None,
            Visibility::Inherited => Some(module),
            Visibility::Restricted(of) => {
                let words = of.path.segments.iter();
                let mut at = module;
                for word in words.map(|segment| segment.ident.to_string()) {
                    at = match word.as_str() {
                        "crate" => self.root_of(at),
                        "self" => self.around(at),
                        "super" => self.modules[self.around(at)].parent,
                        // A path to a module around this one: that is a part of the crate.
                        _ => return Some(self.root_of(module)),
                    };
                }
                Some(at)
            }
        }
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
        Item::ExternCrate(item) => &item.attrs,
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
