//! Values that nothing drops by itself, and functions about pointers: `mem`, `ptr`, `Cell`, `NonNull::new`, `Box::leak`.
//!
//! What has no value is not initialised in the typed program either: it can be copied as a part of a `MaybeUninit`, and
//! each other access of it before it is written is a violation. Nothing is dropped by `forget`, by writing through
//! `ptr::write` or `MaybeUninit::write`, or with a `ManuallyDrop`.

use super::build::{assign, constant, declare, deref, load, member, sequence, unit};
use super::method::Method;
use super::order::is_named;
use super::{Body, Pl, Val};
use crate::lower::typed::{self, ExprKind, Stmt};
use crate::rust::source::{implied, span};
use crate::rust::types::{Ptr, Slot, Ty};
use crate::rust::unit::Res;
use crate::text::{Place, Span};
use syn::Expr;

/// A call of a function of a known crate.
pub(super) struct Known<'k> {
    /// The last module or type before its name.
    pub(super) of: &'k str,
    pub(super) name: &'k str,
    pub(super) want: Option<&'k Ty>,
    /// The generic argument of the type before its name, if it is written.
    pub(super) given: Option<Ty>,
    pub(super) place: Place,
    pub(super) span: Span,
}

impl<'a> Body<'_, 'a> {
    /// Calls a function of `mem` or `ptr`, or one about pointers; `None` if it is none of them.
    pub(super) fn memory_function(
        &mut self,
        of: &Known<'_>,
        arguments: &[&'a Expr],
    ) -> Res<Option<Val>> {
        let place = of.place;
        let mut stmts = Vec::new();
        Ok(Some(match (of.of, of.name, arguments) {
            ("mem", "forget", [inner]) => {
                let value = self.expr(inner, None)?;
                nothing(vec![Self::effect(value.e)], place)
            }
            ("mem" | "ptr", "replace", [to, value]) => {
                let to = self.pointed(to, &mut stmts)?;
                let new = self.expr_as(value, &to.ty)?;
                self.exchanged(&to, new, stmts, place)
            }
            ("mem", "take", [to]) => {
                let to = self.pointed(to, &mut stmts)?;
                let new = self.default_of(&to.ty.clone(), place, &of.span)?;
                self.exchanged(&to, new, stmts, place)
            }
            ("mem" | "ptr", "swap", [a, b]) => {
                let a = self.pointed(a, &mut stmts)?;
                let b = self.pointed(b, &mut stmts)?;
                self.unify(&a.ty, &b.ty, of.span.clone())?;
                self.swapped(&a, &b, stmts, place)
            }
            ("ManuallyDrop", "take", [slot]) => {
                let content = self.content(slot, &mut stmts)?;
                self.copied(&content, stmts, place)
            }
            ("ManuallyDrop", "into_inner", [slot]) => {
                let value = self.expr(slot, None)?;
                let Ty::Slot(Slot::Manual, inner) = self.infer.shallow(&value.ty) else {
                    return self.error("this is not a `ManuallyDrop`", span(*slot));
                };
                Val {
                    e: value.e,
                    ty: *inner,
                }
            }
            ("ManuallyDrop", "drop", [slot]) => {
                let content = self.content(slot, &mut stmts)?;
                self.drop_place(&content, implied(place), &of.span, &mut stmts)?;
                nothing(stmts, place)
            }
            ("MaybeUninit", "uninit", []) => self.uninit(of),
            ("NonNull", "new_unchecked" | "from", [pointer])
            | ("Box", "leak" | "into_raw" | "from_raw", [pointer]) => {
                let kind = match of.name {
                    "leak" => Ptr::Ref,
                    "into_raw" => Ptr::Raw,
                    "from_raw" => Ptr::Box,
                    _ => Ptr::NonNull,
                };
                let value = self.expr(pointer, None)?;
                match self.infer.shallow(&value.ty) {
                    Ty::Ptr(_, to) => Val {
                        e: value.e,
                        ty: Ty::Ptr(kind, to),
                    },
                    _ => return self.error("this is not a pointer", span(*pointer)),
                }
            }
            ("NonNull", "new", [pointer]) => {
                let value = self.expr(pointer, None)?;
                let Ty::Ptr(_, to) = self.infer.shallow(&value.ty) else {
                    return self.error("this is not a pointer", span(*pointer));
                };
                self.pointer_if_any(value.e, Ty::Ptr(Ptr::NonNull, to), stmts, place)
            }
            ("ptr", "null" | "null_mut", []) => {
                let to = match of.want.map(|ty| self.infer.shallow(ty)) {
                    Some(Ty::Ptr(_, to)) => *to,
                    _ => self.infer.fresh(of.span.start, false),
                };
                let ty = Ty::pointer(Ptr::Raw, to);
                let typed = self.typed(&ty);
                Val {
                    e: constant(0, typed, place),
                    ty,
                }
            }
            ("ptr", "read" | "read_volatile", [pointer]) => {
                let from = self.pointed(pointer, &mut stmts)?;
                self.copied(&from, stmts, place)
            }
            ("ptr", "write" | "write_volatile", [pointer, value]) => {
                let to = self.pointed(pointer, &mut stmts)?;
                let value = self.expr_as(value, &to.ty)?;
                Self::overwrite(&to, value.e, &mut stmts, place);
                nothing(stmts, place)
            }
            ("ptr", "drop_in_place", [pointer]) => {
                let of_what = self.pointed(pointer, &mut stmts)?;
                self.drop_place(&of_what, implied(place), &of.span, &mut stmts)?;
                nothing(stmts, place)
            }
            _ => return Ok(None),
        }))
    }

    /// What a pointer points to, which is evaluated once.
    fn pointed(&mut self, e: &'a Expr, stmts: &mut Vec<Stmt>) -> Res<Pl> {
        let value = self.expr(e, None)?;
        let Ty::Ptr(_, to) = self.infer.shallow(&value.ty) else {
            return self.error("this is not a pointer", span(e));
        };
        Ok(self.pointed_by(value, *to, stmts))
    }

    pub(super) fn pointed_by(&mut self, pointer: Val, to: Ty, stmts: &mut Vec<Stmt>) -> Pl {
        let place = pointer.e.place;
        let is_steady = matches!(&pointer.e.kind, ExprKind::AddressOf(of) if is_named(of));
        let e = if is_steady {
            pointer.e
        } else {
            self.hold(pointer.e, &pointer.ty, stmts)
        };
        let mut lvalue = deref(e, place);
        let typed = self.typed(&to);
        if lvalue.ty.kind != typed.kind {
            lvalue.ty = typed;
        }
        Pl { lvalue, ty: to }
    }

    /// The value in a place, which stays there.
    pub(super) fn copied(&mut self, from: &Pl, mut stmts: Vec<Stmt>, place: Place) -> Val {
        let e = if from.lvalue.ty.is_void() {
            unit(place)
        } else {
            let value = load(from.lvalue.clone(), place);
            self.hold(value, &from.ty, &mut stmts)
        };
        Val {
            e: sequence(stmts, e),
            ty: from.ty.clone(),
        }
    }

    /// Puts a value into a place without dropping what is there.
    pub(super) fn overwrite(to: &Pl, value: typed::Expr, stmts: &mut Vec<Stmt>, place: Place) {
        stmts.push(Self::effect(if value.ty.is_void() {
            value
        } else {
            assign(to.lvalue.clone(), value, place)
        }));
    }

    /// Puts a value into a place; the old one.
    pub(super) fn exchanged(
        &mut self,
        to: &Pl,
        new: Val,
        mut stmts: Vec<Stmt>,
        place: Place,
    ) -> Val {
        let new = self.hold(new.e, &to.ty, &mut stmts);
        let old = self.copied(to, Vec::new(), place);
        let old = self.hold(old.e, &to.ty, &mut stmts);
        Self::overwrite(to, new, &mut stmts, place);
        Val {
            e: sequence(stmts, old),
            ty: to.ty.clone(),
        }
    }

    fn swapped(&mut self, a: &Pl, b: &Pl, mut stmts: Vec<Stmt>, place: Place) -> Val {
        let x = self.copied(a, Vec::new(), place);
        let x = self.hold(x.e, &a.ty, &mut stmts);
        let y = self.copied(b, Vec::new(), place);
        Self::overwrite(a, y.e, &mut stmts, place);
        Self::overwrite(b, x, &mut stmts, place);
        nothing(stmts, place)
    }

    // What nothing drops by itself.

    /// `MaybeUninit::uninit()`
    fn uninit(&mut self, of: &Known<'_>) -> Val {
        let ty = match (&of.given, of.want.map(|ty| self.infer.shallow(ty))) {
            (Some(given), _) => Ty::Slot(Slot::Uninit, Box::new(given.clone())),
            (None, Some(ty @ Ty::Slot(Slot::Uninit, _))) => ty,
            (None, _) => Ty::Slot(
                Slot::Uninit,
                Box::new(self.infer.fresh(of.span.start, false)),
            ),
        };
        let (id, pl) = self.temporary(&ty, of.place);
        if pl.lvalue.ty.is_void() {
            return Val {
                e: unit(of.place),
                ty,
            };
        }
        let set = declare(id, Vec::new(), implied(of.place));
        Val {
            e: sequence(vec![set], load(pl.lvalue, of.place)),
            ty,
        }
    }

    /// What is in the slot that a pointer points to.
    fn content(&mut self, e: &'a Expr, stmts: &mut Vec<Stmt>) -> Res<Pl> {
        let slot = self.pointed(e, stmts)?;
        match self.infer.shallow(&slot.ty) {
            Ty::Slot(kind, inner) => Ok(self.in_slot(&slot, kind, &inner)),
            _ => self.error("this is not a `ManuallyDrop`", span(e)),
        }
    }

    /// What is in a slot.
    pub(super) fn in_slot(&mut self, pl: &Pl, slot: Slot, inner: &Ty) -> Pl {
        let typed = self.typed(inner);
        let place = pl.lvalue.place;
        let lvalue = match slot {
            Slot::Uninit if !typed.is_void() => member(pl.lvalue.clone(), 0, typed, place),
            Slot::Uninit | Slot::Manual | Slot::Cell => pl.lvalue.clone(),
        };
        Pl {
            lvalue,
            ty: inner.clone(),
        }
    }

    /// A method of a slot.
    pub(super) fn slot_method(
        &mut self,
        pl: &Pl,
        (slot, inner): (Slot, &Ty),
        of: &Method<'_, 'a>,
    ) -> Res<Option<Val>> {
        let place = of.place;
        let content = self.in_slot(pl, slot, inner);
        let pointer = |body: &mut Self, kind| Val {
            e: body.address_of(content.lvalue.clone(), place),
            ty: Ty::pointer(kind, inner.clone()),
        };
        let mut stmts = Vec::new();
        Ok(Some(match (slot, of.name, of.arguments.len()) {
            (Slot::Uninit, "write", 1) => {
                let value = self.expr_as(&of.arguments[0], inner)?;
                Self::overwrite(&content, value.e, &mut stmts, place);
                let pointer = pointer(self, Ptr::Ref);
                Val {
                    e: sequence(stmts, pointer.e),
                    ty: pointer.ty,
                }
            }
            (Slot::Uninit, "as_ptr" | "as_mut_ptr", 0) | (Slot::Cell, "as_ptr", 0) => {
                pointer(self, Ptr::Raw)
            }
            (Slot::Uninit, "assume_init_ref" | "assume_init_mut", 0)
            | (Slot::Cell, "get_mut", 0) => pointer(self, Ptr::Ref),
            (Slot::Uninit, "assume_init" | "assume_init_read", 0) => {
                self.copied(&content, stmts, place)
            }
            (Slot::Uninit, "assume_init_drop", 0) => {
                self.drop_place(&content, implied(place), &of.span, &mut stmts)?;
                nothing(stmts, place)
            }
            (Slot::Cell, "get", 0) => self.copied(&content, stmts, place),
            (Slot::Cell, "into_inner", 0) if !self.needs_drop(inner) => {
                self.copied(&content, stmts, place)
            }
            (Slot::Cell, "set", 1) => {
                let new = self.expr_as(&of.arguments[0], inner)?;
                let old = self.exchanged(&content, new, stmts, place);
                let (stmts, _) = self.drop_now(old, place, &of.span)?;
                nothing(stmts, place)
            }
            (Slot::Cell, "replace", 1) => {
                let new = self.expr_as(&of.arguments[0], inner)?;
                self.exchanged(&content, new, stmts, place)
            }
            (Slot::Cell, "take", 0) => {
                let new = self.default_of(inner, place, &of.span)?;
                self.exchanged(&content, new, stmts, place)
            }
            (Slot::Cell, "swap", 1) => {
                let other = self.pointed(&of.arguments[0], &mut stmts)?;
                self.unify(&pl.ty, &other.ty, of.span.clone())?;
                let other = self.in_slot(&other, slot, inner);
                self.swapped(&content, &other, stmts, place)
            }
            _ => return Ok(None),
        }))
    }
}

/// Statements as a value.
pub(super) fn nothing(stmts: Vec<Stmt>, place: Place) -> Val {
    Val {
        e: sequence(stmts, unit(place)),
        ty: Ty::Unit,
    }
}
