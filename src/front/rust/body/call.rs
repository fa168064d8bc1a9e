//! Calls of functions: those of the text, and those that are known.

use super::build::{call, load, sequence};
use super::scope::Where;
use super::{Body, Val};
use crate::lower::typed;
use crate::rust::names::{Named, Target};
use crate::rust::source::{at, implied, span};
use crate::rust::types::Ty;
use crate::rust::unit::{Context, Def, Res, words_of};
use crate::text::Place;
use std::collections::BTreeMap;
use syn::punctuated::Punctuated;
use syn::{Expr, PathArguments};

pub(super) type Arguments = Punctuated<Expr, syn::Token![,]>;

impl<'a> Body<'_, 'a> {
    pub(super) fn call(&mut self, e: &'a syn::ExprCall, want: Option<&Ty>) -> Res<Val> {
        let place = at(e);
        let Expr::Path(path) = super::control::without_brackets(&e.func) else {
            return self.refuse(
                "what is called here is not a name",
                span(&e.func),
                "call functions by their names",
            );
        };
        let words = words_of(&path.path);
        if let (Some(own), Some(last)) = (&path.qself, words.last())
            && own.position == 0
        {
            let own = self.written(&own.ty)?;
            if let ("from" | "try_from", Ty::Int { .. }, Some(argument)) =
                (last.as_str(), &own, e.args.first())
                && let Some(value) = self.integer_from(&own, last, argument, place)?
            {
                return Ok(value);
            }
            return self.associated(&own, last, path, &e.args, want, place);
        }
        if let [name] = &words[..]
            && let Some(number) = self.find(name)
        {
            let Where::Closure(closure, scopes) = self.vars[number].at.clone() else {
                if matches!(self.vars[number].at, Where::Broken) {
                    return Err(self.t.reported());
                }
                return self.error(format!("`{name}` is not a function"), span(&e.func));
            };
            return self.call_closure(closure, Some(scopes), &e.args, place, want);
        }
        let [first @ .., last] = &words[..] else {
            return self.error("what is called here is not a name", span(&e.func));
        };
        if let ([name], [argument]) = (first, &e.args.iter().collect::<Vec<_>>()[..])
            && let ("from" | "try_from", Some(ty)) = (last.as_str(), Ty::integer(name))
            && let Some(value) = self.integer_from(&ty, last, argument, place)?
        {
            return Ok(value);
        }
        if let Some(known) = self.aliased(&words).filter(|_| !first.is_empty()) {
            return self.known_function(&known, e, want, place);
        }
        if !first.is_empty()
            && let Some(own) = self.type_before(&path.path, first)?
        {
            return self.associated(&own, last, path, &e.args, want, place);
        }
        match self.t.names.resolve(self.module(), &words) {
            Target::Item(module, Named::Fn(item)) => {
                let context = Context {
                    module,
                    subst: self.parameters(&item.sig.generics, span(path).start),
                    own: None,
                };
                self.turbofish(&item.sig.generics, path, &context.subst)?;
                let def = Def {
                    sig: &item.sig,
                    block: &item.block,
                };
                self.call_function(def, context, None, &e.args, want, place)
            }
            Target::Item(_, Named::Struct(_)) => self.tuple_structure(e, want, place),
            Target::Item(..) => self.error("what is called here is not a function", span(&e.func)),
            Target::Known(path) => self.known_function(&path, e, want, place),
            Target::None => {
                let name = words.join("::");
                let module = self.module();
                Err(self.t.unknown_name(&name, module, span(&e.func)))
            }
        }
    }

    /// `f::<…>`
    fn turbofish(
        &mut self,
        generics: &syn::Generics,
        path: &'a syn::ExprPath,
        subst: &BTreeMap<String, Ty>,
    ) -> Res<()> {
        let last = path.path.segments.last();
        let Some(PathArguments::AngleBracketed(given)) = last.map(|last| &last.arguments) else {
            return Ok(());
        };
        let context = self.here();
        let mut written = given
            .args
            .iter()
            .filter(|argument| !matches!(argument, syn::GenericArgument::Lifetime(_)));
        for parameter in &generics.params {
            let (name, is_const) = match parameter {
                syn::GenericParam::Lifetime(_) => continue,
                syn::GenericParam::Type(parameter) => (&parameter.ident, false),
                syn::GenericParam::Const(parameter) => (&parameter.ident, true),
            };
            if let (Some(argument), Some(ty)) = (written.next(), subst.get(&name.to_string())) {
                let mut infer = Some(&mut self.infer);
                let own = self.t.argument(argument, is_const, &context, &mut infer)?;
                let ty = ty.clone();
                self.unify(&ty, &own, span(argument))?;
            }
        }
        Ok(())
    }

    /// `Type::f(…)`
    fn associated(
        &mut self,
        own: &Ty,
        name: &str,
        path: &'a syn::ExprPath,
        arguments: &'a Arguments,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let Some((def, mut context)) = self.function_of(own, name) else {
            let ty = self.t.shown(&self.infer.deep(own));
            return self.error(format!("`{ty}` has no function `{name}`"), span(path));
        };
        let parameters = self.parameters(&def.sig.generics, span(path).start);
        self.turbofish(&def.sig.generics, path, &parameters)?;
        context.subst.extend(parameters);
        self.call_function(def, context, None, arguments, want, place)
    }

    /// Calls a function of the text, with what is `self`, if that is not the first argument.
    pub(super) fn call_function(
        &mut self,
        def: Def<'a>,
        context: Context,
        own: Option<typed::Expr>,
        arguments: &'a Arguments,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let of = place.start as usize..place.end as usize;
        let mut types = Vec::new();
        for input in &def.sig.inputs {
            types.push(match input {
                syn::FnArg::Receiver(receiver) => {
                    let outside = std::mem::replace(&mut self.context, context.clone());
                    let ty = self.receiver(receiver);
                    self.context = outside;
                    ty?
                }
                syn::FnArg::Typed(input) => {
                    if let syn::Type::ImplTrait(_) = &*input.ty {
                        return self.refuse(
                            format!("`{}` takes a value of any type with a trait", def.sig.ident),
                            of,
                            "write the type",
                        );
                    }
                    self.t.ty(&input.ty, &context, Some(&mut self.infer))?
                }
            });
        }
        let returns = match &def.sig.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) => self.t.ty(ty, &context, Some(&mut self.infer))?,
        };
        let given = arguments.len() + usize::from(own.is_some());
        if types.len() != given {
            return self.error(
                format!(
                    "`{}` takes {} arguments, and {given} are given",
                    def.sig.ident,
                    types.len()
                ),
                of,
            );
        }
        if let Some(want) = want
            && !matches!(self.infer.shallow(want), Ty::Ptr(..))
        {
            // What does not fit is reported where the value is used.
            let infer = self.infer.clone();
            if !self.infer.unify(want, &returns) {
                self.infer = infer;
            }
        }
        let skipped = usize::from(own.is_some());
        let mut values: Vec<typed::Expr> = own.into_iter().collect();
        let mut effects = Vec::new();
        let pending = self.pending.len();
        if let (Some(own), true) = (types.first(), skipped == 1) {
            self.pend(&own.clone());
        }
        for (e, ty) in arguments.iter().zip(&types[skipped..]) {
            let value = self.expr_as(e, ty)?;
            self.pend(ty);
            if value.e.ty.is_void() {
                // It has no cells, and neither has the parameter.
                effects.push(Self::effect(value.e));
            } else {
                values.push(value.e);
            }
        }
        self.pending.truncate(pending);
        if types.iter().any(|ty| self.typed(ty).is_void()) && !effects.is_empty() {
            return self.refuse(
                "an argument without a value is not supported",
                of,
                "remove the parameter",
            );
        }
        // A later argument may change the variables in an earlier one.
        let mut stmts = Vec::new();
        for at in 0..values.len().saturating_sub(1) {
            let others: Vec<&typed::Expr> = values[at + 1..].iter().collect();
            let value = Val {
                e: values[at].clone(),
                ty: types[at].clone(),
            };
            values[at] = self.before(value, &others, &mut stmts).e;
        }
        let context = self.settled_context(&context);
        let id = self.t.instance(def, context, of)?;
        let typed = self.typed(&returns);
        Ok(Val {
            e: sequence(stmts, call(id, values, typed, place)),
            ty: returns,
        })
    }

    /// `S(a, b)`
    fn tuple_structure(
        &mut self,
        e: &'a syn::ExprCall,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let Expr::Path(path) = super::control::without_brackets(&e.func) else {
            return self.error("this call is not supported", span(e));
        };
        let context = self.here();
        let ty = syn::Type::Path(syn::TypePath {
            qself: None,
            path: path.path.clone(),
        });
        let ty = self.t.ty(&ty, &context, Some(&mut self.infer))?;
        if let Some(want) = want {
            let infer = self.infer.clone();
            if !self.infer.unify(want, &ty) {
                self.infer = infer;
            }
        }
        let mut values = Vec::new();
        let mut stmts = Vec::new();
        let pending = self.pending.len();
        for (number, e) in e.args.iter().enumerate() {
            let part = self.field_type(&ty, &number.to_string(), span(e))?;
            let mut own = Vec::new();
            let inner = self.values_of(e, &part, &mut own)?;
            if !own.is_empty() {
                self.hold_parts(&mut values, &mut stmts);
                stmts.extend(own);
            }
            self.pend(&part);
            if let Some(member) = self.member_number(&ty, &number.to_string()) {
                for (mut path, value) in inner {
                    path.insert(0, typed::Step::Member(member));
                    values.push((path, value));
                }
            }
        }
        self.pending.truncate(pending);
        self.order_parts(&mut values, &mut stmts);
        let (id, pl) = self.temporary(&ty, place);
        let kind = typed::StmtKind::Declare(id, values, typed::Initialised::Yes);
        stmts.push(super::build::stmt(kind, implied(place)));
        Ok(Val {
            e: sequence(stmts, load(pl.lvalue, place)),
            ty,
        })
    }

    // Closures that are part of the function.
}
