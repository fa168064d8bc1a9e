//! Calls of functions: those of the text and of the library, and those that are known.

use super::build::{call, sequence};
use super::callable::is_callable;
use super::lookup::Whose;
use super::scope::{Callable, Where};
use super::{Body, Val};
use crate::lower::typed;
use crate::rust::implemented::unnamed_of;
use crate::rust::names::{Named, Target};
use crate::rust::source::{at, span};
use crate::rust::types::Ty;
use crate::rust::unit::{Context, Def, Res, words_of};
use crate::text::Place;
use std::collections::BTreeMap;
use syn::punctuated::Punctuated;
use syn::{Expr, PathArguments};

pub(super) type Arguments = Punctuated<Expr, syn::Token![,]>;

/// An argument.
#[derive(Clone)]
pub(super) enum Operand<'a> {
    Written(&'a Expr),
    /// One that has its value.
    Made(Val),
    /// What is called.
    Called(Callable<'a>),
}

impl<'a> Operand<'a> {
    pub(super) fn all(of: &'a Arguments) -> Vec<Self> {
        of.iter().map(Operand::Written).collect()
    }
}

/// What a path that is called names.
enum Found<'a> {
    /// A function, and the values of the generic parameters around it.
    Function(Def<'a>, Context),
    /// What a type derives, or has by itself.
    Default(Ty),
    /// A `Vec` of handles without any.
    NoHandles(Ty),
}

impl<'a> Body<'_, 'a> {
    pub(super) fn call(&mut self, e: &'a syn::ExprCall, want: Option<&Ty>) -> Res<Val> {
        let place = at(e);
        let Expr::Path(path) = super::control::without_brackets(&e.func) else {
            return self.call_value(&e.func, Operand::all(&e.args), want, place);
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
            if let Some(known) = self.aliased(&super::path::words_with_type(path)) {
                return self.known_function(&known, e, want, place);
            }
        }
        if let [name] = &words[..]
            && let Some(number) = self.find(name)
        {
            let Where::Callable(callable) = self.vars[number].at.clone() else {
                if matches!(self.vars[number].at, Where::Broken) {
                    return Err(self.t.reported());
                }
                return self.call_value(&e.func, Operand::all(&e.args), want, place);
            };
            let operands = Operand::all(&e.args);
            return self.call_callable(&callable, operands, want, place);
        }
        let operands = Operand::all(&e.args);
        if let ([name, last], [argument]) = (&words[..], &e.args.iter().collect::<Vec<_>>()[..])
            && let ("from" | "try_from", Some(ty)) = (last.as_str(), Ty::integer(name))
            && let Some(value) = self.integer_from(&ty, last, argument, place)?
        {
            return Ok(value);
        }
        if words.len() > 1
            && let Some(known) = self.aliased(&words)
        {
            return self.known_function(&known, e, want, place);
        }
        let is_of_item = words.split_last().is_some_and(|(_, first)| {
            let found = self.t.names.resolve(self.module(), first);
            matches!(
                found,
                Target::Item(
                    _,
                    Named::Struct(_) | Named::Enum(_) | Named::Trait(_) | Named::Alias(_)
                )
            )
        });
        if path.qself.is_none()
            && !is_of_item
            && let Target::Known(known) = self.t.names.resolve(self.module(), &words)
            && !self.context.subst.contains_key(&words[0])
        {
            return self.known_function(&known, e, want, place);
        }
        self.call_path(path, operands, want, place)
    }

    /// Calls what a path names: a function, or what makes a structure or a variant.
    pub(super) fn call_path(
        &mut self,
        path: &'a syn::ExprPath,
        operands: Vec<Operand<'a>>,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let words = words_of(&path.path);
        if let ([name, last], [Operand::Made(value)]) = (&words[..], &operands[..])
            && let ("from" | "try_from", Some(ty)) = (last.as_str(), Ty::integer(name))
            && let Some(value) = self.integer_from_value(&ty, last, value.clone(), place)
        {
            return Ok(value);
        }
        if path.qself.is_none() {
            if let Some((ty, variant)) = self.variant_of(&path.path)? {
                return self.constructed(&ty, Some(variant), operands, want, place);
            }
            let is_structure = match &words[..] {
                [name] if name == "Self" => true,
                words => matches!(
                    self.t.names.resolve(self.module(), words),
                    Target::Item(_, Named::Struct(_))
                ),
            };
            if is_structure {
                let context = self.here();
                let ty = syn::Type::Path(syn::TypePath {
                    qself: None,
                    path: path.path.clone(),
                });
                self.t.infers_defaults = true;
                let ty = self.t.ty(&ty, &context, Some(&mut self.infer));
                self.t.infers_defaults = false;
                let ty = ty?;
                return self.constructed(&ty, None, operands, want, place);
            }
        }
        match self.function_path(path, &operands, want)? {
            Some(Found::Function(def, context)) => {
                return self.call_function(def, context, None, operands, want, place);
            }
            Some(Found::Default(ty)) => return self.default_of(&ty, place, &span(path)),
            Some(Found::NoHandles(ty)) => {
                return Ok(self.no_handles(Some(&ty), span(path), place));
            }
            None => {}
        }
        match self.t.names.resolve(self.module(), &words) {
            Target::Item(..) => self.error("what is called here is not a function", span(path)),
            Target::Known(known) => self.refuse(
                format!("`{}` is not supported here", known.join("::")),
                span(path),
                "call it by its name, or write a function",
            ),
            Target::None => {
                let name = words.join("::");
                let module = self.module();
                Err(self.t.unknown_name(&name, module, span(path)))
            }
        }
    }

    /// The function that a path names, if it is one of the text or of the library. That of a trait is looked up for the
    /// type of its first argument, or of the result.
    fn function_path(
        &mut self,
        path: &'a syn::ExprPath,
        operands: &[Operand<'a>],
        want: Option<&Ty>,
    ) -> Res<Option<Found<'a>>> {
        let words = words_of(&path.path);
        let Some((last, first)) = words.split_last() else {
            return Ok(None);
        };
        let own = match &path.qself {
            Some(of) => Some(self.written(&of.ty)?),
            None if first.is_empty() => None,
            None => self.type_before(&path.path, first)?,
        };
        // The trait in `<T as Trait>::f` and `Trait::f`.
        let of_trait = match &path.qself {
            Some(of) => &words[..of.position],
            None => first,
        };
        let of_trait = match self.t.names.resolve(self.module(), of_trait) {
            Target::Item(_, Named::Trait(of)) => Some(of),
            Target::Item(..) | Target::Known(_) | Target::None => None,
        };
        let own = match (own, of_trait) {
            (Some(own), _) => Some(own),
            (None, Some(of)) if !first.is_empty() => self.self_of(last, of, operands, want)?,
            (None, _) => None,
        };
        let whose = match of_trait {
            Some(of) => Whose::Trait(of),
            None if self.begins_with_parameter(first) => Whose::Traits,
            None => Whose::Any,
        };
        let Some(own) = own else {
            return Ok(match self.t.names.resolve(self.module(), &words) {
                Target::Item(module, Named::Fn(item)) => {
                    let context = Context {
                        module,
                        subst: self.generics_of(&item.sig, span(path).start),
                        ..Context::default()
                    };
                    self.turbofish(&item.sig.generics, path, &context.subst)?;
                    let def = Def {
                        sig: &item.sig,
                        block: &item.block,
                    };
                    Some(Found::Function(def, context))
                }
                Target::Item(..) | Target::Known(_) | Target::None => None,
            });
        };
        if let Some(handles) = self.handles_made(&own, last, want) {
            return Ok(Some(Found::NoHandles(handles)));
        }
        let given = self.given(&own, last, operands, want)?;
        let Some((def, mut context)) = self.function_for(&own, last, whose, &given) else {
            if last == "default" && operands.is_empty() {
                return Ok(Some(Found::Default(own)));
            }
            let ty = self.t.shown(&self.infer.deep(&own));
            return self.error(format!("`{ty}` has no function `{last}`"), span(path));
        };
        let parameters = self.generics_of(def.sig, span(path).start);
        self.turbofish(&def.sig.generics, path, &parameters)?;
        context.subst.extend(parameters);
        Ok(Some(Found::Function(def, context)))
    }

    /// The function that a path names, with all its types.
    pub(super) fn function_named(
        &mut self,
        path: &'a syn::ExprPath,
        want: Option<&Ty>,
    ) -> Res<Option<(Def<'a>, Context)>> {
        Ok(match self.function_path(path, &[], want)? {
            Some(Found::Function(def, context)) => {
                let (sig, block) = (span(def.sig), span(def.block));
                let text = (sig.start, block.end);
                Some((def, Context { text, ..context }))
            }
            Some(Found::Default(_) | Found::NoHandles(_)) | None => None,
        })
    }

    /// The type that implements a trait whose function is called by the trait's name.
    fn self_of(
        &mut self,
        name: &str,
        of_trait: usize,
        operands: &[Operand<'a>],
        want: Option<&Ty>,
    ) -> Res<Option<Ty>> {
        let mut ty = match operands.first() {
            Some(Operand::Made(value)) => value.ty.clone(),
            Some(Operand::Called(_)) => return Ok(None),
            // Only its type counts here.
            Some(Operand::Written(e)) => self.type_only(e)?,
            None => match want {
                Some(want) => want.clone(),
                None => return Ok(None),
            },
        };
        loop {
            ty = self.infer.shallow(&ty);
            if self
                .function_in(&ty, name, Whose::Trait(of_trait))
                .is_some()
            {
                return Ok(Some(ty));
            }
            match ty {
                Ty::Ptr(_, to) => ty = *to,
                _ => return Ok(None),
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
        match last.map(|last| &last.arguments) {
            Some(PathArguments::AngleBracketed(given)) => {
                self.given_types(generics, Some(given), subst)
            }
            Some(PathArguments::None | PathArguments::Parenthesized(_)) | None => Ok(()),
        }
    }

    /// The generic arguments that are written after a function's name.
    pub(super) fn given_types(
        &mut self,
        generics: &syn::Generics,
        given: Option<&'a syn::AngleBracketedGenericArguments>,
        subst: &BTreeMap<String, Ty>,
    ) -> Res<()> {
        let Some(given) = given else {
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

    /// The value of an argument of this type.
    pub(super) fn operand(&mut self, of: &Operand<'a>, ty: &Ty) -> Res<Val> {
        match of {
            Operand::Written(e) => self.expr_as(e, ty),
            Operand::Made(value) => {
                let place = value.e.place;
                self.coerce(value.clone(), ty, place.start as usize..place.end as usize)
            }
            Operand::Called(callable) => self.escapes(callable),
        }
    }

    /// Calls a function of the text or of the library, with what is `self`, if that is not the first argument.
    pub(super) fn call_function(
        &mut self,
        def: Def<'a>,
        context: Context,
        own: Option<typed::Expr>,
        operands: Vec<Operand<'a>>,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let of = place.start as usize..place.end as usize;
        let (sig, block) = (span(def.sig), span(def.block));
        let context = Context {
            text: (sig.start, block.end),
            ..context
        };
        let context = self.with_length(def, context, want);
        let given = operands.len() + usize::from(own.is_some());
        let inputs = self.t.inputs(def.sig)?;
        if inputs.len() != given {
            return self.error(
                format!(
                    "`{}` takes {} arguments, and {given} are given",
                    def.sig.ident,
                    inputs.len()
                ),
                of,
            );
        }
        let mut all = inputs.iter();
        let takes_callable = all.any(|input| is_callable(def.sig, input))
            || context.subst.values().any(|ty| self.infer.has_called(ty))
            || context
                .own
                .as_ref()
                .is_some_and(|ty| self.infer.has_called(ty));
        let is_part = takes_callable || !unnamed_of(&def.sig.output).is_empty();
        if is_part || self.t.is_library(&span(&def.sig.ident)) {
            return self.inline_function(def, context, own, operands, want, place);
        }
        let mut types = Vec::new();
        for input in inputs {
            types.push(self.input_type(input, &context)?);
        }
        let returns = self.returned(def, &context, want)?;
        let skipped = usize::from(own.is_some());
        let (mut stmts, mut values) = (Vec::new(), Vec::new());
        let pending = self.pending.len();
        let mut given = types.iter();
        if let Some(own) = own
            && let Some(ty) = given.next()
        {
            self.pend(ty);
            values.push(Val {
                e: own,
                ty: ty.clone(),
            });
        }
        for (operand, ty) in operands.iter().zip(&types[skipped..]) {
            let value = self.operand(operand, ty)?;
            self.pend(ty);
            values.push(Val {
                e: value.e,
                ty: ty.clone(),
            });
        }
        self.pending.truncate(pending);
        // A later argument may change the variables in an earlier one. One without cells is no parameter.
        let voids = values.iter().rposition(|value| value.e.ty.is_void());
        let mut arguments = Vec::new();
        for at in 0..values.len() {
            let others: Vec<&typed::Expr> = values[at + 1..].iter().map(|value| &value.e).collect();
            let value = values[at].clone();
            if value.e.ty.is_void() {
                stmts.push(Self::effect(value.e));
            } else if voids.is_some_and(|last| at < last) {
                arguments.push(self.hold(value.e, &value.ty, &mut stmts));
            } else {
                arguments.push(self.before(value, &others, &mut stmts).e);
            }
        }
        // The traits that parameters need may say of which type an integer is.
        self.t.bounded(&def.sig.generics, &context, &mut self.infer);
        let context = self.settled_context(&context);
        let id = self.t.instance(def, context, of)?;
        let typed = self.typed(&returns);
        Ok(Val {
            e: sequence(stmts, call(id, arguments, typed, place)),
            ty: returns,
        })
    }

    /// The type of a parameter.
    pub(super) fn input_type(&mut self, input: &syn::FnArg, context: &Context) -> Res<Ty> {
        match input {
            syn::FnArg::Receiver(receiver) => {
                let outside = std::mem::replace(&mut self.context, context.clone());
                let ty = self.receiver(receiver);
                self.context = outside;
                ty
            }
            syn::FnArg::Typed(input) => self.t.ty(&input.ty, context, Some(&mut self.infer)),
        }
    }

    /// The type of the result of a function, unified with what is wanted as far as that fits.
    pub(super) fn returned(
        &mut self,
        def: Def<'a>,
        context: &Context,
        want: Option<&Ty>,
    ) -> Res<Ty> {
        let returns = match &def.sig.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) => self.t.ty(ty, context, Some(&mut self.infer))?,
        };
        if let Some(want) = want
            && !matches!(self.infer.shallow(want), Ty::Ptr(..))
        {
            self.prefer(want, &returns);
        }
        Ok(returns)
    }

    /// Makes two types equal, if that is possible. What does not fit is reported where the value is used.
    pub(super) fn prefer(&mut self, want: &Ty, found: &Ty) {
        let known = self.infer.now();
        if !self.infer.unify(want, found) {
            self.infer.undo(known);
        }
    }
}
