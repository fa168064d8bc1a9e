//! Constants: those of the text, of its types, and of integer types.

use super::build::constant;
use super::{Body, Val};
use crate::rust::names::Target;
use crate::rust::source::{at, span};
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
        if let Ty::Int { .. } = own
            && let Some(value) = self.constant_of_integer(&own, last, path)?
        {
            return Ok(Some(value));
        }
        self.constant_of(&own, last)
    }

    /// The constant of a type that has this name; that of a trait, if the type does not have it.
    pub(super) fn constant_of(&mut self, own: &Ty, name: &str) -> Res<Option<Val>> {
        let names = self.t.names;
        for number in 0..names.impls.len() {
            for item in &names.impls[number].item.items {
                if let ImplItem::Const(item) = item
                    && item.ident == name
                    && let Some(context) = self.applies(number, own)
                {
                    return self.constant_item(&item.ty, &item.expr, context).map(Some);
                }
            }
        }
        for number in 0..names.impls.len() {
            let Some(of) = names.trait_of(number) else {
                continue;
            };
            for item in &names.traits[of].item.items {
                if let TraitItem::Const(item) = item
                    && item.ident == name
                    && let Some((_, e)) = &item.default
                    && let Some(context) = self.defaults(number, of, own)
                {
                    return self.constant_item(&item.ty, e, context).map(Some);
                }
            }
        }
        Ok(None)
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
