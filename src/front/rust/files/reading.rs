//! Reads files, one after the other, and finds those that they name.

use super::beside::Folder;
use super::{Crate, File, Outside, Sources};
use crate::rust::expand::{Inner, Wanted};
use crate::rust::names::{Configuration, is_known_crate};
use crate::rust::source::{Lexeme, span};
use crate::rust::syntax;
use crate::text::{Diagnostic, Edition, FoundFile, MOST_BYTES, ParseOptions, Reached, Span};
use std::borrow::Cow;
use std::collections::BTreeMap;
use syn::Item;

/// No program has more files.
const MOST_FILES: usize = 1000;

/// What is read, one file after the other.
pub(super) struct Reading<'t, 'o> {
    pub(super) sources: Sources<'t>,
    options: &'o ParseOptions,
    lines: u32,
}

impl<'t, 'o> Reading<'t, 'o> {
    pub(super) fn of(text: &'t str, options: &'o ParseOptions) -> Self {
        let known = options.crates.0.iter().enumerate();
        let mut crates: Vec<Crate> = known
            .map(|(number, about)| Crate {
                root: None,
                edition: Edition::ASSUMED,
                is_assumed: true,
                configuration: Configuration {
                    is_test: number == 0,
                    omits_debug: options.omits_debug,
                    loom: false,
                    features: about.features.clone(),
                    set: options.cfgs.clone(),
                },
                names: about.names.clone(),
            })
            .collect();
        if crates.is_empty() {
            crates.push(Crate {
                root: None,
                edition: Edition::ASSUMED,
                is_assumed: true,
                configuration: Configuration {
                    is_test: true,
                    omits_debug: options.omits_debug,
                    set: options.cfgs.clone(),
                    ..Configuration::default()
                },
                names: BTreeMap::new(),
            });
        }
        crates[0].root = Some(0);
        let name = options.name.clone().unwrap_or_default();
        let file = File {
            folder: Folder::of_given(&name),
            name,
            base: 0,
            length: text.len(),
            line: 1,
            of_crate: 0,
            parent: None,
        };
        Self {
            sources: Sources {
                text: Cow::Borrowed(text),
                files: vec![file],
                outside: BTreeMap::new(),
                made: BTreeMap::new(),
                crates,
                library: Crate {
                    root: None,
                    edition: Edition::ASSUMED,
                    is_assumed: false,
                    configuration: Configuration::default(),
                    names: BTreeMap::new(),
                },
            },
            options,
            lines: 1 + text.matches('\n').count() as u32,
        }
    }

    /// Reads the next file, and finds those that it names; `None` after an error.
    pub(super) fn next(
        &mut self,
        number: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<(syn::File, Vec<Lexeme>)> {
        let base = self.sources.files[number].base;
        let of_crate = self.sources.files[number].of_crate;
        let read = syntax(self.sources.text_of(number));
        let (file, lexemes) = match read {
            Ok(read) => read,
            Err(error) => {
                diagnostics.push(moved(error, base));
                return None;
            }
        };
        let mentions = |name: &str| {
            let mut words = lexemes.iter().filter_map(|lexeme| lexeme.word.as_deref());
            words.any(|word| word == name)
        };
        if mentions("loom") {
            for of in &mut self.sources.crates {
                of.configuration.loom = true;
            }
        }
        let mut modules = Vec::new();
        let configuration = &self.sources.crates[of_crate].configuration;
        let folder = self.sources.files[number].folder.clone();
        if configuration.holds_all(&file.attrs).unwrap_or(false) {
            modules_in(&file.items, configuration, &folder, &mut modules);
        }
        for module in modules {
            let found = self.module(number, &module, base, diagnostics);
            self.sources
                .outside
                .insert(base + module.span.start, found?);
        }
        let names = self.sources.crates[of_crate].names.clone();
        for (name, reached) in names {
            match reached {
                Reached::Crate(other) if mentions(&name) && !is_known_crate(&name) => {
                    self.crate_of(other, &name, of_crate, diagnostics)?;
                }
                Reached::Crate(_) | Reached::Absent(_) => {}
            }
        }
        Some((file, lexemes))
    }

    /// Finds the file of a module that a macro makes; `None` after an error.
    pub(super) fn made(&mut self, of: &Wanted, diagnostics: &mut Vec<Diagnostic>) -> Option<()> {
        let key = (of.module.at, of.module.name.clone());
        if self.sources.made.contains_key(&key) {
            return Some(());
        }
        let from = self.sources.at(of.module.at);
        let of_crate = self.sources.files[from].of_crate;
        let configuration = &self.sources.crates[of_crate].configuration;
        let path = |inner: &Inner| {
            let attributes = configuration.attributes(&inner.attributes);
            attributes.unwrap_or_default().iter().find_map(path_of)
        };
        // Those around it that are in the same file.
        let around = of.around.iter().rev();
        let around = around.take_while(|inner| self.sources.at(inner.at) == from);
        let around: Vec<&Inner> = around.collect();
        let mut folder = self.sources.files[from].folder.clone();
        for inner in around.into_iter().rev() {
            folder = folder.inner(&inner.name, path(inner).as_deref());
        }
        let module = Module {
            name: of.module.name.clone(),
            span: of.name.clone(),
            path: path(&of.module),
            folder,
        };
        let found = self.module(from, &module, 0, diagnostics)?;
        self.sources.made.insert(key, found);
        Some(())
    }

    /// Finds the file of a module; `None` after an error.
    fn module(
        &mut self,
        from: usize,
        module: &Module,
        base: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Outside> {
        let at = base + module.span.start..base + module.span.end;
        let paths = module
            .folder
            .candidates(&module.name, module.path.as_deref());
        let Some(files) = &self.options.files else {
            let searched = "no files but this one are read here".to_owned();
            diagnostics.push(absent(&module.name, &searched, at));
            return Some(Outside::Absent(searched));
        };
        let own = self.sources.files[from].name.clone();
        for (path, folder) in &paths {
            match files.find(path, Some(&own)) {
                Ok(Some(found)) => {
                    let mut above = Some(from);
                    while let Some(file) = above {
                        let file = &self.sources.files[file];
                        if file.name == found.name {
                            let message =
                                format!("the file `{}` is a module of itself", found.name);
                            diagnostics.push(Diagnostic::error(message, at));
                            return None;
                        }
                        above = file.parent;
                    }
                    let of_crate = self.sources.files[from].of_crate;
                    let file = self.add(&found, of_crate, Some(from), folder.clone());
                    return Some(Outside::File(file.or_else(|| {
                        diagnostics.push(too_many(at));
                        None
                    })?));
                }
                Ok(None) => {}
                Err(why) => {
                    let message = format!(
                        "the file of the module `{}` cannot be read: {why}",
                        module.name
                    );
                    diagnostics.push(Diagnostic::error(message, at));
                    return None;
                }
            }
        }
        let paths: Vec<String> = paths.iter().map(|(path, _)| format!("`{path}`")).collect();
        let searched = format!("looked for {} beside `{own}`", paths.join(", "));
        diagnostics.push(absent(&module.name, &searched, at));
        Some(Outside::Absent(searched))
    }

    /// Reads the first file of another crate, once; `None` after an error.
    fn crate_of(
        &mut self,
        number: usize,
        name: &str,
        within: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<()> {
        if self.sources.crates.get(number)?.root.is_some() {
            return Some(());
        }
        let root = self
            .options
            .crates
            .0
            .get(number)
            .map(|about| about.root.clone());
        let files = self.options.files.as_ref();
        let found = files
            .zip(root.clone())
            .map(|(files, root)| files.find(&root, None));
        let why = match found {
            Some(Ok(Some(found))) => {
                let Some(file) = self.add(&found, number, None, Folder::default()) else {
                    diagnostics.push(too_many(0..0));
                    return None;
                };
                self.sources.crates[number].root = Some(file);
                return Some(());
            }
            Some(Ok(None)) | None => format!("looked for `{}`", root.unwrap_or_default()),
            Some(Err(why)) => why,
        };
        let names = &mut self.sources.crates[within].names;
        names.insert(name.to_owned(), Reached::Absent(why));
        Some(())
    }

    /// Adds a file; `None` if there are too many.
    fn add(
        &mut self,
        found: &FoundFile,
        of_crate: usize,
        parent: Option<usize>,
        folder: Folder,
    ) -> Option<usize> {
        let sources = &mut self.sources;
        let text = sources.text.to_mut();
        let total = text.len() + found.text.len() + 1;
        if sources.files.len() >= MOST_FILES || total > MOST_BYTES {
            return None;
        }
        text.push('\n');
        let line = self.lines + 1;
        self.lines = line + found.text.matches('\n').count() as u32;
        sources.files.push(File {
            name: found.name.clone(),
            base: text.len(),
            length: found.text.len(),
            line,
            of_crate,
            parent,
            folder,
        });
        text.push_str(&found.text);
        Some(sources.files.len() - 1)
    }
}

/// A module whose items are in another file.
struct Module {
    name: String,
    span: Span,
    /// What `#[path]` says.
    path: Option<String>,
    folder: Folder,
}

/// The modules among these items, and in those that are written out, whose items are in other files.
fn modules_in(
    items: &[Item],
    configuration: &Configuration,
    folder: &Folder,
    found: &mut Vec<Module>,
) {
    for item in items {
        let Item::Mod(module) = item else {
            continue;
        };
        // A condition that has no meaning is reported with the item.
        if !configuration.holds_all(&module.attrs).unwrap_or(false) {
            continue;
        }
        let name = module.ident.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name).to_owned();
        let attributes = configuration.attributes(&module.attrs).unwrap_or_default();
        let mut paths = attributes.iter().filter_map(path_of);
        let path = paths.next();
        match &module.content {
            Some((_, items)) => {
                let inner = folder.inner(&name, path.as_deref());
                modules_in(items, configuration, &inner, found);
            }
            None => found.push(Module {
                name,
                span: span(module),
                path,
                folder: folder.clone(),
            }),
        }
    }
}

/// The file that `#[path = "…"]` names.
fn path_of(attribute: &syn::Attribute) -> Option<String> {
    let syn::Meta::NameValue(meta) = &attribute.meta else {
        return None;
    };
    match &meta.value {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(path),
            ..
        }) if meta.path.is_ident("path") => Some(path.value()),
        _ => None,
    }
}

/// What a module whose file is not there would define for the types of other modules is not known: `Drop` among it.
fn absent(module: &str, searched: &str, at: Span) -> Diagnostic {
    let message = format!("the file of the module `{module}` was not found");
    let warning = Diagnostic::warning(message, at).note(searched);
    warning.leaving_out(format!(
        "`{module}` defines traits for the types of other modules"
    ))
}

fn too_many(at: Span) -> Diagnostic {
    let message =
        format!("the program has more than {MOST_FILES} files, or more than {MOST_BYTES} bytes");
    Diagnostic::error(message, at)
}

/// A diagnostic about a file, with its place in the whole text.
fn moved(error: Diagnostic, base: usize) -> Diagnostic {
    let there = |span: Span| base + span.start..base + span.end;
    Diagnostic {
        span: there(error.span),
        others: error
            .others
            .into_iter()
            .map(|(span, label)| (there(span), label))
            .collect(),
        ..error
    }
}
