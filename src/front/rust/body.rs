//! The body of a function as statements of the typed program.
//!
//! | module | is about |
//! |---|---|
//! | `callable` | closures and functions as values |
//! | `iterate`, `slices` | ranges, loops over iterators, slices and vectors |
//! | `build` | the nodes of the typed program |
//! | `scope` | variables, and which of them a thread captures |
//! | `drops`, `moves` | what is executed where a value ends, and which values are moved |
//! | `statement`, `declaration` | blocks, and what they declare |
//! | `control`, `matches`, `patterns`, `lets` | branches and loops, patterns |
//! | `expr`, `aggregate`, `operator`, `overloaded`, `compare`, `assign`, `place` | values, and what has an address |
//! | `path`, `lookup`, `constants`, `call`, `callable`, `construct`, `known`, `intrinsics`, `closure`, `held`, `objects`, `macros` | names, and what is called |
//! | `method`, `atomic`, `integer`, `option`, `locks`, `memory`, `pointer`, `counts`, `weak`, `derived` | methods of known types, and what `derive` makes |
//! | `thread`, `captures`, `parameters`, `locals` | threads, scopes, handles, what closures capture, and what each thread has |
//!
//! A body is checked until no type in it changes any more: see [`Infer`].

mod aggregate;
mod assign;
mod atomic;
mod boxed;
mod build;
mod call;
mod callable;
mod called;
mod captures;
mod closure;
mod compare;
mod constants;
mod construct;
mod control;
mod counts;
mod declaration;
mod derived;
mod drops;
mod expr;
mod handles;
mod held;
mod integer;
mod intrinsics;
mod iterate;
mod known;
mod lets;
mod locals;
mod locks;
mod lookup;
mod macros;
mod matches;
mod memory;
mod method;
mod moves;
mod objects;
mod operator;
mod option;
mod order;
mod overloaded;
mod parameters;
mod path;
mod patterns;
mod place;
mod pointer;
mod rounds;
mod scope;
mod slices;
mod statement;
mod thread;
mod weak;

use super::expand::without_number;
use super::source::{at, implied, span};
use super::types::{Infer, Ty};
use super::unit::{Context, Instance, Reported, Res, Translator};
use crate::lower::typed::{self, FunctionId, Local, LocalId, Lvalue, ObjectId, Stmt};
use crate::text::{Place, Span};
use build::{call_statement, expression_statement, object};
use captures::Used;
pub(super) use held::Held;
use moves::{Owners, Ways};
use rounds::rounds;
use scope::{Callable, Frame, Scope, Var};
use std::collections::{BTreeMap, BTreeSet};

/// A value.
#[derive(Clone, Debug)]
struct Val {
    e: typed::Expr,
    ty: Ty,
}

/// Something with an address.
#[derive(Clone, Debug)]
struct Pl {
    lvalue: Lvalue,
    ty: Ty,
}

/// A loop or a block that `break` leaves.
#[derive(Clone, Debug)]
struct Exit {
    label: Option<String>,
    is_loop: bool,
    /// How many scopes are around it.
    depth: usize,
    /// Where its value goes.
    result: Option<(LocalId, Ty)>,
    /// The labels that `break` and `continue` go to from inside other loops.
    leave: String,
    again: String,
    leaves: bool,
    repeats: bool,
}

/// Where `return` leads: out of the function, or of a closure that is part of it.
#[derive(Clone, Debug)]
struct Return {
    ty: Ty,
    /// How many scopes are around it.
    depth: usize,
    inline: Option<Inline>,
}

#[derive(Clone, Debug)]
struct Inline {
    label: String,
    result: LocalId,
    used: bool,
}

/// A function while it is checked.
struct Body<'b, 'a> {
    t: &'b mut Translator<'a>,
    context: Context,
    infer: Infer,
    frames: Vec<Frame>,
    vars: Vec<Var<'a>>,
    scopes: Vec<Scope>,
    exits: Vec<Exit>,
    returns: Vec<Return>,
    /// The operands that have their values while later ones are evaluated, if their ends have an effect:
    /// how many scopes are around each.
    pending: Vec<usize>,
    /// The scope of the statement at hand, with which its value ends if nothing uses it.
    statement: Option<usize>,
    /// What drops its value, in the functions at hand.
    owners: Owners,
    /// What pointers point to that is being dropped, from the outermost on, and what has functions for that.
    contents: Vec<Ty>,
    droppers: BTreeSet<Ty>,
    /// What boxes hold that is being cloned or compared, from the outermost on.
    boxes: Vec<Ty>,
    /// The locals before this one are outside of a closure that may not be called.
    kept_by_closure: usize,
    /// What is called that is a value, by where it is written: as it was found the time before, and now.
    held_before: BTreeSet<usize>,
    held_now: BTreeSet<usize>,
    /// The types that are converted to trait objects, by the numbers of both.
    converted_to: Vec<(usize, usize)>,
    /// What is called by values that were made.
    held_here: Vec<usize>,
    /// Whether the next closure is called once.
    is_called_once: bool,
    /// Whether the place at hand is written or borrowed mutably, and how often one was not where that makes a difference.
    mutably: bool,
    shared: usize,
    /// Whether the method that was called last takes what it is called on by a mutable reference.
    changes_receiver: bool,
    /// The parts that are moved on their own, as far as they were found the time before, and now.
    moved_before: Ways,
    moved_now: Ways,
    /// The temporary values that live as long as a variable, by their spans: the scopes they end with.
    extended: BTreeMap<(usize, usize), usize>,
    labels: usize,
    /// What closures were found to use the time before, and now.
    known: Option<Used>,
    used: Used,
    depth: usize,
    /// The variable that the expression at hand is the value of: threads are named so.
    names_thread: Option<String>,
    /// The closures that are values, by the numbers in their types.
    closures: BTreeMap<usize, Callable<'a>>,
    /// The variables that were declared, with what was known of their types then.
    declared: Vec<(Ty, typed::Type, String)>,
}

/// Translates a function. The first one calls the function with the initial values.
pub(super) fn function<'a>(
    t: &mut Translator<'a>,
    id: FunctionId,
    instance: &Instance<'a>,
    prologue: Option<FunctionId>,
) {
    rounds(t, id, &instance.context, |body| {
        let function = body.whole(id, instance, prologue);
        if let Ok(function) = function {
            body.t.unit.functions[id.0] = function;
        }
    });
}

/// The statements that give a static its initial value.
pub(super) fn initial_value<'a>(
    t: &mut Translator<'a>,
    module: usize,
    item: &'a syn::ItemStatic,
    id: ObjectId,
    prologue: FunctionId,
) -> Vec<Stmt> {
    let context = Context {
        module,
        ..Context::default()
    };
    let mut stmts = Vec::new();
    rounds(t, prologue, &context, |body| {
        stmts = body.initial(item, id, prologue).unwrap_or_default();
    });
    stmts
}

impl<'a> Body<'_, 'a> {
    /// The function itself.
    fn whole(
        &mut self,
        id: FunctionId,
        instance: &Instance<'a>,
        prologue: Option<FunctionId>,
    ) -> Res<typed::Function> {
        let sig = instance.def.sig;
        if sig.asyncness.is_some() {
            return Err(self.t.refuse(
                "`async` is not supported",
                span(&sig.ident),
                "write threads: the program is what they do",
            ));
        }
        let mut patterns = Vec::new();
        for input in self.t.inputs(sig)? {
            let (ty, pattern) = match input {
                syn::FnArg::Receiver(receiver) => {
                    let ty = self.receiver(receiver)?;
                    (ty, None)
                }
                syn::FnArg::Typed(input) => {
                    let context = self.here();
                    (self.t.ty(&input.ty, &context, None)?, Some(&*input.pat))
                }
            };
            patterns.push((ty, pattern));
        }
        // Those without cells are no parameters.
        let mut locals = vec![LocalId(0); patterns.len()];
        let mut count = 0;
        for is_void in [false, true] {
            for (number, (ty, _)) in patterns.iter().enumerate() {
                if self.typed(ty).is_void() == is_void {
                    locals[number] = self.local("parameter", ty);
                    count += usize::from(!is_void);
                }
            }
        }
        let returns = match &sig.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) => {
                let context = self.here();
                self.t.ty(ty, &context, None)?
            }
        };
        self.returns.push(Return {
            ty: returns.clone(),
            depth: 0,
            inline: None,
        });
        let mut stmts = Vec::new();
        if let Some(prologue) = prologue {
            stmts.push(call_statement(prologue, implied(at(&sig.ident))));
        }
        for (local, (ty, pattern)) in locals.into_iter().zip(patterns) {
            match pattern {
                None => self.bind_receiver(local, ty, at(&sig.ident), &mut stmts),
                Some(pattern) => self.parameter(pattern, local, ty, &mut stmts)?,
            }
        }
        let body = self.function_block(instance.def.block, &returns)?;
        stmts.extend(body);
        let returns = self.typed(&returns);
        let frame = self.frames.pop();
        Ok(typed::Function {
            name: sig.ident.to_string(),
            parameters: count,
            locals: frame.map(|frame| frame.locals).unwrap_or_default(),
            returns,
            body: stmts,
            place: self.t.unit.functions[id.0].place,
        })
    }

    /// Gives a static its initial value, in a function whose locals are those so far.
    fn initial(
        &mut self,
        item: &'a syn::ItemStatic,
        id: ObjectId,
        prologue: FunctionId,
    ) -> Res<Vec<Stmt>> {
        let locals = self.t.unit.functions[prologue.0].locals.clone();
        let context = self.here();
        let ty = self.t.ty(&item.ty, &context, None)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.locals = locals;
        }
        let place = at(&item.expr);
        let typed = self.typed(&ty);
        let into = Pl {
            lvalue: object(id, typed, place),
            ty,
        };
        let mut stmts = Vec::new();
        self.initialise(&into, &item.expr, &mut stmts)?;
        let frame = self.frames.last_mut();
        let locals: Vec<Local> = frame
            .map(|f| std::mem::take(&mut f.locals))
            .unwrap_or_default();
        self.t.unit.functions[prologue.0].locals = locals;
        Ok(stmts)
    }

    // Errors.

    /// The edition of the crate that the code at hand is in.
    fn edition(&self) -> crate::text::Edition {
        self.t.names.edition_of(self.module())
    }

    fn error<T>(&mut self, message: impl Into<String>, span: Span) -> Res<T> {
        Err(self.t.error(message, span))
    }

    fn refuse<T>(
        &mut self,
        message: impl Into<String>,
        span: Span,
        note: impl Into<String>,
    ) -> Res<T> {
        Err(self.t.refuse(message, span, note))
    }

    /// That one type was expected and another one is there.
    fn mismatch(&mut self, expected: &Ty, found: &Ty, span: Span) -> Reported {
        let (expected, found) = (self.infer.deep(expected), self.infer.deep(found));
        let (expected, found) = (self.t.shown(&expected), self.t.shown(&found));
        self.t
            .error(format!("expected `{expected}`, found `{found}`"), span)
    }

    // Types.

    /// The type in the typed program, as far as it is known.
    fn typed(&mut self, ty: &Ty) -> typed::Type {
        let ty = self.infer.settled(ty);
        self.t.typed(&ty)
    }

    fn unify(&mut self, expected: &Ty, found: &Ty, span: Span) -> Res<()> {
        if self.infer.unify(expected, found) {
            Ok(())
        } else {
            Err(self.mismatch(expected, found, span))
        }
    }

    /// A type that is written in this body.
    fn written(&mut self, ty: &syn::Type) -> Res<Ty> {
        let context = self.here();
        self.t.ty(ty, &context, Some(&mut self.infer))
    }

    /// A label that nothing else has.
    fn label(&mut self, what: &str) -> String {
        self.labels += 1;
        format!("{what} {}", self.labels)
    }

    /// An expression whose value is not used, as a statement that the text does not have.
    fn effect(e: typed::Expr) -> Stmt {
        let place = implied(e.place);
        expression_statement(e, place)
    }

    /// A new local variable.
    fn local(&mut self, name: &str, ty: &Ty) -> LocalId {
        let of = ty;
        let ty = self.typed(of);
        self.declared
            .push((of.clone(), ty.clone(), name.to_owned()));
        let Some(frame) = self.frames.last_mut() else {
            return LocalId(0);
        };
        frame.locals.push(Local {
            name: without_number(name).to_owned(),
            ty,
            addressed: false,
            temporary: false,
        });
        LocalId(frame.locals.len() - 1)
    }

    /// A local variable of this type that the text does not name.
    fn temporary(&mut self, ty: &Ty, place: Place) -> (LocalId, Pl) {
        let local = self.local("temporary", ty);
        let pl = Pl {
            lvalue: build::local(local, self.typed(ty), place),
            ty: ty.clone(),
        };
        (local, pl)
    }
}
