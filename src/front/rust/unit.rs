//! What all functions of a program share: types, instances of functions, statics.
//!
//! A function is checked when a function that the program executes calls it, once for each choice of
//! its generic arguments. So only what the program executes has to be in the subset.

use super::body;
use super::dynamic::{Dispatcher, Object as Dynamic};
use super::macros::Macros;
use super::names::{Named, Names, Target};
use super::source::{Lexeme, at, place, span};
use super::types::{Shown, Ty};
use crate::lower::typed::{Function, FunctionId, Object, ObjectId, StructId, Type, TypeKind, Unit};
use crate::text::{Diagnostic, Span, nearest};
use std::collections::{BTreeMap, BTreeSet};
use syn::GenericParam;

/// Only the function that reports an error makes one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported(());

pub(super) type Res<T> = Result<T, Reported>;

/// No program has more instances of functions.
const MOST_INSTANCES: usize = 2000;
/// The threads of a `Vec<JoinHandle>`.
pub(super) const MOST_HANDLES: u32 = 64;

/// What the names in a part of the text stand for.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Context {
    pub(super) module: usize,
    /// Generic parameters.
    pub(super) subst: BTreeMap<String, Ty>,
    pub(super) own: Option<Ty>,
    /// The text that they are in, if it is a function.
    pub(super) text: (usize, usize),
}

/// A function of the text.
#[derive(Clone, Copy)]
pub(super) struct Def<'a> {
    pub(super) sig: &'a syn::Signature,
    pub(super) block: &'a syn::Block,
}

/// A function with its generic arguments.
#[derive(Clone)]
pub(super) struct Instance<'a> {
    pub(super) def: Def<'a>,
    pub(super) context: Context,
}

/// What is translated.
#[derive(Clone)]
pub(super) struct Options {
    /// Whether arithmetic wraps, as in release builds.
    pub(super) wraps: bool,
    pub(super) forbid_stuck: bool,
    /// The elements that a collection has room for.
    pub(super) capacity: u16,
    /// The types to which the pointers are counted.
    pub(super) counted: BTreeSet<Ty>,
    /// The types to which the `Weak` pointers are counted, too.
    pub(super) weak: BTreeSet<Ty>,
}

/// The translation of a file.
pub(super) struct Translator<'a> {
    pub(super) names: &'a Names<'a>,
    pub(super) macros: &'a Macros<'a>,
    pub(super) lexemes: &'a [Lexeme],
    /// Where positions of the library begin.
    library: usize,
    /// The calls that the functions of the library at hand were inlined for.
    pub(super) inlined: Vec<Span>,
    pub(super) options: Options,
    pub(super) unit: Unit,
    pub(super) errors: Vec<Diagnostic>,
    /// More types to which the pointers have to be counted.
    pub(super) to_count: BTreeSet<Ty>,
    pub(super) to_weaken: BTreeSet<Ty>,
    /// The temporary values that end elsewhere in another edition, where that matters.
    pub(super) rescoped: Vec<Span>,
    pub(super) structs: BTreeMap<Ty, StructId>,
    instances: BTreeMap<(usize, Context), FunctionId>,
    /// What the body at hand calls.
    requested: Vec<(FunctionId, Instance<'a>)>,
    done: BTreeSet<usize>,
    statics: BTreeMap<usize, ObjectId>,
    /// The statics whose initial values are not translated yet.
    open: Vec<(usize, &'a syn::ItemStatic, ObjectId)>,
    /// By the function that they are in, their positions, and the calls that were inlined around them.
    closures: BTreeMap<(usize, usize, Vec<usize>), FunctionId>,
    pub(super) droppers: BTreeMap<Ty, FunctionId>,
    /// What is called by values, by the numbers of the functions.
    pub(super) held: BTreeMap<usize, body::Held>,
    /// The types of trait objects, and the functions that tell their values apart.
    pub(super) objects: Vec<Dynamic>,
    pub(super) dispatchers: BTreeMap<(usize, String), Dispatcher>,
    pub(super) depth: usize,
    /// Whether the type at hand is part of an expression, where arguments that are not written are inferred also if they
    /// have defaults.
    pub(super) infers_defaults: bool,
}

impl<'a> Translator<'a> {
    pub(super) fn new(
        names: &'a Names<'a>,
        macros: &'a Macros<'a>,
        lexemes: &'a [Lexeme],
        library: usize,
        options: Options,
    ) -> Self {
        Self {
            names,
            macros,
            lexemes,
            library,
            inlined: Vec::new(),
            options,
            unit: Unit::default(),
            errors: Vec::new(),
            to_count: BTreeSet::new(),
            to_weaken: BTreeSet::new(),
            rescoped: Vec::new(),
            structs: BTreeMap::new(),
            instances: BTreeMap::new(),
            requested: Vec::new(),
            done: BTreeSet::new(),
            statics: BTreeMap::new(),
            open: Vec::new(),
            closures: BTreeMap::new(),
            droppers: BTreeMap::new(),
            held: BTreeMap::new(),
            objects: Vec::new(),
            dispatchers: BTreeMap::new(),
            depth: 0,
            infers_defaults: false,
        }
    }

    /// Translates the program whose first thread executes this function.
    pub(super) fn program(&mut self, module: usize, entry: &'a syn::ItemFn) -> FunctionId {
        let def = Def {
            sig: &entry.sig,
            block: &entry.block,
        };
        let context = Context {
            module,
            ..Context::default()
        };
        let prologue = self.reserve("initial values", place(0..0));
        let first = self.instance(def, context, span(&entry.sig.ident));
        let Ok(first) = first else {
            return prologue;
        };
        let mut values = Vec::new();
        loop {
            let jobs = std::mem::take(&mut self.requested);
            if jobs.is_empty() {
                let Some((module, item, object)) = self.open.pop() else {
                    if self.dispatch() {
                        continue;
                    }
                    break;
                };
                values.extend(body::initial_value(self, module, item, object, prologue));
                continue;
            }
            for (id, instance) in jobs {
                if self.done.insert(id.0) {
                    body::function(self, id, &instance, (id == first).then_some(prologue));
                }
            }
        }
        self.unit.functions[prologue.0].body = values;
        first
    }

    // Errors.

    pub(super) fn report(&mut self, error: Diagnostic) -> Reported {
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
        Reported(())
    }

    /// That this value ends elsewhere in another edition.
    pub(super) fn edition_matters(&mut self, span: Span) {
        self.rescoped.push(span);
    }

    /// What is wrong was reported where it was found.
    pub(super) fn reported(&self) -> Reported {
        debug_assert!(!self.errors.is_empty(), "an error was reported");
        Reported(())
    }

    pub(super) fn error(&mut self, message: impl Into<String>, span: Span) -> Reported {
        let span = self.in_text(span);
        self.report(Diagnostic::error(message, span))
    }

    /// Whether a part of the text is one of the library.
    pub(super) fn is_library(&self, span: &Span) -> bool {
        span.start >= self.library
    }

    /// Where the library is called, for a part of it.
    fn in_text(&self, span: Span) -> Span {
        if !self.is_library(&span) {
            return span;
        }
        let mut calls = self.inlined.iter().rev();
        calls
            .find(|call| !self.is_library(call))
            .cloned()
            .unwrap_or(0..0)
    }

    /// An error with a way round.
    pub(super) fn refuse(
        &mut self,
        message: impl Into<String>,
        span: Span,
        note: impl Into<String>,
    ) -> Reported {
        let span = self.in_text(span);
        self.report(Diagnostic::error(message, span).note(note))
    }

    pub(super) fn shown(&self, ty: &Ty) -> String {
        let name = |id: usize| self.names.adts[id].name().to_string();
        Shown(ty, &name).to_string()
    }

    pub(super) fn unknown_name(&mut self, name: &str, module: usize, span: Span) -> Reported {
        let span = self.in_text(span);
        let error = Diagnostic::error(format!("`{name}` is not known"), span);
        let mut unknown = self.names.macros(module);
        let maker = unknown.find(|of| self.macros.reason(of).is_some());
        let maker = maker.or_else(|| self.names.macros(module).next());
        let path: Vec<String> = name.split("::").map(str::to_owned).collect();
        if let Some(missing) = self.names.missing(module, &path) {
            return self.report(missing.explain(error));
        }
        if let Some(error) = self.not_read(&error.span, &path, module) {
            return self.report(error);
        }
        if self.names.is_foreign(module, name) {
            return self.report(
                error
                    .note("it is declared in an `extern` block: what it does is not known")
                    .note("write a function in Rust that does what matters here, and call that"),
            );
        }
        let near = nearest(name, self.names.visible(module));
        let error = match near {
            Some(near) => error.label(format!("did you mean `{near}`?")),
            None if let Some(of) = maker => self.with_macro(error, of),
            None => error.note(
                "items of this file and those parts of the standard library and of `loom` that have \
                 a meaning are known",
            ),
        };
        self.report(error)
    }

    /// An error about a name from a module or a crate that is in no file that was read.
    fn not_read(&self, at: &Span, path: &[String], module: usize) -> Option<Diagnostic> {
        let (first, rest) = path.split_first()?;
        let imported = self.names.imported_from(module, first);
        let (from, import) = match imported {
            Some((from, import)) => (from, Some(span(import))),
            None if rest.is_empty() => return None,
            None => (path, None),
        };
        let about = |message: String| {
            let error = Diagnostic::error(message, at.clone());
            match import.clone() {
                Some(import) => error.other(import, "it is imported here"),
                None => error,
            }
        };
        let is_module = |count: &usize| {
            let found = self.names.resolve(module, &from[..*count]);
            is_relative(&from[count - 1]) || matches!(found, Target::Item(_, Named::Module(_)))
        };
        let begins = (1..=from.len()).take_while(is_module).count();
        let missing = from.get(begins)?;
        let whole = from.join("::");
        if begins > 0 {
            let before = from[..begins].join("::");
            let error = about(format!(
                "`{whole}` is not known: `{before}` has no `{missing}` that is visible here"
            ));
            return Some(
                error
                    .note(format!(
                        "neither an item `{missing}` nor `mod {missing};` is in the file of `{before}`"
                    ))
                    .note(
                        "a file is read as the first one of its crate: give `src/lib.rs` or the folder of the \
                         package if `crate` and `super` begin there",
                    ),
            );
        }
        let Target::None = self.names.resolve(module, &from[..1]) else {
            return None;
        };
        let error = about(format!(
            "`{whole}` is not known: neither a module `{missing}` nor a crate of this name was read"
        ));
        Some(
            error
                .note("crates are read where `Cargo.toml` has their path; those from a registry are not")
                .note("write what is used of it as a module of this file"),
        )
    }

    /// An error about what a macro may define that is not expanded.
    fn with_macro(&self, error: Diagnostic, of: &syn::Macro) -> Diagnostic {
        let error = error.other(span(of), "this macro may define it");
        match self.macros.reason(of) {
            Some(reason) => error.note(format!("the macro is not expanded: {reason}")),
            None => error.note("the macro is not one of this file: write the items themselves"),
        }
    }

    // Functions.

    /// A function without a body yet.
    pub(super) fn reserve(&mut self, name: &str, place: crate::text::Place) -> FunctionId {
        self.unit.functions.push(Function {
            name: name.to_owned(),
            parameters: 0,
            locals: Vec::new(),
            returns: void(),
            body: Vec::new(),
            place,
        });
        FunctionId(self.unit.functions.len() - 1)
    }

    /// The function with these generic arguments; it is translated later.
    pub(super) fn instance(
        &mut self,
        def: Def<'a>,
        context: Context,
        called: Span,
    ) -> Res<FunctionId> {
        let key = (span(&def.sig.ident).start, context.clone());
        let id = if let Some(id) = self.instances.get(&key) {
            *id
        } else {
            if self.instances.len() >= MOST_INSTANCES {
                return Err(self.error("the program has too many generic functions", called));
            }
            let id = self.reserve(&def.sig.ident.to_string(), at(&def.sig.ident));
            self.instances.insert(key, id);
            id
        };
        self.requested.push((id, Instance { def, context }));
        Ok(id)
    }

    /// Forgets what was called since there were this many requests.
    pub(super) fn forget_requests(&mut self, count: usize) {
        self.requested.truncate(count);
    }

    pub(super) fn requests(&self) -> usize {
        self.requested.len()
    }

    /// The function that a closure at this position is, which a thread of this name executes.
    pub(super) fn closure(&mut self, inside: FunctionId, at: Span, name: &str) -> FunctionId {
        let around = self.inlined.iter().map(|call| call.start).collect();
        let key = (inside.0, at.start, around);
        if let Some(id) = self.closures.get(&key) {
            return *id;
        }
        let id = self.reserve(name, place(at));
        self.closures.insert(key, id);
        id
    }

    /// The object that a static is.
    pub(super) fn static_object(
        &mut self,
        module: usize,
        item: &'a syn::ItemStatic,
    ) -> Res<(ObjectId, Ty)> {
        let context = Context {
            module,
            ..Context::default()
        };
        let mut ty = self.ty(&item.ty, &context, None)?;
        let start = span(&item.ident).start;
        let thread_local = self.names.initial_of(item).is_some();
        if thread_local {
            ty = Ty::Adt(self.names.lang.local_key, vec![ty]);
        }
        if let Some(id) = self.statics.get(&start) {
            return Ok((*id, ty));
        }
        if !thread_local && item.attrs.iter().any(|a| a.path().is_ident("thread_local")) {
            return Err(self.error("this attribute is not supported", span(item)));
        }
        let typed = self.typed(&ty);
        let name = item.ident.to_string();
        let taken = self.unit.objects.iter().any(|object| object.name == name);
        let id = ObjectId(self.unit.objects.len());
        self.unit.objects.push(Object {
            name: if taken {
                format!("{name}_{}", id.0)
            } else {
                name
            },
            ty: typed,
            init: Vec::new(),
            tail: 0,
            thread_local,
            reached: true,
            place: at(&item.ident),
        });
        self.statics.insert(start, id);
        if !thread_local {
            self.open.push((module, item, id));
        }
        Ok((id, ty))
    }
}

/// The name of the tag of an enumeration.
pub(super) const TAG: &str = "tag";

/// The name of a field of a variant.
pub(super) fn payload(variant: &str, field: &str) -> String {
    format!("{variant}.{field}")
}

/// The generic parameters and what they stand for, in order.
pub(super) fn substitution(generics: &syn::Generics, arguments: &[Ty]) -> BTreeMap<String, Ty> {
    let mut arguments = arguments.iter();
    let mut subst = BTreeMap::new();
    for parameter in &generics.params {
        let name = match parameter {
            GenericParam::Lifetime(_) => continue,
            GenericParam::Type(parameter) => &parameter.ident,
            GenericParam::Const(parameter) => &parameter.ident,
        };
        if let Some(argument) = arguments.next() {
            subst.insert(name.to_string(), argument.clone());
        }
    }
    subst
}

/// The names of a path, without generic arguments.
pub(super) fn words_of(path: &syn::Path) -> Vec<String> {
    let segments = path.segments.iter();
    segments.map(|segment| segment.ident.to_string()).collect()
}

pub(super) fn plain(kind: TypeKind) -> Type {
    Type {
        kind,
        atomic: false,
        volatile: false,
    }
}

pub(super) fn void() -> Type {
    plain(TypeKind::Void)
}

/// Whether a path goes on from the module at hand, or from the first one, after this part.
fn is_relative(part: &str) -> bool {
    matches!(part, "crate" | "self" | "super")
}
