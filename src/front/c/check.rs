//! Names, types and conversions: what makes a syntactically right text a typed program.
//!
//! The parser hands each construct over as soon as its parts are known; there is no syntax tree.
//! The functions here check it and build the [typed program](crate::lower::typed) for it.
//!
//! | module | about |
//! |---|---|
//! | `types` | predicates, sizes and names of types |
//! | `operand` | what an expression is before it is a value: a place, a function, a literal |
//! | `convert` | promotions, casts, what may be assigned to what |
//! | `operators` | unary and binary operators, assignments |
//! | `access` | dereferences, members, elements, addresses |
//! | `fold` | constant expressions |
//! | `call`, `missing` | calls of functions of the program and of libraries, and of others |
//! | `names` | scopes, objects, functions |
//! | `link` | what translation units share |
//! | `aside`, `reach` | errors in what nothing executes |
//! | `scan` | `scanf` and its like |
//! | `unions` | which cells unions have |
//! | `threads` | threads that execute functions of a library |
//! | `registers` | what litmus tests leave out |
//!
//! **Absent.** `const` after pointers: only assignments to objects that are declared `const` are
//! refused. Compilers check the rest.

mod access;
mod aside;
mod call;
mod convert;
mod fold;
mod link;
mod missing;
mod names;
mod narrow;
mod operand;
mod operators;
mod reach;
mod registers;
mod scan;
mod threads;
mod types;
mod unions;

pub(crate) use convert::{Wanted, cast};
pub(crate) use fold::{NoConstant, fold as folded, wrap as wrapped};
pub(crate) use link::{Definitions, External};
pub(crate) use missing::{in_c, with_all_models};
pub(crate) use names::{Body, Declared, Scope, Symbol, Tag};
pub(crate) use operand::{Constant, Operand};
pub(crate) use operators::{Operator, statement_value};
pub(crate) use registers::{InitialType, Registers};
pub(crate) use threads::STARTS;
pub(crate) use types::{
    BOOL, CHAR, INT, LARGEST, LONG, UNSIGNED, UNSIGNED_LONG, VOID, float, integer, pointer,
    qualified, to, unqualified,
};

use crate::lower::typed::{
    Callee, Expr, ExprKind, Function, FunctionId, Local, Stmt, StmtKind, StructId, Type, Unit,
};
use crate::text::{CallModel, Diagnostic, Place, Span, Threads};
use reach::Reached;
use std::collections::{BTreeMap, BTreeSet};

/// An error was reported. Only [`Checker::report`] makes one, and names that such an error left
/// undeclared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported(());

/// A result whose error has been reported.
pub(crate) type Checked<T> = Result<T, Reported>;

/// Where places are.
pub(crate) trait Located {
    /// The bytes that diagnostics at a place show.
    fn span(&self, place: Place) -> Span;

    /// Whether a place is in a header of the system, which declares more than programs use.
    fn is_system(&self, _: Place) -> bool {
        false
    }
}

impl<F: Fn(Place) -> Span> Located for F {
    fn span(&self, place: Place) -> Span {
        self(place)
    }
}

/// What is known of the units so far.
pub(crate) struct Checker<'a> {
    diagnostics: &'a mut Vec<Diagnostic>,
    located: &'a dyn Located,
    /// How many errors were reported.
    pub(crate) errors: usize,
    /// The structures and objects so far.
    pub(crate) unit: Unit,
    /// Of each object.
    pub(crate) objects: Vec<names::ObjectFacts>,
    pub(crate) functions: Vec<Declared>,
    /// What the translation units share.
    pub(crate) link: link::Link,
    /// The functions that this unit knows and that have a body in some unit, and their numbers.
    pub(crate) defined: BTreeMap<String, FunctionId>,
    pub(crate) bodies: Vec<Option<Function>>,
    /// The first is that of the file.
    pub(crate) scopes: Vec<Scope>,
    /// The function whose body is being read.
    pub(crate) body: Option<Body>,
    /// Names in the present declaration of the file whose declarations have errors: their uses are not
    /// reported again.
    pub(crate) poisoned: BTreeSet<String>,
    /// What is reported only if it is reached.
    pub(crate) aside: aside::Aside,
    /// Names that a header of the system declares in a way that is not supported, and why.
    pub(crate) unsupported: BTreeMap<String, String>,
    /// Structures some of whose members have errors in the present declaration.
    pub(crate) broken: BTreeSet<StructId>,
    /// Structures that end with an array of length 0.
    pub(crate) empty_tails: BTreeSet<StructId>,
    /// What functions without a body do, as the user says.
    pub(crate) models: &'a BTreeMap<String, CallModel>,
    /// The functions that are called before `main`.
    pub(crate) constructors: Vec<(FunctionId, i64, Place)>,
    /// Functions that may be defined nowhere: their addresses are null then.
    pub(crate) weak: BTreeSet<String>,
    /// How many operands of `sizeof` and the like are around the present place.
    pub(crate) unevaluated: usize,
    /// How many of the units are the user's, if not all.
    pub(crate) own: Option<usize>,
    /// What is done with arguments that have no parameters.
    pub(crate) lists: Lists,
    /// In a litmus test: what its initial state says.
    pub(crate) test: Option<&'a Registers>,
}

/// What a program does with arguments that have no parameters.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Lists {
    /// It reads some.
    pub(crate) read: bool,
    /// It hands them to functions that print.
    pub(crate) printed: bool,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(
        diagnostics: &'a mut Vec<Diagnostic>,
        located: &'a dyn Located,
        models: &'a BTreeMap<String, CallModel>,
    ) -> Self {
        Self {
            diagnostics,
            located,
            errors: 0,
            unit: Unit::default(),
            objects: Vec::new(),
            functions: Vec::new(),
            link: link::Link::default(),
            defined: BTreeMap::new(),
            bodies: Vec::new(),
            scopes: vec![Scope::default()],
            body: None,
            poisoned: BTreeSet::new(),
            aside: aside::Aside::default(),
            unsupported: BTreeMap::new(),
            broken: BTreeSet::new(),
            empty_tails: BTreeSet::new(),
            constructors: Vec::new(),
            weak: BTreeSet::new(),
            models,
            unevaluated: 0,
            own: None,
            lists: Lists::default(),
            test: None,
        }
    }

    /// Reports an error with neither label nor notes.
    pub(crate) fn error(&mut self, message: impl Into<String>, place: Place) -> Reported {
        let span = self.located.span(place);
        self.report(Diagnostic::error(message, span))
    }

    /// Reports an error with a way round.
    pub(crate) fn error_with(
        &mut self,
        message: impl Into<String>,
        place: Place,
        note: impl Into<String>,
    ) -> Reported {
        let span = self.located.span(place);
        self.report(Diagnostic::error(message, span).note(note))
    }

    /// Reports an error.
    pub(crate) fn report(&mut self, error: Diagnostic) -> Reported {
        self.diagnostics.push(error);
        self.errors += 1;
        Reported(())
    }

    /// The error that this name's declaration had was reported.
    pub(crate) fn again(&self) -> Reported {
        debug_assert!(self.errors > 0, "names are poisoned by errors");
        Reported(())
    }

    /// Whether a place is in a header of the system.
    pub(crate) fn is_system(&self, place: Place) -> bool {
        self.located.is_system(place)
    }

    /// How many diagnostics there are.
    pub(crate) fn reported(&self) -> usize {
        self.diagnostics.len()
    }

    /// Takes back all diagnostics after the first ones, and all errors after that many.
    pub(crate) fn take_back(&mut self, diagnostics: usize, errors: usize) -> Vec<Diagnostic> {
        self.errors = errors;
        self.diagnostics.split_off(diagnostics)
    }

    /// Reports a name whose declaration has errors, or is not supported in a header of the system, if it is
    /// one.
    pub(crate) fn is_unsupported(&mut self, name: &str, place: Place) -> Option<Reported> {
        if let Some(reported) = self.is_aside(name) {
            return Some(reported);
        }
        let why = self.unsupported.get(name)?.clone();
        let message = format!("what the system's header declares as `{name}` is not supported");
        Some(self.error_with(message, place, format!("in the header: {why}")))
    }

    /// Warns, unless it is about a header of the system, which the user does not write.
    pub(crate) fn warn(&mut self, message: impl Into<String>, place: Place) {
        if self.is_system(place) {
            return;
        }
        let span = self.located.span(place);
        self.diagnostics.push(Diagnostic::warning(message, span));
    }

    /// The bytes of the main file that diagnostics at this place show.
    pub(crate) fn span(&self, place: Place) -> Span {
        self.located.span(place)
    }

    /// Puts calls of all constructors before what the entry does.
    fn call_constructors(&mut self, entry: &str) {
        let mut constructors = std::mem::take(&mut self.constructors);
        constructors.sort_by_key(|(_, priority, _)| *priority);
        let calls = constructors.into_iter().map(|(constructor, _, place)| {
            let call = ExprKind::Call(Callee::Defined(constructor), Vec::new());
            let kind = StmtKind::Expr(expr(call, VOID.clone(), place));
            Stmt { kind, place }
        });
        let mut bodies = self.bodies.iter_mut().flatten();
        if let Some(entry) = bodies.find(|body| body.name == entry) {
            entry.body.splice(0..0, calls);
        }
    }

    /// What is reached of the unit from this function, or all of it; `None` if there is an error in that. If
    /// threads are started, then by a function of the name [`STARTS`].
    pub(crate) fn finish(
        mut self,
        entry: Option<&str>,
        threads: &Threads,
        explain: bool,
    ) -> Option<Unit> {
        if !threads.threads.is_empty() {
            self.start(threads);
        }
        if let Some(entry) = entry {
            self.call_constructors(entry);
        }
        let bodies = std::mem::take(&mut self.bodies);
        let count = bodies.len();
        self.unit.functions = bodies.into_iter().flatten().collect();
        // Otherwise an error has hidden a definition, and nothing is known to be unreached.
        let is_whole = self.unit.functions.len() == count;
        if self.unit.has_error_number {
            for function in &mut self.unit.functions {
                function.locals.push(Local {
                    name: "errno".to_owned(),
                    ty: INT,
                    addressed: true,
                    temporary: false,
                });
            }
        }
        let entry = entry.filter(|_| is_whole);
        let reached = match entry {
            Some(entry) => Reached::from(&self.unit, entry),
            None => Reached::all(&self.unit),
        };
        self.report_aside(&reached, entry.is_none(), explain);
        self.report_undefined_objects(&reached);
        if self.errors == 0 {
            self.settle_unions(&reached);
        }
        if self.errors > 0 {
            return None;
        }
        if !is_whole {
            // What looked like a definition was none, and yet no error.
            let place = self.functions.first().map(|function| function.place)?;
            self.error("a function has no body", place);
            return None;
        }
        reached.keep(&mut self.unit);
        Some(self.unit)
    }
}

/// An expression of this kind.
pub(crate) fn expr(kind: ExprKind, ty: Type, place: Place) -> Expr {
    Expr { kind, ty, place }
}
