//! Paths that are values, and the functions that a type has.

use super::build::constant;
use super::{Body, Val};
use crate::lower::operation::Order;
use crate::rust::names::{Named, ORDERS, Target};
use crate::rust::source::{at, span};
use crate::rust::types::{Ptr, Ty, U32, USIZE};
use crate::rust::unit::{Context, Def, Instance, Res, words_of};
use crate::text::{Place, Span};
use std::collections::BTreeMap;
use syn::{GenericParam, ImplItem};

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

impl<'a> Body<'_, 'a> {
    /// The value of a path that is not a place.
    pub(super) fn path_value(&mut self, path: &'a syn::ExprPath, want: Option<&Ty>) -> Res<Val> {
        let place = at(path);
        let words = words_of(&path.path);
        if path.qself.is_some() {
            return self.error("a path of this kind is not supported", span(path));
        }
        if let [name] = &words[..]
            && let Some(Ty::Const(value)) = self.context.subst.get(name).cloned()
        {
            // It has the type that is wanted, as the compiler has checked.
            let wanted = want.filter(|ty| self.infer.is_integer(ty));
            return self.number(value, wanted.unwrap_or(&USIZE), place, span(path));
        }
        if let Some(value) = self.variant_named(&path.path, place)? {
            return Ok(value);
        }
        if let [first @ .., last] = &words[..]
            && !first.is_empty()
            && let Some(value) = self.associated_constant(path, first, last, want)?
        {
            return Ok(value);
        }
        match self.t.names.resolve(self.module(), &words) {
            Target::Item(module, Named::Const(item)) => {
                let context = Context {
                    module,
                    ..Context::default()
                };
                self.constant_item(&item.ty, &item.expr, context)
            }
            Target::Item(_, Named::Struct(id)) => {
                // A structure without fields.
                let ty = Ty::Adt(id, Vec::new());
                let (local, pl) = self.temporary(&ty, place);
                let set = super::build::stmt(
                    crate::lower::typed::StmtKind::Declare(
                        local,
                        Vec::new(),
                        crate::lower::typed::Initialised::Yes,
                    ),
                    crate::rust::source::implied(place),
                );
                let e = super::build::sequence(vec![set], super::build::load(pl.lvalue, place));
                Ok(Val { e, ty })
            }
            Target::Item(..) => self.refuse(
                format!("`{}` is not a value that is supported", words.join("::")),
                span(path),
                "call functions by their names",
            ),
            Target::Known(known) => {
                let given = self.option_given(path)?;
                self.known_value(&known, given.as_ref().or(want), place, span(path))
            }
            Target::None => {
                let name = words.join("::");
                let module = self.module();
                Err(self.t.unknown_name(&name, module, span(path)))
            }
        }
    }

    /// The type of `None::<u32>`, if it is written.
    fn option_given(&mut self, path: &'a syn::ExprPath) -> Res<Option<Ty>> {
        let last = path.path.segments.last();
        match last.map(|last| (last.ident == "None", &last.arguments)) {
            Some((true, syn::PathArguments::AngleBracketed(given))) => match given.args.first() {
                Some(syn::GenericArgument::Type(ty)) => {
                    let inner = self.written(ty)?;
                    Ok(Some(Ty::Option(Box::new(inner))))
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The variant of an enumeration that a path is, if it is one.
    pub(super) fn variant_named(&mut self, path: &syn::Path, place: Place) -> Res<Option<Val>> {
        let words = words_of(path);
        let own = self.context.own.as_ref().map(|ty| self.infer.shallow(ty));
        let names = self.t.names;
        let (id, variant) = match (&words[..], own) {
            ([first, name], Some(Ty::Enum(id))) if first == "Self" => {
                let mut variants = names.enums[id].item.variants.iter();
                match variants.position(|variant| variant.ident == name) {
                    Some(variant) => (id, variant),
                    None => return Ok(None),
                }
            }
            _ => match names.resolve(self.module(), &words) {
                Target::Item(_, Named::Variant(id, variant)) => (id, variant),
                Target::Item(..) | Target::Known(_) | Target::None => return Ok(None),
            },
        };
        let number = self.t.variants(id)?[variant];
        let ty = Ty::Enum(id);
        let typed = self.typed(&ty);
        Ok(Some(Val {
            e: constant(i64::from(number), typed, place),
            ty,
        }))
    }

    /// A number of a known type.
    pub(super) fn number(&mut self, value: i128, ty: &Ty, place: Place, of: Span) -> Res<Val> {
        let range = self.infer.settled(ty).range().unwrap_or_default();
        if !(range.0..=range.1).contains(&value) {
            let shown = self.t.shown(ty);
            return self.error(
                format!("the number {value} does not fit into `{shown}`"),
                of,
            );
        }
        let typed = self.typed(ty);
        Ok(Val {
            e: constant(value as i64, typed, place),
            ty: ty.clone(),
        })
    }

    /// The value of a constant, wherever it is used.
    fn constant_item(&mut self, ty: &'a syn::Type, e: &'a syn::Expr, context: Context) -> Res<Val> {
        let ty = self.t.ty(ty, &context, None)?;
        let outside = std::mem::replace(&mut self.context, context);
        let scopes = std::mem::take(&mut self.scopes);
        self.scopes.push(super::scope::Scope::default());
        self.depth += 20;
        let value = self.expr_as(e, &ty);
        self.depth -= 20;
        self.scopes = scopes;
        self.context = outside;
        value
    }

    fn known_value(
        &mut self,
        known: &[String],
        want: Option<&Ty>,
        place: Place,
        of: Span,
    ) -> Res<Val> {
        let last = known.last().map_or("", String::as_str);
        if let Some(order) = Self::order(known) {
            return Ok(Val {
                e: constant(order_number(order), super::build::word(), place),
                ty: Ty::Ordering,
            });
        }
        match last {
            "None" => {
                let inner = self.wanted_option(want, of.start);
                Ok(self.none(inner, place))
            }
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

    /// `u32::MAX`, `Self::LOCKED`
    fn associated_constant(
        &mut self,
        path: &'a syn::ExprPath,
        first: &[String],
        last: &str,
        _: Option<&Ty>,
    ) -> Res<Option<Val>> {
        let place = at(path);
        if let [name] = first
            && let Some(ty) = Ty::integer(name)
        {
            let Some((least, most)) = ty.range() else {
                return Ok(None);
            };
            let value = match last {
                "MIN" => self.number(least, &ty, place, span(path)),
                "MAX" => self.number(most, &ty, place, span(path)),
                "BITS" => {
                    let bits = match ty {
                        Ty::Int { bits, .. } => bits,
                        _ => 0,
                    };
                    self.number(bits.into(), &U32, place, span(path))
                }
                _ => return Ok(None),
            };
            return value.map(Some);
        }
        let Some(own) = self.type_before(&path.path, first)? else {
            return Ok(None);
        };
        let names = self.t.names;
        for number in 0..names.impls.len() {
            let Some(context) = self.applies(number, &own) else {
                continue;
            };
            for item in &names.impls[number].item.items {
                if let ImplItem::Const(item) = item
                    && item.ident == last
                {
                    return self.constant_item(&item.ty, &item.expr, context).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// The type that the first parts of a path are, if they are one.
    pub(super) fn type_before(&mut self, path: &'a syn::Path, first: &[String]) -> Res<Option<Ty>> {
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
        self.written(&ty).map(Some)
    }

    /// What the parameters of an `impl` stand for, if it is one of this type.
    pub(super) fn applies(&mut self, number: usize, own: &Ty) -> Option<Context> {
        let names = self.t.names;
        let of = &names.impls[number];
        let own_type = self.infer.shallow(own);
        let syn::Type::Path(path) = &*of.item.self_ty else {
            return None;
        };
        let target = names.resolve(of.module, &words_of(&path.path));
        let is_own = match (target, own_type) {
            (Target::Item(_, Named::Struct(of)), Ty::Adt(id, _))
            | (Target::Item(_, Named::Enum(of)), Ty::Enum(id)) => of == id,
            _ => false,
        };
        if !is_own {
            return None;
        }
        let mut context = Context {
            module: of.module,
            subst: self.open_parameters(&of.item.generics),
            own: None,
        };
        let infer = self.infer.clone();
        let found = self
            .t
            .ty(&of.item.self_ty, &context, Some(&mut self.infer))
            .ok()?;
        if !self.infer.unify(own, &found) {
            self.infer = infer;
            return None;
        }
        context.own = Some(own.clone());
        for item in &of.item.items {
            if let ImplItem::Type(item) = item
                && let Ok(ty) = self.t.ty(&item.ty, &context, Some(&mut self.infer))
            {
                context.subst.insert(format!("Self::{}", item.ident), ty);
            }
        }
        Some(context)
    }

    /// The same for those of an `impl`, which are what the type says.
    fn open_parameters(&mut self, of: &syn::Generics) -> BTreeMap<String, Ty> {
        let mut subst = BTreeMap::new();
        for parameter in &of.params {
            let name = match parameter {
                GenericParam::Lifetime(_) => continue,
                GenericParam::Type(parameter) => &parameter.ident,
                GenericParam::Const(parameter) => &parameter.ident,
            };
            subst.insert(name.to_string(), self.infer.open());
        }
        subst
    }

    /// A variable for each generic parameter.
    pub(super) fn parameters(&mut self, of: &syn::Generics, start: usize) -> BTreeMap<String, Ty> {
        let mut subst = BTreeMap::new();
        for parameter in &of.params {
            let name = match parameter {
                GenericParam::Lifetime(_) => continue,
                GenericParam::Type(parameter) => &parameter.ident,
                GenericParam::Const(parameter) => &parameter.ident,
            };
            subst.insert(name.to_string(), self.infer.fresh(start, false));
        }
        subst
    }

    /// A function that a type has by this name, inherent ones first.
    pub(super) fn function_of(&mut self, own: &Ty, name: &str) -> Option<(Def<'a>, Context)> {
        let names = self.t.names;
        for inherent in [true, false] {
            for number in 0..names.impls.len() {
                let item = names.impls[number].item;
                if item.trait_.is_none() != inherent {
                    continue;
                }
                let mut functions = item.items.iter().filter_map(|item| match item {
                    ImplItem::Fn(item) if item.sig.ident == name => {
                        // One that is not known is reported where the program uses it.
                        let holds = names.holds_all(&item.attrs).unwrap_or(true);
                        holds.then_some(item)
                    }
                    _ => None,
                });
                if let Some(found) = functions.next()
                    && let Some(context) = self.applies(number, own)
                {
                    let def = Def {
                        sig: &found.sig,
                        block: &found.block,
                    };
                    return Some((def, context));
                }
            }
        }
        None
    }

    /// A method of a trait, such as `deref`, with its result.
    pub(super) fn trait_method(
        &mut self,
        own: &Ty,
        name: &str,
        _: &Span,
    ) -> Res<Option<(Instance<'a>, Ty)>> {
        let Some((def, context)) = self.function_of(own, name) else {
            return Ok(None);
        };
        let returns = match &def.sig.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) => self.t.ty(ty, &context, Some(&mut self.infer))?,
        };
        let context = self.settled_context(&context);
        Ok(Some((Instance { def, context }, returns)))
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
        let (Ty::Adt(..) | Ty::Enum(_)) = ty else {
            return None;
        };
        let names = self.t.names;
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
            return self.t.ty(&of.ty, &context, None);
        }
        Ok(match of.reference {
            Some(_) => Ty::pointer(Ptr::Ref, own),
            None => own,
        })
    }
}
