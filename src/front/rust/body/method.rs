//! Methods: found by the type of what they are called on, through references and pointers.

use super::build::{load, sequence};
use super::call::{Arguments, Operand};
use super::lookup::Whose;
use super::order::assigns;
use super::{Body, Pl, Val};
use crate::rust::source::{at, implied, span};
use crate::rust::types::{Ptr, Ty, USIZE};
use crate::rust::unit::{Context, Def, Res};
use crate::text::{Place, Span};
use syn::Expr;

/// A call of a method.
pub(super) struct Method<'m, 'a> {
    pub(super) name: &'m str,
    pub(super) arguments: &'a Arguments,
    pub(super) place: Place,
    pub(super) span: Span,
    pub(super) want: Option<&'m Ty>,
}

impl<'a> Body<'_, 'a> {
    pub(super) fn method(&mut self, e: &'a syn::ExprMethodCall, want: Option<&Ty>) -> Res<Val> {
        let name = e.method.to_string();
        let of = Method {
            name: &name,
            arguments: &e.args,
            place: at(e),
            span: span(e),
            want,
        };
        if let Some(value) = self.spawns(e, &of)? {
            return Ok(value);
        }
        if let Some(value) = self.exchange_succeeds(e, &of)? {
            return Ok(value);
        }
        if let Some(value) = self.converts(e, &of)? {
            return Ok(value);
        }
        self.found_method(e, &of)
    }

    /// A method that is found by the type of what it is called on.
    pub(super) fn found_method(
        &mut self,
        e: &'a syn::ExprMethodCall,
        of: &Method<'_, 'a>,
    ) -> Res<Val> {
        let shared = self.shared;
        self.changes_receiver = false;
        let value = self.called_on(e, of)?;
        // What leads to a receiver that is borrowed mutably does so mutably.
        if self.shared > shared && std::mem::take(&mut self.changes_receiver) {
            return self.written_at(|body| body.called_on(e, of));
        }
        Ok(value)
    }

    /// A call of a method, by what it is called on.
    fn called_on(&mut self, e: &'a syn::ExprMethodCall, of: &Method<'_, 'a>) -> Res<Val> {
        let place = of.place;
        if !self.is_place(&e.receiver) {
            let value = self.expr(&e.receiver, None)?;
            if let Some(value) = self.method_of_value(&value, of)? {
                return Ok(value);
            }
            if let Some((def, context)) = self.consuming(&value.ty, of)? {
                self.given_types(&def.sig.generics, e.turbofish.as_ref(), &context.subst)?;
                return self.call_function(
                    def,
                    context,
                    Some(value.e),
                    Operand::all(&e.args),
                    of.want,
                    place,
                );
            }
            let pl = if value.e.ty.is_void() {
                let (_, pl) = self.temporary(&Ty::Unit, place);
                Pl {
                    lvalue: pl.lvalue,
                    ty: value.ty,
                }
            } else {
                self.keep(value, &span(&e.receiver))?
            };
            return self.method_of_place(pl, e, of);
        }
        let pl = self.place(&e.receiver)?;
        self.method_of_place(pl, e, of)
    }

    /// The method of this name that takes the value itself, if the type has one in the text.
    fn consuming(&mut self, ty: &Ty, of: &Method<'_, 'a>) -> Res<Option<(Def<'a>, Context)>> {
        let ty = self.infer.shallow(ty);
        let Some((def, mut context)) = self.function_called(&ty, of)? else {
            return Ok(None);
        };
        let Some(syn::FnArg::Receiver(receiver)) = def.sig.inputs.first() else {
            return Ok(None);
        };
        if receiver.reference.is_some() || receiver.colon_token.is_some() {
            return Ok(None);
        }
        let parameters = self.generics_of(def.sig, of.span.end);
        context.subst.extend(parameters);
        Ok(Some((def, context)))
    }

    /// The function of this type that a call of a method names.
    fn function_called(&mut self, ty: &Ty, of: &Method<'_, 'a>) -> Res<Option<(Def<'a>, Context)>> {
        if matches!(ty, Ty::Array(..))
            && of.name == "into_iter"
            && !self.edition().moves_out_of_arrays()
        {
            return Ok(None);
        }
        let given = self.given(ty, of.name, &Operand::all(of.arguments), of.want)?;
        Ok(self.function_for(ty, of.name, Whose::Any, &given))
    }

    /// The method of the first type that has it, through pointers.
    fn method_of_place(
        &mut self,
        pl: Pl,
        e: &'a syn::ExprMethodCall,
        of: &Method<'_, 'a>,
    ) -> Res<Val> {
        let start = pl.clone();
        let (moves, mut stmts) = (assigns(of.arguments), Vec::new());
        let mut at = pl;
        for _ in 0..16 {
            at = self.steady(at, moves, &mut stmts, of.place);
            if let Some(value) = self.method_here(&at, e, of)? {
                return Ok(Val {
                    e: sequence(stmts, value.e),
                    ty: value.ty,
                });
            }
            // An array itself is moved into its iterator since edition 2021: its elements end elsewhere.
            if of.name == "into_iter"
                && self.edition().moves_out_of_arrays()
                && let Ty::Array(element, _) = self.infer.shallow(&start.ty)
                && self.needs_drop(&element)
            {
                return self.refuse(
                    "an iterator that moves values whose ends have effects out of an array is not supported",
                    of.span.clone(),
                    "borrow the array, or use `vec!`",
                );
            }
            if let Some(slice) = self.slice_at(&at, of.place)? {
                let (_, pl) = self.temporary(&slice.ty, of.place);
                stmts.push(super::build::declare(
                    super::slices::pl_local(&pl),
                    vec![(Vec::new(), slice.e)],
                    implied(of.place),
                ));
                if let Some(value) = self.method_here(&pl, e, of)? {
                    self.changes_receiver = super::slices::changes(of.name);
                    return Ok(Val {
                        e: sequence(stmts, value.e),
                        ty: value.ty,
                    });
                }
            }
            match self.deref_once(&at, of.place)? {
                Some(next) => at = next,
                None => break,
            }
        }
        let ty = self.infer.deep(&start.ty);
        if let Ty::Var(_) = ty {
            return self.refuse(
                "the type of this value is not known here",
                span(&e.receiver),
                "write it where the value is declared",
            );
        }
        let shown = self.t.shown(&ty);
        self.refuse(
            format!("the method `{}` of `{shown}` is not supported", of.name),
            span(&e.method),
            "methods of atomics, integers, options, locks, threads and of this file's structures are",
        )
    }

    /// The value of a method of the type of a place itself.
    fn method_here(
        &mut self,
        pl: &Pl,
        e: &'a syn::ExprMethodCall,
        of: &Method<'_, 'a>,
    ) -> Res<Option<Val>> {
        let place = of.place;
        let ty = self.infer.shallow(&pl.ty);
        if self.is_of_pointee(&ty, of.name) {
            return Ok(None);
        }
        if let Some(value) = self.object_method(pl, of)? {
            return Ok(Some(value));
        }
        if let Some((def, mut context)) = self.function_called(&ty, of)? {
            let parameters = self.generics_of(def.sig, of.span.end);
            self.given_types(&def.sig.generics, e.turbofish.as_ref(), &parameters)?;
            context.subst.extend(parameters);
            let Some(syn::FnArg::Receiver(receiver)) = def.sig.inputs.first() else {
                return self.error(format!("`{}` is not a method", of.name), span(&e.method));
            };
            let own = if receiver.colon_token.is_some() {
                let input = &def.sig.inputs[0];
                let written = self.input_type(input, &context)?;
                match self.written_receiver(pl, &written, &e.receiver, place)? {
                    Some(own) => own,
                    None => return Ok(None),
                }
            } else if receiver.reference.is_some() {
                self.borrowed(pl, place)
            } else {
                self.load_place(pl.clone(), &e.receiver, place)?.e
            };
            let operands = Operand::all(of.arguments);
            let value = self.call_function(def, context, Some(own), operands, of.want, place)?;
            self.changes_receiver = receiver.reference.is_some() && receiver.mutability.is_some();
            return Ok(Some(value));
        }
        if let Some(value) = self.method_of_pointer(pl, &ty, e, of)? {
            return Ok(Some(value));
        }
        if matches!(of.name, "cmp" | "partial_cmp" | "max" | "min")
            && let Some(value) = self.order_method(pl, e, of)?
        {
            return Ok(Some(value));
        }
        self.changes_receiver = of.name == "push" || of.name.ends_with("_mut");
        match &ty {
            Ty::Adt(id, _)
                if of.name == "clone" && of.arguments.is_empty() && self.derives(*id, "Clone") =>
            {
                self.clone_at(pl, place, &of.span).map(Some)
            }
            Ty::Tuple(_) | Ty::Array(..) if of.name == "clone" && of.arguments.is_empty() => {
                self.clone_at(pl, place, &of.span).map(Some)
            }
            Ty::Atomic(of_what) => {
                let of_what = (**of_what).clone();
                self.atomic_method(pl, &of_what, of)
            }
            Ty::Mutex(_) | Ty::RwLock(_) => self.lock_method(pl, &ty, of),
            Ty::Condvar => self.condvar_method(pl, of),
            Ty::Cell(inner) => {
                let inner = (**inner).clone();
                self.cell_method(pl, &inner, of)
            }
            Ty::Slot(slot, inner) => {
                let (slot, inner) = (*slot, (**inner).clone());
                self.slot_method(pl, (slot, &inner), of)
            }
            Ty::Handles(result) => {
                let result = (**result).clone();
                self.handles_method(pl, &result, of)
            }
            Ty::Ptr(kind, to) => {
                let (kind, to) = (*kind, (**to).clone());
                match (kind, of.name, of.arguments.len()) {
                    (Ptr::Arc | Ptr::Rc, "clone", 0) => {
                        let pointer = load(pl.lvalue.clone(), place);
                        self.cloned(kind, &to, pointer, place).map(Some)
                    }
                    (Ptr::Box, "clone", 0) => self.clone_at(pl, place, &of.span).map(Some),
                    (Ptr::Raw | Ptr::NonNull, _, _) => self.pointer_method(pl, (kind, &to), of),
                    (Ptr::Arc | Ptr::Rc | Ptr::Box, "as_ref" | "as_mut", 0) => {
                        let found = self.deref_once(pl, place)?;
                        Ok(found.map(|found| Val {
                            e: self.borrowed(&found, place),
                            ty: Ty::pointer(Ptr::Ref, to),
                        }))
                    }
                    _ => Ok(None),
                }
            }
            Ty::Array(_, count) if of.name == "len" && of.arguments.is_empty() => {
                let value = i128::from(*count);
                self.number(value, &USIZE, place, of.span.clone()).map(Some)
            }
            Ty::Var(_) | Ty::Int { .. } if self.infer.is_integer(&ty) => {
                let value = Val {
                    e: load(pl.lvalue.clone(), place),
                    ty,
                };
                self.integer_method(value, of)
            }
            Ty::Bool | Ty::Thread if of.name == "clone" => Ok(Some(Val {
                e: load(pl.lvalue.clone(), place),
                ty,
            })),
            // A handle and its thread are the same number.
            Ty::Handle(_) if of.name == "thread" && of.arguments.is_empty() => Ok(Some(Val {
                e: self.address_of(pl.lvalue.clone(), place),
                ty: Ty::pointer(Ptr::Ref, Ty::Thread),
            })),
            Ty::Handle(result) => {
                let result = (**result).clone();
                let value = Val {
                    e: load(pl.lvalue.clone(), place),
                    ty: ty.clone(),
                };
                self.handle_method(value, &result, of)
            }
            Ty::Thread if of.name == "unpark" => self.unpark(pl, of).map(Some),
            _ => Ok(None),
        }
    }

    /// Whether a method is one of what a reference refers to: it takes the reference as it is, and one of the reference
    /// itself would take a reference to that.
    fn is_of_pointee(&mut self, ty: &Ty, name: &str) -> bool {
        let Ty::Ptr(Ptr::Ref, to) = ty else {
            return false;
        };
        let mut borrows = |ty: &Ty| {
            let found = self.function_of(ty, name);
            let receiver = found.and_then(|(def, _)| def.sig.receiver());
            receiver.is_some_and(|of| of.reference.is_some())
        };
        borrows(ty) && borrows(to)
    }

    /// A method of what a pointer points to, whose `self` is the pointer.
    fn method_of_pointer(
        &mut self,
        pl: &Pl,
        ty: &Ty,
        e: &'a syn::ExprMethodCall,
        of: &Method<'_, 'a>,
    ) -> Res<Option<Val>> {
        let Ty::Ptr(_, to) = ty else {
            return Ok(None);
        };
        let Some((def, mut context)) = self.function_of(to, of.name) else {
            return Ok(None);
        };
        let Some(input @ syn::FnArg::Receiver(receiver)) = def.sig.inputs.first() else {
            return Ok(None);
        };
        if receiver.colon_token.is_none() {
            return Ok(None);
        }
        let parameters = self.generics_of(def.sig, of.span.end);
        context.subst.extend(parameters);
        let written = self.input_type(input, &context)?;
        let Some(own) = self.written_receiver(pl, &written, &e.receiver, of.place)? else {
            return Ok(None);
        };
        let operands = Operand::all(of.arguments);
        self.call_function(def, context, Some(own), operands, of.want, of.place)
            .map(Some)
    }

    /// Whether a structure derives a trait.
    pub(super) fn derives(&self, id: usize, name: &str) -> bool {
        self.t.names.adts[id].derives(name)
    }

    /// Methods that take the value itself, and need no place for it.
    fn method_of_value(&mut self, value: &Val, of: &Method<'_, 'a>) -> Res<Option<Val>> {
        match self.infer.shallow(&value.ty) {
            Ty::Handle(result) => self.handle_method(value.clone(), &result, of),
            // The value itself ends where it is kept.
            ty @ Ty::Ptr(Ptr::Arc | Ptr::Rc, _) if of.name == "clone" && !self.needs_drop(&ty) => {
                Ok(Some(value.clone()))
            }
            ty @ (Ty::Int { .. } | Ty::Var(_)) if self.infer.is_integer(&ty) => {
                self.integer_method(value.clone(), of)
            }
            _ => Ok(None),
        }
    }

    /// `a.clone()` and `Arc::clone(&a)`
    pub(super) fn clone_of(&mut self, value: Val, of: Span) -> Res<Val> {
        let place = value.e.place;
        let kind = {
            let mut ty = self.infer.shallow(&value.ty);
            while let Ty::Ptr(Ptr::Ref, to) = &ty {
                ty = self.infer.shallow(to);
            }
            match ty {
                Ty::Ptr(Ptr::Rc, _) => Ptr::Rc,
                _ => Ptr::Arc,
            }
        };
        let (pointer, to) = self.pointer_at(value, kind, of)?;
        self.cloned(kind, &to, pointer, place)
    }

    // Cells.

    fn cell_method(&mut self, pl: &Pl, inner: &Ty, of: &Method<'_, 'a>) -> Res<Option<Val>> {
        let place = of.place;
        let pointer = |body: &mut Self| Val {
            e: body.address_of(pl.lvalue.clone(), place),
            ty: Ty::pointer(Ptr::Raw, inner.clone()),
        };
        match (of.name, of.arguments.len()) {
            ("get" | "get_mut" | "as_ptr", 0) => Ok(Some(pointer(self))),
            ("with" | "with_mut", 1) => {
                let pointer = pointer(self);
                self.inline_closure(&of.arguments[0], &[pointer], of.want, place)
                    .map(Some)
            }
            ("into_inner", 0) if !self.needs_drop(inner) => Ok(Some(Val {
                e: load(pl.lvalue.clone(), place),
                ty: inner.clone(),
            })),
            _ => Ok(None),
        }
    }

    /// The arguments of a method, if there are this many.
    pub(super) fn exactly(&mut self, of: &Method<'_, 'a>, count: usize) -> Res<Vec<&'a Expr>> {
        if of.arguments.len() != count {
            return self.error(
                format!(
                    "`{}` takes {count} arguments, and {} are given",
                    of.name,
                    of.arguments.len()
                ),
                of.span.clone(),
            );
        }
        Ok(of.arguments.iter().collect())
    }
}
