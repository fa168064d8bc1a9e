//! Methods of pointers that own nothing, `*mut T` and `NonNull<T>`, and what they are converted to.

use super::build::{address, cast, compare, constant, deref, element, load, long, not, sequence};
use super::memory::nothing;
use super::method::Method;
use super::{Body, Pl, Val};
use crate::lower::typed::{self, BinaryOp, Stmt};
use crate::rust::source::implied;
use crate::rust::types::{Ptr, Ty};
use crate::rust::unit::Res;
use crate::text::Place;

impl<'a> Body<'_, 'a> {
    /// A pointer, if it is not null.
    pub(super) fn pointer_if_any(
        &mut self,
        pointer: typed::Expr,
        inner: Ty,
        mut stmts: Vec<Stmt>,
        place: Place,
    ) -> Val {
        let pointer = self.hold(pointer, &inner, &mut stmts);
        let null = constant(0, pointer.ty.clone(), place);
        let tag = not(compare(BinaryOp::Eq, pointer.clone(), null, place));
        let ty = self.t.option(inner);
        let e = self.tagged(&ty, tag, pointer, place);
        Val {
            e: sequence(stmts, e),
            ty,
        }
    }

    /// A method of a pointer that nothing counts or owns.
    pub(super) fn pointer_method(
        &mut self,
        pl: &Pl,
        (kind, to): (Ptr, &Ty),
        of: &Method<'_, 'a>,
    ) -> Res<Option<Val>> {
        let place = of.place;
        let own = load(pl.lvalue.clone(), place);
        let own_ty = Ty::pointer(kind, to.clone());
        let mut stmts = Vec::new();
        let is_raw = kind == Ptr::Raw;
        Ok(Some(match (of.name, of.arguments.len()) {
            ("is_null", 0) if is_raw => {
                let null = constant(0, own.ty.clone(), place);
                Val {
                    e: compare(BinaryOp::Eq, own, null, place),
                    ty: Ty::Bool,
                }
            }
            ("as_ref" | "as_mut", 0) if is_raw => {
                let ty = Ty::pointer(Ptr::Ref, to.clone());
                self.pointer_if_any(own, ty, stmts, place)
            }
            ("as_ref" | "as_mut", 0) => Val {
                e: own,
                ty: Ty::pointer(Ptr::Ref, to.clone()),
            },
            ("as_ptr", 0) if !is_raw => Val {
                e: own,
                ty: Ty::pointer(Ptr::Raw, to.clone()),
            },
            ("cast_mut" | "cast_const", 0) if is_raw => Val { e: own, ty: own_ty },
            ("read" | "read_volatile", 0) => {
                let value = Val { e: own, ty: own_ty };
                let from = self.pointed_by(value, to.clone(), &mut stmts);
                self.copied(&from, stmts, place)
            }
            ("write" | "write_volatile", 1) => {
                let own = self.hold(own, &own_ty, &mut stmts);
                let value = self.expr_as(&of.arguments[0], to)?;
                let value_at = Val { e: own, ty: own_ty };
                let into = self.pointed_by(value_at, to.clone(), &mut stmts);
                Self::overwrite(&into, value.e, &mut stmts, place);
                nothing(stmts, place)
            }
            ("replace", 1) => {
                let own = self.hold(own, &own_ty, &mut stmts);
                let value = self.expr_as(&of.arguments[0], to)?;
                let value_at = Val { e: own, ty: own_ty };
                let into = self.pointed_by(value_at, to.clone(), &mut stmts);
                self.exchanged(&into, value, stmts, place)
            }
            ("drop_in_place", 0) => {
                let value = Val { e: own, ty: own_ty };
                let of_what = self.pointed_by(value, to.clone(), &mut stmts);
                self.drop_place(&of_what, implied(place), &of.span, &mut stmts)?;
                nothing(stmts, place)
            }
            ("add" | "sub" | "offset", 1) => {
                let index = if of.name == "offset" {
                    Ty::Int {
                        bits: 64,
                        signed: true,
                        size: true,
                    }
                } else {
                    crate::rust::types::USIZE
                };
                let own = self.hold(own, &own_ty, &mut stmts);
                let by = self.expr_as(&of.arguments[0], &index)?;
                if self.typed(to).is_void() {
                    // All of these have the same address.
                    stmts.push(Self::effect(by.e));
                    return Ok(Some(Val {
                        e: sequence(stmts, own),
                        ty: own_ty,
                    }));
                }
                let by = cast(by.e, long());
                let op = if of.name == "sub" {
                    BinaryOp::PointerSub
                } else {
                    BinaryOp::PointerAdd
                };
                let typed = own.ty.clone();
                let e = super::build::binary(op, own, by, typed, place);
                Val {
                    e: sequence(stmts, e),
                    ty: own_ty,
                }
            }
            _ => return Ok(None),
        }))
    }

    /// Whether something begins with what is of a type that is not known.
    fn begins_with(&self, whole: &Ty, first: &Ty) -> bool {
        match self.infer.shallow(whole) {
            Ty::Array(inner, _) | Ty::Slot(_, inner) | Ty::Cell(inner) => {
                self.infer.shallow(&inner) == *first || self.begins_with(&inner, first)
            }
            _ => false,
        }
    }

    /// A pointer as one to what is at the beginning of what it points to: the first element of an array, or what is in
    /// a slot. `None` if the types are other ones.
    pub(super) fn first_of(&mut self, value: &Val, to: &Ty, place: Place) -> Option<Val> {
        let Ty::Ptr(_, from) = self.infer.shallow(&value.ty) else {
            return None;
        };
        let to = self.infer.shallow(to);
        if self.infer.shallow(&from) == to
            || matches!(to, Ty::Var(_)) && !self.begins_with(&from, &to)
        {
            return None;
        }
        let (mut lvalue, mut from) = (deref(value.e.clone(), place), self.infer.shallow(&from));
        for _ in 0..8 {
            let next = match (&from, &to) {
                (Ty::Array(..), Ty::Array(..)) => return None,
                (Ty::Array(inner, _), _) => {
                    let typed = self.typed(inner);
                    lvalue = element(lvalue, constant(0, long(), place), typed, place);
                    (**inner).clone()
                }
                (Ty::Slot(slot, inner), to) if !matches!(to, Ty::Slot(..)) => {
                    let pl = Pl {
                        lvalue,
                        ty: from.clone(),
                    };
                    lvalue = self.in_slot(&pl, *slot, inner).lvalue;
                    (**inner).clone()
                }
                (Ty::Cell(inner), to) if !matches!(to, Ty::Cell(_)) => (**inner).clone(),
                _ => break,
            };
            from = self.infer.shallow(&next);
            if from == to {
                break;
            }
        }
        let known = self.infer.now();
        if !self.infer.unify(&from, &to) {
            self.infer.undo(known);
            return None;
        }
        let typed = self.typed(&to);
        if lvalue.ty.kind != typed.kind {
            lvalue.ty = typed;
        }
        Some(Val {
            e: address(lvalue, place),
            ty: Ty::pointer(Ptr::Raw, to),
        })
    }
}
