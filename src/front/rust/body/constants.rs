//! Constants: those of the text, of its types, and of integer types.

use super::build::constant;
use super::{Body, Val};
use crate::rust::names::Target;
use crate::rust::source::{at, span, text_of};
use crate::rust::types::{Ty, U32};
use crate::rust::unit::{Context, Res};
use crate::text::{Place, Span};
use syn::{ImplItem, TraitItem};

impl<'a> Body<'_, 'a> {
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
    pub(super) fn constant_item(
        &mut self,
        ty: &'a syn::Type,
        e: &'a syn::Expr,
        context: Context,
    ) -> Res<Val> {
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

    /// `u32::MAX`, `Self::LOCKED`
    pub(super) fn associated_constant(
        &mut self,
        path: &'a syn::ExprPath,
        first: &[String],
        last: &str,
        _: Option<&Ty>,
    ) -> Res<Option<Val>> {
        if let [name] = first
            && let Some(ty) = Ty::integer(name)
        {
            return self.constant_of_integer(&ty, last, path);
        }
        if let Target::Known(known) = self.t.names.resolve(self.module(), first)
            && let [name] = &known[..]
            && let Some(ty) = Ty::integer(name)
        {
            // The older constants: `core::u32::MAX`.
            return self.constant_of_integer(&ty, last, path);
        }
        let Some(own) = self.type_before(&path.path, first)? else {
            return Ok(None);
        };
        // A parameter has the constants of its traits, whatever it stands for.
        let only_traits = self.begins_with_parameter(first);
        if only_traits && let Some(value) = self.constant_of(&own, last, true)? {
            return Ok(Some(value));
        }
        if let Ty::Int { .. } = own
            && let Some(value) = self.constant_of_integer(&own, last, path)?
        {
            return Ok(Some(value));
        }
        self.constant_of(&own, last, only_traits)
    }

    /// The constant of a type that has this name; that of a trait, if the type does not have it or is a parameter.
    pub(super) fn constant_of(
        &mut self,
        own: &Ty,
        name: &str,
        only_traits: bool,
    ) -> Res<Option<Val>> {
        let names = self.t.names;
        let mut inherent = None;
        let mut of_traits: Vec<(String, &'a syn::Type, &'a syn::Expr, Context)> = Vec::new();
        for number in 0..names.impls.len() {
            let item = names.impls[number].item;
            let of = names.trait_of(number);
            let mut here = item.items.iter().filter_map(|item| match item {
                ImplItem::Const(item) if item.ident == name => Some((&item.ty, &item.expr)),
                _ => None,
            });
            let mut there = of.into_iter().flat_map(|of| &names.traits[of].item.items);
            let mut there = there.by_ref().filter_map(|item| match item {
                TraitItem::Const(item) if item.ident == name => {
                    item.default.as_ref().map(|(_, e)| (&item.ty, e))
                }
                _ => None,
            });
            let found = match (here.next(), there.next(), of) {
                (Some((ty, e)), _, _) => self.applies(number, own).map(|of| (ty, e, of)),
                (None, Some((ty, e)), Some(of)) => {
                    self.defaults(number, of, own).map(|of| (ty, e, of))
                }
                (None, ..) => None,
            };
            let (Some((ty, e, context)), trait_) = (found, &item.trait_) else {
                continue;
            };
            match trait_ {
                None if inherent.is_none() => inherent = Some((ty, e, context)),
                None => {}
                Some((_, path, _)) => {
                    let key = of.map_or_else(|| text_of(path), |of| of.to_string());
                    if !of_traits.iter().any(|(own, ..)| *own == key) {
                        of_traits.push((key, ty, e, context));
                    }
                }
            }
        }
        // As for functions, a name that several give to a type means none of them.
        if only_traits {
            inherent = None;
        }
        let is_clear = match &inherent {
            Some(_) => of_traits.is_empty() || !self.is_parameter(own),
            None => of_traits.len() <= 1,
        };
        let of_trait = of_traits.pop();
        let found = inherent.or(of_trait.map(|(_, ty, e, context)| (ty, e, context)));
        match found.filter(|_| is_clear) {
            Some((ty, e, context)) => self.constant_item(ty, e, context).map(Some),
            None => Ok(None),
        }
    }

    /// `MIN`, `MAX` and `BITS` of an integer type.
    pub(super) fn constant_of_integer(
        &mut self,
        ty: &Ty,
        name: &str,
        path: &syn::ExprPath,
    ) -> Res<Option<Val>> {
        let (place, of) = (at(path), span(path));
        let Some((least, most)) = ty.range() else {
            return Ok(None);
        };
        let value = match (name, ty) {
            ("MIN", _) => self.number(least, ty, place, of),
            ("MAX", _) => self.number(most, ty, place, of),
            ("BITS", Ty::Int { bits, .. }) => self.number((*bits).into(), &U32, place, of),
            _ => return Ok(None),
        };
        value.map(Some)
    }
}
