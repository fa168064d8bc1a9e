//! Closures and functions as values: in fields, in variables, as results of what is inlined.
//!
//! Such a value has no cells: its type says which closure it is, and what it captures are variables of the function that
//! both are part of. That is right as long as there is one value of each closure at a time, in the function itself. So none
//! of them is assigned, copied or put where there may be several.

use super::build::unit;
use super::scope::Callable;
use super::{Body, Pl, Val};
use crate::rust::source::span;
use crate::rust::types::Ty;
use crate::rust::unit::Res;
use crate::text::{Place, Span};
use syn::Expr;

impl<'a> Body<'_, 'a> {
    /// What is called as a value.
    pub(super) fn closure_value(&mut self, callable: Callable<'a>, place: Place) -> Val {
        let at = match &callable {
            Callable::Closure { closure, .. } => span(*closure).start,
            Callable::Path { path, .. } => span(*path).start,
        };
        let number = self.infer.closure(at);
        self.closures.insert(number, callable);
        Val {
            e: unit(place),
            ty: Ty::Closure(number),
        }
    }

    /// The same in a place.
    pub(super) fn closure_place(&mut self, callable: Callable<'a>, place: Place) -> Res<Pl> {
        if let Callable::Closure { scopes, .. } = &callable
            && scopes.last().is_some_and(|copied| !copied.names.is_empty())
        {
            return self.refuse(
                "a closure with variables of its own is not supported as a value here",
                place.start as usize..place.end as usize,
                "write it where it is used",
            );
        }
        let value = self.closure_value(callable, place);
        let (_, pl) = self.temporary(&Ty::Unit, place);
        Ok(Pl {
            lvalue: pl.lvalue,
            ty: value.ty,
        })
    }

    /// What is called that is in a place.
    pub(super) fn callable_in(&mut self, e: &'a Expr) -> Res<Callable<'a>> {
        if !self.is_place(e) {
            return self.refuse(
                "what is called here is not a name",
                span(e),
                "call functions by their names",
            );
        }
        let pl = self.place(e)?;
        let found = self.deref_until(pl, crate::rust::source::at(e), span(e), |body, pl| {
            matches!(body.infer.shallow(&pl.ty), Ty::Closure(_))
        })?;
        match found {
            Some(found) => self.callable_of(&found.ty, span(e)),
            None => self.error("this is not a closure that is known here", span(e)),
        }
    }

    /// What a value of this type calls.
    pub(super) fn callable_of(&mut self, ty: &Ty, of: Span) -> Res<Callable<'a>> {
        let mut ty = self.infer.shallow(ty);
        while let Ty::Ptr(_, to) = &ty {
            ty = self.infer.shallow(to);
        }
        let found = match ty {
            Ty::Closure(number) => self.closures.get(&number).cloned(),
            _ => None,
        };
        match found {
            Some(found) => Ok(found),
            None => self.error("this is not a closure that is known here", of),
        }
    }

    /// Refuses what might make two values of one closure.
    pub(super) fn one_closure(&mut self, ty: &Ty, of: Span) -> Res<()> {
        if !self.infer.has_closure(ty) {
            return Ok(());
        }
        self.refuse(
            "a value with a closure in it cannot be assigned, copied or kept in a collection here",
            of,
            "keep it in a variable, and use it once",
        )
    }
}

/// Whether a parameter is what is called: a closure or a function.
pub(super) fn is_callable(of: &syn::Signature, input: &syn::FnArg) -> bool {
    match input {
        syn::FnArg::Receiver(_) => false,
        syn::FnArg::Typed(input) => is_callable_type(of, &input.ty),
    }
}

fn is_callable_type(of: &syn::Signature, ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(ty) => is_callable_type(of, &ty.elem),
        syn::Type::Paren(ty) => is_callable_type(of, &ty.elem),
        syn::Type::Group(ty) => is_callable_type(of, &ty.elem),
        syn::Type::ImplTrait(ty) => ty.bounds.iter().any(is_call),
        syn::Type::TraitObject(ty) => ty.bounds.iter().any(is_call),
        syn::Type::BareFn(_) => true,
        syn::Type::Path(ty) => {
            let Some(name) = ty.path.get_ident() else {
                return false;
            };
            let bounded = of
                .generics
                .type_params()
                .any(|parameter| parameter.ident == *name && parameter.bounds.iter().any(is_call));
            let clauses = of.generics.where_clause.iter();
            let mut clauses = clauses.flat_map(|clause| &clause.predicates);
            bounded || clauses.any(|clause| match clause {
                syn::WherePredicate::Type(clause) => {
                    let own =
                        matches!(&clause.bounded_ty, syn::Type::Path(of) if of.path.is_ident(name));
                    own && clause.bounds.iter().any(is_call)
                }
                _ => false,
            })
        }
        _ => false,
    }
}

/// `FnOnce(…) -> …` and its like
fn is_call(bound: &syn::TypeParamBound) -> bool {
    match bound {
        syn::TypeParamBound::Trait(of) => {
            let last = of.path.segments.last();
            last.is_some_and(|last| {
                ["Fn", "FnMut", "FnOnce"]
                    .iter()
                    .any(|name| last.ident == name)
            })
        }
        _ => false,
    }
}
