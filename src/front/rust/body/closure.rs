//! Closures that are part of the function that they are in.

use super::build::{call, declare, load, sequence, unit};
use super::call::Arguments;
use super::scope::{Extent, Scope, Var, Where, is_copied};
use super::{Body, Inline, Return, Val};
use crate::lower::typed::Stmt;
use crate::rust::names::{Named, Target};
use crate::rust::source::{at, implied, span, words};
use crate::rust::types::Ty;
use crate::rust::unit::{Context, Def, Res, words_of};
use crate::text::Place;
use std::collections::BTreeSet;
use syn::Expr;

impl<'a> Body<'_, 'a> {
    /// A closure that is called here, with these arguments.
    pub(super) fn inline_closure(
        &mut self,
        e: &'a Expr,
        arguments: &[Val],
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let is_called_once = std::mem::take(&mut self.is_called_once);
        match super::control::without_brackets(e) {
            Expr::Closure(closure) => {
                self.is_called_once = is_called_once;
                self.inline_with(closure, None, arguments.to_vec(), want, place)
            }
            Expr::Path(path) => {
                let words = words_of(&path.path);
                if let [name] = &words[..]
                    && let Some(number) = self.find(name)
                    && let Where::Closure(closure, scopes) = self.vars[number].at.clone()
                {
                    return self.inline_with(
                        closure,
                        Some(scopes),
                        arguments.to_vec(),
                        want,
                        place,
                    );
                }
                let target = self.t.names.resolve(self.module(), &words);
                if let (Target::Item(module, Named::Fn(item)), []) = (target, arguments) {
                    let context = Context {
                        module,
                        ..Context::default()
                    };
                    let def = Def {
                        sig: &item.sig,
                        block: &item.block,
                    };
                    return self.call_plain(def, context, place);
                }
                self.error("this is not a closure that is known here", span(e))
            }
            _ => self.refuse(
                "this is not a closure that is known here",
                span(e),
                "write the closure itself",
            ),
        }
    }

    /// Calls a function without arguments.
    pub(super) fn call_plain(&mut self, def: Def<'a>, context: Context, place: Place) -> Res<Val> {
        let of = place.start as usize..place.end as usize;
        if !def.sig.inputs.is_empty() {
            return self.error(format!("`{}` takes arguments", def.sig.ident), of);
        }
        let returns = match &def.sig.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) => self.t.ty(ty, &context, None)?,
        };
        let id = self.t.instance(def, context, of)?;
        let typed = self.typed(&returns);
        Ok(Val {
            e: call(id, Vec::new(), typed, place),
            ty: returns,
        })
    }

    pub(super) fn call_closure(
        &mut self,
        closure: &'a syn::ExprClosure,
        scopes: Option<Vec<Scope>>,
        arguments: &'a Arguments,
        place: Place,
        want: Option<&Ty>,
    ) -> Res<Val> {
        let mut values = Vec::new();
        for e in arguments {
            values.push(self.expr(e, None)?);
        }
        self.inline_with(closure, scopes, values, want, place)
    }

    /// The body of a closure, with its parameters.
    pub(super) fn inline_with(
        &mut self,
        closure: &'a syn::ExprClosure,
        scopes: Option<Vec<Scope>>,
        arguments: Vec<Val>,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        if closure.inputs.len() != arguments.len() {
            return self.error(
                "the closure takes another number of arguments",
                span(closure),
            );
        }
        self.depth += 10;
        if self.depth > 300 {
            self.depth -= 10;
            return self.error("closures call each other too deeply here", span(closure));
        }
        let outside = match scopes {
            Some(scopes) => Some(std::mem::replace(&mut self.scopes, scopes)),
            None => None,
        };
        let floor = self.scopes.len();
        let exits = std::mem::take(&mut self.exits);
        let statement = self.statement.take();
        let kept = self.kept_by_closure;
        if !std::mem::take(&mut self.is_called_once) {
            self.kept_by_closure = self.frames.last().map_or(0, |frame| frame.locals.len());
        }
        let pending = std::mem::take(&mut self.pending);
        let mut stmts = Vec::new();
        // One with a name has copied what it captures where it was declared.
        let copied = match outside {
            Some(_) => Ok(Scope::default()),
            None => self.copied_into(closure, &mut stmts),
        };
        let made = copied.and_then(|copied| {
            self.scopes.push(copied);
            self.scopes.push(Scope::default());
            let made = self.inline_body(closure, arguments, want, place)?;
            Ok(Val {
                e: sequence(stmts, made.e),
                ty: made.ty,
            })
        });
        self.statement = statement;
        self.kept_by_closure = kept;
        self.pending = pending;
        self.scopes.truncate(floor);
        self.exits = exits;
        if let Some(outside) = outside {
            self.scopes = outside;
        }
        self.depth -= 10;
        made
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
                return self.refuse(
                    format!("`{name}` cannot be moved into a closure: its end has an effect"),
                    of,
                    "create it in the closure, or pass it as an argument",
                );
            }
            let ty = self.infer.settled(&var.ty);
            let is_copy = match &ty {
                Ty::Adt(id, _) => self.derives(*id, "Copy"),
                ty => is_copied(ty),
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

    pub(super) fn inline_body(
        &mut self,
        closure: &'a syn::ExprClosure,
        arguments: Vec<Val>,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let mut stmts = Vec::new();
        for (pattern, value) in closure.inputs.iter().zip(arguments) {
            let (pattern, ty) = match pattern {
                syn::Pat::Type(pattern) => (&*pattern.pat, Some(self.written(&pattern.ty)?)),
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
        let (result, pl) = self.temporary(&ty, place);
        if !pl.lvalue.ty.is_void() {
            stmts.insert(0, declare(result, Vec::new(), implied(place)));
        }
        let label = self.label("return");
        self.returns.push(Return {
            ty: ty.clone(),
            depth: self.scopes.len() - 1,
            inline: Some(Inline {
                label,
                result,
                used: false,
            }),
        });
        let made = match &*closure.body {
            Expr::Block(of) if of.label.is_none() => self
                .body_into(&of.block, Some((result, &ty)))
                .map(|made| stmts.push(made)),
            e => self.within(Extent::Temporaries, place, &mut stmts, |body, stmts| {
                body.tail_into(e, Some((result, &ty)), stmts)
            }),
        };
        let target = self.returns.pop();
        made?;
        let depth = self.scopes.len() - 1;
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
            ty,
        })
    }

    /// A variable that is a closure, if an expression names one.
    pub(super) fn closure_named(&self, e: &Expr) -> Option<(&'a syn::ExprClosure, Vec<Scope>)> {
        let Expr::Path(path) = super::control::without_brackets(e) else {
            return None;
        };
        let number = self.find(&path.path.get_ident()?.to_string())?;
        let var: &Var<'a> = &self.vars[number];
        match &var.at {
            Where::Closure(closure, scopes) => Some((closure, scopes.clone())),
            Where::Local(_) | Where::Broken => None,
        }
    }
}
