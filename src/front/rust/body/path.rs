//! Paths that are values, and the functions that a type has.

use super::build::constant;
use super::scope::Callable;
use super::{Body, Val};
use crate::lower::operation::Order;
use crate::rust::implemented::parameters_of;
use crate::rust::names::{Named, ORDERS, Target};
use crate::rust::source::{at, span};
use crate::rust::types::{Ptr, Ty, USIZE};
use crate::rust::unit::{Context, Def, Instance, Res, substitution, words_of};
use crate::text::{Place, Span};
use std::collections::BTreeMap;
use syn::ImplItem;

/// The number of a memory order in the typed program.
pub(super) fn order_number(order: Order) -> i64 {
    match order {
        // Rust has no volatile accesses that are atomic.
        Order::Relaxed | Order::Once => 0,
        Order::Acquire => 2,
        Order::Release => 3,
        Order::AcqRel => 4,
        Order::SeqCst | Order::Argument => 5,
    }
}

/// The words of a path, those of the type in `<T>::f` among them.
pub(super) fn words_with_type(path: &syn::ExprPath) -> Vec<String> {
    let mut words = match path.qself.as_ref().map(|own| &*own.ty) {
        Some(syn::Type::Path(of)) => words_of(&of.path),
        Some(_) | None => Vec::new(),
    };
    words.extend(words_of(&path.path));
    words
}

impl<'a> Body<'_, 'a> {
    /// The value of a path that is not a place.
    pub(super) fn path_value(&mut self, path: &'a syn::ExprPath, want: Option<&Ty>) -> Res<Val> {
        let place = at(path);
        let words = words_of(&path.path);
        if let Some(own) = &path.qself {
            let own = self.written(&own.ty)?;
            let last = words.last().map_or("", String::as_str);
            let of_trait = path.qself.as_ref().is_some_and(|of| of.position > 0);
            let mut found = None;
            if own.range().is_some() && !of_trait {
                found = self.constant_of_integer(&own, last, path)?;
            }
            if found.is_none() {
                found = self.constant_of(&own, last, of_trait)?;
            }
            if let Some(value) = found {
                return Ok(value);
            }
            return self.error("a path of this kind is not supported", span(path));
        }
        if let [name] = &words[..]
            && let Some(parameter) = self.context.subst.get(name)
            && let Ty::Const(value) = self.infer.shallow(parameter)
        {
            // It has the type that is wanted, as the compiler has checked.
            let wanted = want.filter(|ty| self.infer.is_integer(ty));
            return self.number(value, wanted.unwrap_or(&USIZE), place, span(path));
        }
        if let Some((ty, variant)) = self.variant_of(&path.path)? {
            return self.constructed(&ty, Some(variant), Vec::new(), want, place);
        }
        if let [first @ .., last] = &words[..]
            && !first.is_empty()
            && let Some(value) = self.associated_constant(path, first, last, want)?
        {
            return Ok(value);
        }
        let target = self.t.names.resolve(self.module(), &words);
        if let Target::Item(_, Named::Fn(_)) | Target::None = target
            && let Some(value) = self.held_function(path, want)?
        {
            return Ok(value);
        }
        match target {
            Target::Item(module, Named::Const(item)) => {
                let context = Context {
                    module,
                    ..Context::default()
                };
                self.constant_item(&item.ty, &item.expr, context)
            }
            Target::Item(_, Named::Struct(_)) => {
                // A structure without fields.
                let ty = syn::Type::Path(syn::TypePath {
                    qself: None,
                    path: path.path.clone(),
                });
                let ty = self.written(&ty)?;
                self.constructed(&ty, None, Vec::new(), want, place)
            }
            Target::Item(_, Named::Fn(_)) => {
                let callable = Callable::Path {
                    path,
                    context: self.here(),
                };
                Ok(self.closure_value(callable, place))
            }
            Target::Item(..) => self.refuse(
                format!("`{}` is not a value that is supported", words.join("::")),
                span(path),
                "call functions by their names",
            ),
            Target::Known(known) => self.known_value(&known, place, span(path)),
            Target::None => {
                let name = words.join("::");
                let module = self.module();
                Err(self.t.unknown_name(&name, module, span(path)))
            }
        }
    }

    /// The enumeration and the number of the variant that a path is, if it is one.
    pub(super) fn variant_of(&mut self, path: &syn::Path) -> Res<Option<(Ty, usize)>> {
        let words = words_of(path);
        let names = self.t.names;
        if let Target::Item(_, Named::Variant(id, variant)) = names.resolve(self.module(), &words) {
            // Arguments are written after the enumeration or after the variant.
            let mut given = path.segments.iter().rev().take(2).map(|of| &of.arguments);
            let given = given.find(|of| !of.is_empty());
            let context = self.here();
            let mut infer = Some(&mut self.infer);
            let arguments = self.t.arguments_of(id, given, path, &context, &mut infer)?;
            return Ok(Some((Ty::Adt(id, arguments), variant)));
        }
        let [first, last] = &words[..] else {
            return Ok(None);
        };
        let is_alias = first == "Self"
            || matches!(
                names.resolve(self.module(), std::slice::from_ref(first)),
                Target::Item(_, Named::Alias(_))
            );
        if !is_alias {
            return Ok(None);
        }
        let Some(own) = self.type_before(path, std::slice::from_ref(first))? else {
            return Ok(None);
        };
        Ok(match self.infer.shallow(&own) {
            Ty::Adt(id, _) => names.adts[id].variant(last).map(|variant| (own, variant)),
            _ => None,
        })
    }

    fn known_value(&mut self, known: &[String], place: Place, of: Span) -> Res<Val> {
        let last = known.last().map_or("", String::as_str);
        if let Some(order) = Self::order(known) {
            return Ok(Val {
                e: constant(order_number(order), super::build::word(), place),
                ty: Ty::Ordering,
            });
        }
        if let Some(number) = Self::compared_as(known) {
            return Ok(Val {
                e: constant(number, super::build::word(), place),
                ty: Ty::Ordering,
            });
        }
        match last {
            "PhantomData" => Ok(Val {
                e: super::build::unit(place),
                ty: Ty::Unit,
            }),
            _ => self.refuse(
                format!("`{}` is not supported as a value", known.join("::")),
                of,
                "call functions by their names",
            ),
        }
    }

    /// The memory order that a path of a known crate is.
    fn order(known: &[String]) -> Option<Order> {
        let last = known.last()?;
        let before = known.len().checked_sub(2).map(|at| known[at].as_str());
        if !ORDERS.contains(&last.as_str()) || before != Some("Ordering") {
            return None;
        }
        Some(match last.as_str() {
            "Relaxed" => Order::Relaxed,
            "Acquire" => Order::Acquire,
            "Release" => Order::Release,
            "AcqRel" => Order::AcqRel,
            _ => Order::SeqCst,
        })
    }

    /// The result of a comparison that a path of a known crate is.
    pub(super) fn compared_as(known: &[String]) -> Option<i64> {
        match known {
            [.., of, last] if of == "Ordering" => match last.as_str() {
                "Less" => Some(-1),
                "Equal" => Some(0),
                "Greater" => Some(1),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a path of an alias stands for, if that is a type of a known crate: `A::new` for
    /// `type A = AtomicU32;`
    pub(super) fn aliased(&self, words: &[String]) -> Option<Vec<String>> {
        let (last, first) = words.split_last()?;
        let (mut module, mut first) = (self.module(), first.to_vec());
        for _ in 0..16 {
            match self.t.names.resolve(module, &first) {
                Target::Item(inside, Named::Alias(item)) => {
                    let syn::Type::Path(path) = &*item.ty else {
                        return None;
                    };
                    (module, first) = (inside, words_of(&path.path));
                }
                Target::Known(mut known) => {
                    known.push(last.clone());
                    return Some(known);
                }
                Target::Item(..) | Target::None => return None,
            }
        }
        None
    }

    /// The type that the first parts of a path are, if they are one.
    pub(super) fn type_before(&mut self, path: &syn::Path, first: &[String]) -> Res<Option<Ty>> {
        let is_type = match first {
            [name] if name == "Self" => self.context.own.is_some(),
            [name] if self.context.subst.contains_key(name) => true,
            words => matches!(
                self.t.names.resolve(self.module(), words),
                Target::Item(_, Named::Struct(_) | Named::Enum(_) | Named::Alias(_))
            ),
        };
        if !is_type {
            return Ok(None);
        }
        let mut of = path.clone();
        of.segments.pop();
        if let Some(last) = of.segments.pop() {
            of.segments.push_value(last.into_value());
        }
        let ty = syn::Type::Path(syn::TypePath {
            qself: None,
            path: of,
        });
        self.t.infers_defaults = true;
        let found = self.written(&ty);
        self.t.infers_defaults = false;
        found.map(Some)
    }

    /// What the parameters of an `impl` stand for, if it is one of this type.
    pub(super) fn applies(&mut self, number: usize, own: &Ty) -> Option<Context> {
        self.t.applies(number, own, &mut self.infer)
    }

    /// What names stand for in a trait that an `impl` implements for this type.
    pub(super) fn defaults(&mut self, number: usize, of: usize, own: &Ty) -> Option<Context> {
        let context = self.applies(number, own)?;
        let names = self.t.names;
        let item = names.impls[number].item;
        let mut given = Vec::new();
        let last = item
            .trait_
            .as_ref()
            .and_then(|(_, path, _)| path.segments.last());
        if let Some(syn::PathArguments::AngleBracketed(written)) = last.map(|last| &last.arguments)
        {
            for argument in &written.args {
                if let syn::GenericArgument::Type(ty) = argument {
                    given.push(self.t.ty(ty, &context, Some(&mut self.infer)).ok()?);
                }
            }
        }
        let mut subst = substitution(&names.traits[of].item.generics, &given);
        // It is a parameter of the trait, too.
        subst.insert("Self".to_owned(), own.clone());
        subst.extend(
            context
                .subst
                .into_iter()
                .filter(|(name, _)| name.starts_with("Self::")),
        );
        Some(Context {
            module: names.traits[of].module,
            subst,
            own: context.own,
            text: (0, 0),
        })
    }

    /// A variable for each generic parameter of a function.
    pub(super) fn generics_of(
        &mut self,
        of: &syn::Signature,
        start: usize,
    ) -> BTreeMap<String, Ty> {
        parameters_of(&mut self.infer, of, start)
    }

    /// The length of the array that a function returns, if that is a parameter, is the one that is wanted.
    pub(super) fn with_length(&self, def: Def<'a>, context: Context, want: Option<&Ty>) -> Context {
        let mut context = context;
        if let syn::ReturnType::Type(_, ty) = &def.sig.output
            && let syn::Type::Array(of) = &**ty
            && let syn::Expr::Path(length) = &of.len
            && let Some(name) = length.path.get_ident()
            && let Some(parameter) = context.subst.get_mut(&name.to_string())
            && let Some(Ty::Array(_, count)) = want.map(|ty| self.infer.shallow(ty))
        {
            *parameter = Ty::Const(i128::from(count));
        }
        context
    }

    /// What the names stand for, with all types known.
    pub(super) fn settled_context(&self, context: &Context) -> Context {
        let subst = context.subst.iter();
        Context {
            module: context.module,
            subst: subst
                .map(|(name, ty)| (name.clone(), self.infer.settled(ty)))
                .collect(),
            own: context.own.as_ref().map(|ty| self.infer.settled(ty)),
            text: context.text,
        }
    }

    /// Whether the text implements a trait of this name for a type.
    pub(super) fn implements(&mut self, ty: &Ty, name: &str) -> bool {
        let names = self.t.names;
        (0..names.impls.len()).any(|number| {
            let of = names.impls[number].item.trait_.as_ref();
            let last = of.and_then(|(_, path, _)| path.segments.last());
            last.is_some_and(|last| last.ident == name) && self.applies(number, ty).is_some()
        })
    }

    /// `Drop::drop` of a type.
    pub(super) fn drop_method(&mut self, ty: &Ty) -> Option<Instance<'a>> {
        let Ty::Adt(..) = ty else {
            return None;
        };
        let names = self.t.names;
        if self.is_vector(ty) {
            return None;
        }
        for number in 0..names.impls.len() {
            let item = names.impls[number].item;
            let is_drop = item.trait_.as_ref().is_some_and(|(_, path, _)| {
                path.segments
                    .last()
                    .is_some_and(|last| last.ident == "Drop")
            });
            if !is_drop {
                continue;
            }
            for inner in &item.items {
                if let ImplItem::Fn(found) = inner
                    && let Some(context) = self.applies(number, ty)
                {
                    let def = Def {
                        sig: &found.sig,
                        block: &found.block,
                    };
                    let context = self.settled_context(&context);
                    return Some(Instance { def, context });
                }
            }
        }
        None
    }

    /// The type of `self`.
    pub(super) fn receiver(&mut self, of: &syn::Receiver) -> Res<Ty> {
        let own = self.context.own.clone().unwrap_or(Ty::Unit);
        if of.colon_token.is_some() {
            let context = self.here();
            return self.t.ty(&of.ty, &context, Some(&mut self.infer));
        }
        Ok(match of.reference {
            Some(_) => Ty::pointer(Ptr::Ref, own),
            None => own,
        })
    }
}
