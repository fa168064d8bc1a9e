//! `Arc` and `Rc` with their counts.
//!
//! What such a pointer points to begins with the number of pointers, if the program can see it: the end of the last
//! one does something, or the program asks for the number. Otherwise there is no count, and a clone is a copy.
//!
//! **Why a count can be left out.** Nothing reads it but the locked additions and subtractions themselves, whose values
//! decide nothing: the end of the last pointer would only free the object, to which only pointers that were counted
//! lead. A locked instruction drains the buffer of its thread, and so only forbids executions: without it there are
//! more, and all of those with it.
//!
//! With a count, each operation is what `std` executes: clones add 1 (`Relaxed`); an end subtracts 1 (`Release`) and, if
//! that was the last pointer, drops the value after a fence (`Acquire`). Left out are the operations on the number of
//! `Weak` pointers, of which there are none: they are locked, too. The numbers have 32 bits: a program that has more
//! pointers than that does not end.

use super::build::{
    assign, boolean, cast, compare, constant, deref, expression_statement, known, load, sequence,
    stmt, truth, unit,
};
use super::call::Operand;
use super::memory::Known;
use super::option::{ERR, NONE, OK, SOME};
use super::path::order_number;
use super::{Body, Pl, Val};
use crate::lower::direct;
use crate::lower::operation::{Operation, Order};
use crate::lower::typed::{self, BinaryOp, Stmt, StmtKind};
use crate::rust::source::{implied, span};
use crate::rust::types::{Ptr, Ty, U32, USIZE};
use crate::rust::unit::{Res, void};
use crate::text::{Place, Span};
use syn::Expr;

impl<'a> Body<'_, 'a> {
    /// The place of the count and of the value of such a pointer, which is evaluated already; `None` without a count.
    pub(super) fn counted(
        &mut self,
        kind: Ptr,
        to: &Ty,
        pointer: &typed::Expr,
        place: Place,
    ) -> Res<Option<(Pl, Pl)>> {
        let to = self.infer.settled(to);
        let Some(inner) = self.t.counted(kind, &to) else {
            return Ok(None);
        };
        let whole = Pl {
            lvalue: deref(pointer.clone(), place),
            ty: inner,
        };
        let count = self.part(&whole, "0", place)?;
        Ok(Some((count, self.part(&whole, "1", place)?)))
    }

    /// What an `Arc` or an `Rc` points to.
    pub(super) fn shared(
        &mut self,
        kind: Ptr,
        to: &Ty,
        pointer: typed::Expr,
        place: Place,
    ) -> Res<Option<Pl>> {
        let found = self.counted(kind, to, &pointer, place)?;
        Ok(found.map(|(_, value)| Pl {
            lvalue: value.lvalue,
            ty: to.clone(),
        }))
    }

    /// Makes the program count the pointers to this type.
    pub(super) fn count(&mut self, to: &Ty) {
        let to = self.infer.settled(to);
        self.t.ask_for_count(to);
    }

    /// An operation on a count; what it was.
    fn counting(
        &mut self,
        kind: Ptr,
        count: &Pl,
        (entry, op, order): (&'static Operation, BinaryOp, Order),
        stmts: &mut Vec<Stmt>,
        place: Place,
    ) -> typed::Expr {
        let typed = self.typed(&U32);
        let one = constant(1, typed.clone(), place);
        if kind == Ptr::Rc {
            // No other thread has such a pointer.
            let old = self.hold(load(count.lvalue.clone(), place), &U32, stmts);
            let new = super::build::binary(op, old.clone(), one, typed, place);
            stmts.push(Self::effect(assign(count.lvalue.clone(), new, place)));
            return old;
        }
        let object = self.address_of(count.lvalue.clone(), place);
        let order = constant(order_number(order), super::build::word(), place);
        let old = known(entry, vec![object, one, order], typed, place);
        self.hold(old, &U32, stmts)
    }

    pub(super) fn subtract(
        &mut self,
        kind: Ptr,
        count: &Pl,
        stmts: &mut Vec<Stmt>,
        place: Place,
    ) -> typed::Expr {
        let by = (&direct::FETCH_SUB, BinaryOp::Sub, Order::Release);
        let old = self.counting(kind, count, by, stmts, place);
        let one = constant(1, old.ty.clone(), place);
        compare(BinaryOp::Eq, old, one, place)
    }

    /// What comes before the value is used by the only pointer.
    pub(super) fn acquire(kind: Ptr, place: Place) -> Vec<Stmt> {
        if kind == Ptr::Rc {
            return Vec::new();
        }
        let order = constant(order_number(Order::Acquire), super::build::word(), place);
        vec![Self::effect(known(
            &direct::FENCE,
            vec![order],
            void(),
            place,
        ))]
    }

    /// Another pointer to the same.
    pub(super) fn cloned(
        &mut self,
        kind: Ptr,
        to: &Ty,
        pointer: typed::Expr,
        place: Place,
    ) -> Res<Val> {
        let ty = Ty::pointer(kind, to.clone());
        let mut stmts = Vec::new();
        if self.counted(kind, to, &pointer, place)?.is_none() {
            return Ok(Val { e: pointer, ty });
        }
        let pointer = self.hold(pointer, &ty, &mut stmts);
        if let Some((count, _)) = self.counted(kind, to, &pointer, place)? {
            let by = (&direct::FETCH_ADD, BinaryOp::Add, Order::Relaxed);
            self.counting(kind, &count, by, &mut stmts, place);
        }
        Ok(Val {
            e: sequence(stmts, pointer),
            ty,
        })
    }

    /// The end of such a pointer.
    pub(super) fn drop_shared(
        &mut self,
        (kind, to): (Ptr, &Ty),
        pl: &Pl,
        (place, span): (Place, &Span),
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let ty = pl.ty.clone();
        let pointer = self.hold(load(pl.lvalue.clone(), place), &ty, stmts);
        let Some((count, value)) = self.counted(kind, to, &pointer, place)? else {
            return Ok(());
        };
        let is_last = self.subtract(kind, &count, stmts, place);
        let mut last = Self::acquire(kind, place);
        if self.needs_drop(to) {
            self.drop_content(&value, (place, span), &mut last)?;
        }
        self.end_weak((kind, to), pointer, &mut last, place)?;
        stmts.push(super::build::when(is_last, last));
        Ok(())
    }

    /// The count of a new object, which nothing else can access yet.
    pub(super) fn first_count(
        &mut self,
        (kind, to): (Ptr, &Ty),
        pointer: &typed::Expr,
        stmts: &mut Vec<Stmt>,
        place: Place,
    ) -> Res<Option<typed::Lvalue>> {
        let Some((count, value)) = self.counted(kind, to, pointer, place)? else {
            return Ok(None);
        };
        let mut lvalue = count.lvalue;
        lvalue.ty.atomic = false;
        let one = constant(1, lvalue.ty.clone(), place);
        stmts.push(Self::effect(assign(lvalue, one.clone(), place)));
        if let Some(weak) = self.weak_count((kind, to), pointer, place)? {
            let mut lvalue = weak.lvalue;
            lvalue.ty.atomic = false;
            stmts.push(Self::effect(assign(lvalue, one, place)));
        }
        Ok(Some(value.lvalue))
    }

    /// Calls a function of `Arc` or `Rc`; `None` if it is none of them.
    pub(super) fn shared_function(
        &mut self,
        of: &Known<'_>,
        arguments: &[&'a Expr],
    ) -> Res<Option<Val>> {
        let kind = match of.of {
            "Arc" => Ptr::Arc,
            "Rc" => Ptr::Rc,
            _ => return Ok(None),
        };
        let place = of.place;
        let [argument] = arguments else {
            return Ok(None);
        };
        match of.name {
            "strong_count" | "get_mut" | "as_ptr" => {
                let reference = self.expr(argument, None)?;
                let whole = reference.clone();
                let (pointer, to) = self.pointer_at(reference, kind, span(*argument))?;
                self.count(&to);
                let settled = self.infer.settled(&to);
                if of.name == "get_mut" && self.t.has_weak(&settled) {
                    let operands = vec![Operand::Made(whole)];
                    return self.beside_weak(kind, of, operands);
                }
                self.asked(of.name, (kind, &to), pointer, place)
            }
            "try_unwrap" | "into_inner" | "into_raw" => {
                let value = self.expr(argument, None)?;
                let Ty::Ptr(_, to) = self.infer.shallow(&value.ty) else {
                    return self.error(format!("this is not an `{}`", of.of), span(*argument));
                };
                self.count(&to);
                self.taken_out(of.name, (kind, &to), value, place)
            }
            "from_raw" => {
                let value = self.expr(argument, None)?;
                let Ty::Ptr(_, to) = self.infer.shallow(&value.ty) else {
                    return self.error("this is not a pointer", span(*argument));
                };
                self.count(&to);
                Ok(Some(self.leading_to((kind, &to), value.e, place)))
            }
            _ => self.beside_weak(kind, of, vec![Operand::Written(argument)]),
        }
    }

    /// The pointer that a reference refers to, through others.
    pub(super) fn pointer_at(
        &mut self,
        reference: Val,
        kind: Ptr,
        of: Span,
    ) -> Res<(typed::Expr, Ty)> {
        let place = reference.e.place;
        let mut value = reference;
        for _ in 0..8 {
            match self.infer.shallow(&value.ty) {
                Ty::Ptr(own, to) if own == kind => return Ok((value.e, *to)),
                Ty::Ptr(Ptr::Ref, to) => {
                    value = Val {
                        e: load(deref(value.e, place), place),
                        ty: *to,
                    };
                }
                _ => break,
            }
        }
        self.error("this is not a reference to an `Arc` or an `Rc`", of)
    }

    /// A question about an object through a reference to a pointer.
    fn asked(
        &mut self,
        name: &str,
        (kind, to): (Ptr, &Ty),
        pointer: typed::Expr,
        place: Place,
    ) -> Res<Option<Val>> {
        let ty = Ty::pointer(kind, to.clone());
        let mut stmts = Vec::new();
        let pointer = self.hold(pointer, &ty, &mut stmts);
        let Some((count, value)) = self.counted(kind, to, &pointer, place)? else {
            // The next translation has the count.
            return Ok(Some(self.without_count(name, to, pointer, place)));
        };
        let order = if name == "get_mut" {
            Order::Acquire
        } else {
            Order::Relaxed
        };
        let number = if kind == Ptr::Rc {
            load(count.lvalue, place)
        } else {
            let object = self.address_of(count.lvalue, place);
            let order = constant(order_number(order), super::build::word(), place);
            let typed = self.typed(&U32);
            known(&direct::LOAD, vec![object, order], typed, place)
        };
        let address = self.address_of(value.lvalue, place);
        Ok(Some(match name {
            "strong_count" => {
                let typed = self.typed(&USIZE);
                Val {
                    e: sequence(stmts, cast(number, typed)),
                    ty: USIZE,
                }
            }
            "get_mut" => {
                let one = constant(1, number.ty.clone(), place);
                let is_only = compare(BinaryOp::Eq, number, one, place);
                let ty = self.t.option(Ty::pointer(Ptr::Ref, to.clone()));
                let e = self.tagged(&ty, is_only, address, place);
                Val {
                    e: sequence(stmts, e),
                    ty,
                }
            }
            _ => Val {
                e: sequence(stmts, address),
                ty: Ty::pointer(Ptr::Raw, to.clone()),
            },
        }))
    }

    /// A value of the type of such a question, where there is no count yet.
    fn without_count(&mut self, name: &str, to: &Ty, pointer: typed::Expr, place: Place) -> Val {
        match name {
            "strong_count" => {
                let typed = self.typed(&USIZE);
                Val {
                    e: constant(1, typed, place),
                    ty: USIZE,
                }
            }
            "get_mut" => {
                let ty = self.t.option(Ty::pointer(Ptr::Ref, to.clone()));
                let e = self.tagged(&ty, truth(true, place), pointer, place);
                Val { e, ty }
            }
            _ => Val {
                e: pointer,
                ty: Ty::pointer(Ptr::Raw, to.clone()),
            },
        }
    }

    /// The value of the only pointer, or the pointer as one to its value.
    fn taken_out(
        &mut self,
        name: &str,
        (kind, to): (Ptr, &Ty),
        pointer: Val,
        place: Place,
    ) -> Res<Option<Val>> {
        let own = pointer.ty.clone();
        let mut stmts = Vec::new();
        let pointer = self.hold(pointer.e, &own, &mut stmts);
        let ty = match name {
            "into_raw" => Ty::pointer(Ptr::Raw, to.clone()),
            "into_inner" => self.t.option(to.clone()),
            _ => self.t.result(to.clone(), own.clone()),
        };
        let found = self.counted(kind, to, &pointer, place)?;
        if name == "into_raw" {
            let e = match found {
                Some((_, value)) => self.address_of(value.lvalue, place),
                None => pointer,
            };
            return Ok(Some(Val {
                e: sequence(stmts, e),
                ty,
            }));
        }
        let (result, result_pl) = self.temporary(&ty, place);
        stmts.push(super::build::declare(result, Vec::new(), implied(place)));
        let Some((count, value)) = found else {
            return Ok(Some(Val {
                e: sequence(stmts, load(result_pl.lvalue, place)),
                ty,
            }));
        };
        let is_last = match (name, kind) {
            ("into_inner", _) => self.subtract(kind, &count, &mut stmts, place),
            (_, Ptr::Rc) => {
                let number = load(count.lvalue.clone(), place);
                let one = constant(1, number.ty.clone(), place);
                compare(BinaryOp::Eq, number, one, place)
            }
            _ => {
                let typed = self.typed(&U32);
                let object = self.address_of(count.lvalue.clone(), place);
                let number = |value| constant(value, typed.clone(), place);
                let order = constant(order_number(Order::Relaxed), super::build::word(), place);
                let arguments = vec![object, number(1), number(0), order.clone(), order];
                let old = known(&direct::COMPARE_EXCHANGE, arguments, typed.clone(), place);
                let old = self.hold(old, &U32, &mut stmts);
                compare(BinaryOp::Eq, old, number(1), place)
            }
        };
        let is_last = {
            let (id, pl) = self.temporary(&Ty::Bool, place);
            let values = vec![(Vec::new(), is_last)];
            stmts.push(super::build::declare(id, values, implied(place)));
            load(pl.lvalue, place)
        };
        debug_assert!(is_last.ty == boolean(), "it is a condition");
        let mut last = Self::acquire(kind, place);
        if (name, kind) == ("try_unwrap", Ptr::Rc) {
            // It was only compared. `Weak` pointers lead to no value from here on.
            let none = constant(0, count.lvalue.ty.clone(), place);
            last.push(expression_statement(
                assign(count.lvalue, none, place),
                implied(place),
            ));
        }
        let content = if value.lvalue.ty.is_void() {
            unit(place)
        } else {
            let content = load(value.lvalue, place);
            self.hold(content, to, &mut last)
        };
        self.end_weak((kind, to), pointer.clone(), &mut last, place)?;
        let content = Operand::Made(Val {
            e: content,
            ty: to.clone(),
        });
        let pointer = Operand::Made(Val {
            e: pointer,
            ty: own,
        });
        let variants = match name {
            "into_inner" => [(SOME, vec![content]), (NONE, Vec::new())],
            _ => [(OK, vec![content]), (ERR, vec![pointer])],
        };
        let mut made = Vec::new();
        for (variant, operands) in variants {
            let value = self.constructed(&ty, Some(variant), operands, None, place)?;
            made.push(Self::effect(assign(
                result_pl.lvalue.clone(),
                value.e,
                place,
            )));
        }
        let other = made.split_off(1);
        last.extend(made);
        let inside = implied(place);
        let then = Box::new(super::build::block(last, inside));
        let otherwise = Box::new(super::build::block(other, inside));
        stmts.push(stmt(StmtKind::If(is_last, then, Some(otherwise)), inside));
        Ok(Some(Val {
            e: sequence(stmts, load(result_pl.lvalue, place)),
            ty,
        }))
    }

    /// The pointer that leads to the object with this value.
    fn leading_to(&mut self, (kind, to): (Ptr, &Ty), value: typed::Expr, place: Place) -> Val {
        let ty = Ty::pointer(kind, to.clone());
        let typed = self.typed(&ty);
        let settled = self.infer.settled(to);
        let offset = self
            .t
            .counted(kind, &settled)
            .and_then(|inner| self.member_number(&inner, "1"))
            .and_then(|member| self.t.offset(typed.pointee()?, member));
        let e = match offset {
            Some(offset) => {
                let byte = crate::rust::unit::plain(typed::TypeKind::Int {
                    bits: 8,
                    signed: false,
                });
                let bytes = crate::rust::unit::plain(typed::TypeKind::Pointer(Box::new(byte)));
                let by = constant(offset, super::build::long(), place);
                let from = cast(value, bytes.clone());
                let start = super::build::binary(BinaryOp::PointerSub, from, by, bytes, place);
                cast(start, typed)
            }
            None => value,
        };
        Val { e, ty }
    }
}
