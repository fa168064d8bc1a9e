//! Functions that are part of the one that they are called in: closures, functions that take closures, and those of
//! the library.

use super::build::{declare, load, sequence, unit};
use super::call::Operand;
use super::callable::is_callable;
use super::scope::{Callable, Extent, Scope, Var, Where};
use super::{Body, Inline, Return, Val};
use crate::lower::typed::{self, Stmt};
use crate::rust::implemented::unnamed_of;
use crate::rust::source::{at, implied, span, words};
use crate::rust::types::Ty;
use crate::rust::unit::{Context, Def, Res};
use crate::text::Place;
use std::collections::BTreeSet;
use syn::{Expr, Pat};

/// Calls are inlined up to this depth, in steps of `STEP`.
const MOST_DEPTH: usize = 400;
const STEP: usize = 10;

/// A parameter of a function that is inlined.
enum Bound<'a> {
    Own(Ty),
    Value(&'a Pat, Ty),
    Called(&'a Pat, Callable<'a>),
}

impl<'a> Body<'_, 'a> {
    /// A closure or a function that is called here, with these arguments.
    pub(super) fn inline_closure(
        &mut self,
        e: &'a Expr,
        arguments: &[Val],
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let is_called_once = std::mem::take(&mut self.is_called_once);
        let mut stmts = Vec::new();
        let callable = self.callable(e, &mut stmts)?;
        let operands = arguments.iter().cloned().map(Operand::Made).collect();
        self.is_called_once = is_called_once;
        let value = self.call_callable(&callable, operands, want, place)?;
        Ok(Val {
            e: sequence(stmts, value.e),
            ty: value.ty,
        })
    }

    /// What an expression is that is called, now or later. One that moves has copied what it captures.
    pub(super) fn callable(&mut self, e: &'a Expr, stmts: &mut Vec<Stmt>) -> Res<Callable<'a>> {
        match super::control::without_brackets(e) {
            Expr::Reference(e) => self.callable(&e.expr, stmts),
            Expr::Closure(closure) => {
                let mut scopes = self.scopes.clone();
                scopes.push(self.copied_into(closure, stmts)?);
                Ok(Callable::Closure {
                    closure,
                    scopes,
                    context: self.context.clone(),
                })
            }
            Expr::Path(path) => {
                if let Some(name) = path.path.get_ident()
                    && let Some(number) = self.find(&name.to_string())
                {
                    return match self.vars[number].at.clone() {
                        // It is copied where it is given away.
                        Where::Callable(callable) if callable.has_state() => {
                            self.escapes(&callable)
                        }
                        Where::Callable(callable) => Ok(callable),
                        Where::Broken => Err(self.t.reported()),
                        Where::Local(_) => self.callable_in(e),
                    };
                }
                Ok(Callable::Path {
                    path,
                    context: self.here(),
                })
            }
            e if self.is_place(e) => self.callable_in(e),
            _ => self.refuse(
                "this is not a closure that is known here",
                span(e),
                "write the closure itself, or the name of a function",
            ),
        }
    }

    /// Whether an expression is a closure, or names what is called.
    fn is_called(&self, e: &Expr) -> bool {
        match super::control::without_brackets(e) {
            Expr::Reference(e) => self.is_called(&e.expr),
            Expr::Closure(_) => true,
            Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                let number = name.and_then(|name| self.find(&name));
                number.is_some_and(|number| {
                    let var = &self.vars[number];
                    matches!(var.at, Where::Callable(_))
                        || matches!(self.infer.shallow(&var.ty), Ty::Called(_))
                })
            }
            _ => false,
        }
    }

    /// Whether an expression that is given to a function that calls it is part of that, and no value.
    fn is_callable_now(&self, e: &Expr) -> bool {
        let inner = match super::control::without_brackets(e) {
            Expr::Reference(e) => super::control::without_brackets(&e.expr),
            e => e,
        };
        match inner {
            _ if self.is_held(inner) => false,
            Expr::Closure(_) => true,
            Expr::Path(path) => !self.names_value(path),
            _ => false,
        }
    }

    /// Calls a closure or a function.
    pub(super) fn call_callable(
        &mut self,
        callable: &Callable<'a>,
        operands: Vec<Operand<'a>>,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let is_called_once = std::mem::take(&mut self.is_called_once);
        match callable {
            Callable::Closure {
                closure,
                scopes,
                context,
            } => {
                let closure = *closure;
                if closure.inputs.len() != operands.len() {
                    return self.error(
                        "the closure takes another number of arguments",
                        span(closure),
                    );
                }
                let mut stmts = Vec::new();
                let mut values = Vec::new();
                for operand in &operands {
                    let value = match operand {
                        Operand::Written(e) => self.expr(e, None)?,
                        Operand::Made(value) => value.clone(),
                        Operand::Called(_) => self.operand(operand, &Ty::Unit)?,
                    };
                    let e = self.hold(value.e, &value.ty, &mut stmts);
                    values.push(Val { e, ty: value.ty });
                }
                let mut scopes = scopes.clone();
                scopes.push(Scope::default());
                let kept = self.kept_by_closure;
                if !is_called_once {
                    self.kept_by_closure = self.frames.last().map_or(0, |frame| frame.locals.len());
                }
                let value = self.inside(scopes, context.clone(), place, |body| {
                    body.closure_body(closure, values, want, place)
                });
                self.kept_by_closure = kept;
                let value = value?;
                Ok(Val {
                    e: sequence(stmts, value.e),
                    ty: value.ty,
                })
            }
            Callable::Path { path, context } => {
                let mut stmts = Vec::new();
                let mut made = Vec::new();
                for operand in operands {
                    made.push(match operand {
                        Operand::Written(e) if self.is_called(e) => {
                            Operand::Called(self.callable(e, &mut stmts)?)
                        }
                        Operand::Written(e) => {
                            let value = self.expr(e, None)?;
                            let e = self.hold(value.e, &value.ty, &mut stmts);
                            Operand::Made(Val { e, ty: value.ty })
                        }
                        operand => operand,
                    });
                }
                let outside = std::mem::replace(&mut self.context, context.clone());
                let scopes = std::mem::replace(&mut self.scopes, vec![Scope::default()]);
                let found = self.call_path(path, made, want, place);
                self.scopes = scopes;
                self.context = outside;
                let value = found?;
                Ok(Val {
                    e: sequence(stmts, value.e),
                    ty: value.ty,
                })
            }
        }
    }

    /// Makes something in other scopes, where names stand for something else.
    fn inside(
        &mut self,
        scopes: Vec<Scope>,
        context: Context,
        place: Place,
        make: impl FnOnce(&mut Self) -> Res<Val>,
    ) -> Res<Val> {
        if self.depth + STEP > MOST_DEPTH {
            let call = self.t.inlined.last().cloned().unwrap_or(0..0);
            return self.refuse(
                "functions that take closures call each other too deeply here",
                call,
                "such functions are made part of the ones that call them: they cannot be recursive",
            );
        }
        self.depth += STEP;
        let part = self.infer.enter(place.end as usize);
        let scopes = std::mem::replace(&mut self.scopes, scopes);
        let context = std::mem::replace(&mut self.context, context);
        let exits = std::mem::take(&mut self.exits);
        let statement = self.statement.take();
        let pending = std::mem::take(&mut self.pending);
        let mutably = std::mem::take(&mut self.mutably);
        let made = make(self);
        self.mutably = mutably;
        self.statement = statement;
        self.pending = pending;
        self.exits = exits;
        self.context = context;
        self.scopes = scopes;
        self.infer.leave(part);
        self.depth -= STEP;
        made
    }

    /// A function as a part of the one that calls it.
    pub(super) fn inline_function(
        &mut self,
        def: Def<'a>,
        context: Context,
        own: Option<typed::Expr>,
        operands: Vec<Operand<'a>>,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let mut context = context;
        for name in unnamed_of(&def.sig.output) {
            let ty = self.infer.fresh(place.end as usize, false);
            context.subst.insert(name, ty);
        }
        for ty in context.subst.values() {
            self.infer.remember(ty, place.end as usize);
        }
        let returns = self.returned(def, &context, want)?;
        self.infer.remember(&returns, place.end as usize);
        let mut stmts = Vec::new();
        let mut bound = Vec::new();
        let pending = self.pending.len();
        let mut own = own;
        let mut operands = operands.into_iter();
        for input in self.t.inputs(def.sig)? {
            let made = match (own.take(), is_callable(def.sig, input)) {
                (Some(own), _) => Some(Operand::Made(Val {
                    e: own,
                    ty: self.input_type(input, &context)?,
                })),
                (None, _) => operands.next(),
            };
            let Some(operand) = made else {
                continue;
            };
            if let (true, syn::FnArg::Typed(typed)) = (is_callable(def.sig, input), input) {
                let callable = match &operand {
                    Operand::Made(value)
                        if matches!(self.infer.shallow(&value.ty), Ty::Called(_)) =>
                    {
                        let (at, ty) = (value.e.place, value.ty.clone());
                        stmts.push(Self::effect(value.e.clone()));
                        let of = at.start as usize..at.end as usize;
                        Some(self.callable_of(&ty, of)?)
                    }
                    Operand::Written(e) if self.is_callable_now(e) => {
                        Some(self.callable(e, &mut stmts)?)
                    }
                    Operand::Called(callable) => Some(callable.clone()),
                    Operand::Written(_) | Operand::Made(_) => None,
                };
                if let Some(callable) = callable {
                    bound.push((Bound::Called(&typed.pat, callable), None));
                    continue;
                }
            }
            let ty = self.input_type(input, &context)?;
            let value = self.operand(&operand, &ty)?;
            let local = self.local("parameter", &ty);
            if value.e.ty.is_void() {
                stmts.push(Self::effect(value.e));
            } else {
                stmts.push(declare(local, vec![(Vec::new(), value.e)], implied(place)));
            }
            self.pend(&ty);
            let of = match input {
                syn::FnArg::Receiver(_) => Bound::Own(ty),
                syn::FnArg::Typed(input) => Bound::Value(&input.pat, ty),
            };
            bound.push((of, Some(local)));
        }
        self.pending.truncate(pending);
        let call = place.start as usize..place.end as usize;
        self.t.inlined.push(call);
        let made = self.inside(vec![Scope::default()], context, place, |body| {
            body.function_body(def, bound, &returns, stmts, place)
        });
        self.t.inlined.pop();
        made
    }

    fn function_body(
        &mut self,
        def: Def<'a>,
        bound: Vec<(Bound<'a>, Option<typed::LocalId>)>,
        returns: &Ty,
        mut stmts: Vec<Stmt>,
        place: Place,
    ) -> Res<Val> {
        for (of, local) in bound {
            match (of, local) {
                (Bound::Own(ty), Some(local)) => self.bind_receiver(local, ty, place, &mut stmts),
                (Bound::Value(pattern, ty), Some(local)) => {
                    self.parameter(pattern, local, ty, &mut stmts)?;
                }
                (Bound::Called(pattern, callable), _) => self.name_callable(pattern, callable),
                (Bound::Own(_) | Bound::Value(..), None) => {}
            }
        }
        self.inline_to(returns, stmts, place, |body, into, stmts| {
            stmts.push(body.body_into(def.block, into)?);
            Ok(())
        })
    }

    /// Gives what is called a name.
    pub(super) fn name_callable(&mut self, pattern: &Pat, callable: Callable<'a>) {
        if let Pat::Ident(name) = pattern {
            let frame = self.frames.len() - 1;
            self.name_var(Var {
                name: name.ident.to_string(),
                ty: Ty::Unit,
                mutable: false,
                at: Where::Callable(callable),
                frame,
            });
        }
    }

    /// The variables that a `move` closure has copies of, so that what it changes is its own.
    pub(super) fn copied_into(
        &mut self,
        closure: &'a syn::ExprClosure,
        stmts: &mut Vec<Stmt>,
    ) -> Res<Scope> {
        let mut copied = Scope::default();
        if closure.capture.is_none() {
            return Ok(copied);
        }
        let of = span(closure);
        let names: BTreeSet<String> = words(self.t.lexemes, &of).collect();
        let place = at(closure);
        for name in names {
            let Some(number) = self.find(&name) else {
                continue;
            };
            let var = self.vars[number].clone();
            if !matches!(var.at, Where::Local(_)) {
                continue;
            }
            if self.needs_drop(&var.ty) {
                // It ends with the closure, which is a value then.
                self.held_now.insert(of.start);
                return self.refuse(
                    format!("`{name}` cannot be moved into a closure: its end has an effect"),
                    of,
                    "create it in the closure, or pass it as an argument",
                );
            }
            let ty = self.infer.settled(&var.ty);
            let is_copy = match &ty {
                Ty::Adt(id, _) => self.derives(*id, "Copy"),
                ty => self.is_copied(ty),
            };
            let pl = self.variable(number, place, of.clone())?;
            if !var.mutable || !is_copy || pl.lvalue.ty.is_void() {
                continue;
            }
            let local = self.local(&name, &var.ty);
            let value = load(pl.lvalue, place);
            stmts.push(declare(local, vec![(Vec::new(), value)], implied(place)));
            copied.names.push((name, self.vars.len()));
            self.vars.push(Var {
                at: Where::Local(local),
                frame: self.frames.len() - 1,
                ..var
            });
        }
        Ok(copied)
    }

    /// The body of a closure, with its parameters.
    fn closure_body(
        &mut self,
        closure: &'a syn::ExprClosure,
        arguments: Vec<Val>,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let mut stmts = Vec::new();
        for (pattern, value) in closure.inputs.iter().zip(arguments) {
            let (pattern, ty) = match pattern {
                Pat::Type(pattern) => (&*pattern.pat, Some(self.written(&pattern.ty)?)),
                pattern => (pattern, None),
            };
            let value = match ty {
                Some(ty) => self.coerce(value, &ty, span(pattern))?,
                None => value,
            };
            let local = self.local("parameter", &value.ty);
            if value.e.ty.is_void() {
                stmts.push(Self::effect(value.e));
            } else {
                stmts.push(declare(local, vec![(Vec::new(), value.e)], implied(place)));
            }
            self.parameter(pattern, local, value.ty, &mut stmts)?;
        }
        let ty = match (&closure.output, want) {
            (syn::ReturnType::Type(_, ty), _) => self.written(ty)?,
            (syn::ReturnType::Default, Some(want)) => want.clone(),
            (syn::ReturnType::Default, None) => self.infer.fresh(span(closure).start, false),
        };
        self.inline_to(&ty, stmts, place, |body, into, stmts| {
            match &*closure.body {
                Expr::Block(of) if of.label.is_none() => {
                    stmts.push(body.body_into(&of.block, into)?);
                    Ok(())
                }
                e => body.within(Extent::Temporaries, place, stmts, |body, stmts| {
                    body.tail_into(e, into, stmts)
                }),
            }
        })
    }

    /// The value of a body, which `return` may give as well. The innermost scope has its parameters.
    fn inline_to(
        &mut self,
        ty: &Ty,
        mut stmts: Vec<Stmt>,
        place: Place,
        make: impl FnOnce(&mut Self, Option<(typed::LocalId, &Ty)>, &mut Vec<Stmt>) -> Res<()>,
    ) -> Res<Val> {
        let (result, pl) = self.temporary(ty, place);
        if !pl.lvalue.ty.is_void() {
            stmts.insert(0, declare(result, Vec::new(), implied(place)));
        }
        let label = self.label("return");
        let depth = self.scopes.len() - 1;
        self.returns.push(Return {
            ty: ty.clone(),
            depth,
            inline: Some(Inline {
                label,
                result,
                used: false,
            }),
        });
        let made = make(self, Some((result, ty)), &mut stmts);
        let target = self.returns.pop();
        made?;
        self.leave(depth, place, &mut stmts)?;
        if let Some(inline) = target
            .and_then(|target| target.inline)
            .filter(|inline| inline.used)
        {
            Self::land(Some(inline.label), place, &mut stmts);
        }
        let value = if pl.lvalue.ty.is_void() {
            unit(place)
        } else {
            load(pl.lvalue, place)
        };
        Ok(Val {
            e: sequence(stmts, value),
            ty: ty.clone(),
        })
    }
}
