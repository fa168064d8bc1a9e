//! Closures and functions as values: in fields, in variables, as results of what is inlined.
//!
//! Such a value has no cells: its type says which closure it is, and what it captures are variables of the function that
//! both are part of. That is right as long as there is one value of each closure at a time, in the function itself. So none
//! of them is assigned, copied or put where there may be several.

use super::build::unit;
use super::scope::Callable;
use super::{Body, Pl, Val};
use crate::rust::source::span;
use crate::rust::types::{Infer, Ty};
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
            ty: Ty::Called(number),
        }
    }

    /// The same in a place.
    pub(super) fn closure_place(&mut self, callable: Callable<'a>, place: Place) -> Res<Pl> {
        if callable.has_state() {
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
        let found = self.deref_until(pl, crate::rust::source::at(e), |body, pl| {
            matches!(body.infer.shallow(&pl.ty), Ty::Called(_))
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
            Ty::Called(number) => self.closures.get(&number).cloned(),
            _ => None,
        };
        match found {
            Some(found) => Ok(found),
            None => self.error("this is not a closure that is known here", of),
        }
    }

    /// Refuses what might make two values of one closure.
    pub(super) fn one_closure(&mut self, ty: &Ty, of: Span) -> Res<()> {
        if !self.infer.has_called(ty) {
            return Ok(());
        }
        self.refuse(
            "a value with a closure in it cannot be assigned, copied or kept in a collection here",
            of,
            "keep it in a variable, and use it once",
        )
    }
}

impl Infer {
    /// Whether a closure is part of a type.
    pub(super) fn has_called(&self, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Called(_) => true,
            Ty::Atomic(ty)
            | Ty::Ptr(_, ty)
            | Ty::Array(ty, _)
            | Ty::Handle(ty)
            | Ty::Handles(ty)
            | Ty::Mutex(ty)
            | Ty::RwLock(ty)
            | Ty::Guard(_, ty)
            | Ty::Cell(ty)
            | Ty::Slot(_, ty) => self.has_called(&ty),
            Ty::Adt(_, types) | Ty::Tuple(types) => types.iter().any(|ty| self.has_called(ty)),
            _ => false,
        }
    }
}
