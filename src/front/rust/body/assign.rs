//! Assignments.

use super::build::{assign, deref, expr, load, sequence};
use super::operator::arithmetic;
use super::order::{changes_at, is_named};
use super::{Body, Pl, Val};
use crate::lower::typed::{BinaryOp, ExprKind};
use crate::rust::source::{at, implied, span};
use crate::rust::types::{Ptr, Ty};
use crate::rust::unit::Res;
use crate::text::{Place, Span};
use syn::Expr;

impl<'a> Body<'_, 'a> {
    /// `a op= b`
    pub(super) fn compound(&mut self, e: &'a syn::ExprBinary, place: Place) -> Res<Val> {
        let Some((op, may_leave)) = arithmetic(&e.op) else {
            return self.error("this operator is not supported", span(e));
        };
        let into = self.written_at(|body| body.place(&e.left))?;
        let own = self.infer.shallow(&into.ty);
        if matches!(own, Ty::Adt(..))
            && let Some(value) = self.operated_at(e, &into, place)?
        {
            return Ok(value);
        }
        let shifts = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let ty = into.ty.clone();
        let value = self.expr(&e.right, if shifts { None } else { Some(&ty) })?;
        let value = self.through(value);
        if !shifts {
            self.unify(&ty, &value.ty, span(&e.right))?;
        }
        // The value comes first, then the place is computed once.
        let mut stmts = Vec::new();
        let value = Val {
            e: self.hold(value.e, &value.ty, &mut stmts),
            ty: value.ty,
        };
        let lvalue = if is_named(&into.lvalue) {
            into.lvalue
        } else {
            let pointer = Ty::pointer(Ptr::Raw, ty.clone());
            let address = self.address_of(into.lvalue, place);
            deref(self.hold(address, &pointer, &mut stmts), place)
        };
        let old = Val {
            e: load(lvalue.clone(), place),
            ty,
        };
        let new = self.computed(op, may_leave, old, value, place, span(e))?;
        stmts.push(Self::effect(assign(lvalue, new.e, place)));
        Ok(Val {
            e: expr(ExprKind::Statement(stmts), crate::rust::unit::void(), place),
            ty: Ty::Unit,
        })
    }

    pub(super) fn assignment(&mut self, e: &'a syn::ExprAssign) -> Res<Val> {
        let place = at(e);
        if let Expr::Infer(_) = &*e.left {
            let mut stmts = Vec::new();
            self.ignored(&e.right, &mut stmts)?;
            return Ok(Val {
                e: sequence(stmts, super::build::unit(place)),
                ty: Ty::Unit,
            });
        }
        // How `loom` searches makes no difference here.
        if let Expr::Field(field) = &*e.left
            && self.is_model(&field.base)
        {
            return Ok(Val {
                e: super::build::unit(place),
                ty: Ty::Unit,
            });
        }
        if let Expr::Tuple(left) = &*e.left {
            return self.assign_parts(left, e, place);
        }
        let into = self.written_at(|body| body.place(&e.left))?;
        let value = self.expr_as(&e.right, &into.ty)?;
        self.one_closure(&into.ty, span(e))?;
        if self.needs_drop(&into.ty) {
            return self.assign_dropped(into, value, place, &span(e));
        }
        let mut stmts = Vec::new();
        let e = if value.e.ty.is_void() {
            value.e
        } else if let Ty::Atomic(_) = self.infer.shallow(&into.ty) {
            return self.error("assign to an atomic by `store`", span(e));
        } else {
            // The value comes first.
            let value = if changes_at(&into.lvalue) {
                self.hold(value.e, &value.ty, &mut stmts)
            } else {
                value.e
            };
            assign(into.lvalue, value, place)
        };
        stmts.push(Self::effect(e));
        let e = sequence(stmts, super::build::unit(place));
        Ok(Val { e, ty: Ty::Unit })
    }

    /// `(a, b) = …`: the value comes first, then the places from left to right.
    fn assign_parts(
        &mut self,
        left: &'a syn::ExprTuple,
        e: &'a syn::ExprAssign,
        place: Place,
    ) -> Res<Val> {
        let mut stmts = Vec::new();
        let value = self.expr(&e.right, None)?;
        let of = span(e);
        let count = match self.infer.shallow(&value.ty) {
            Ty::Tuple(types) => types.len(),
            _ => 0,
        };
        if self.needs_drop(&value.ty) || count != left.elems.len() {
            return self.refuse(
                "an assignment to a tuple of such values is not supported",
                of,
                "assign to each part",
            );
        }
        let whole = self.spill(value, &mut stmts);
        for (number, one) in left.elems.iter().enumerate() {
            if let Expr::Infer(_) = one {
                continue;
            }
            if !self.is_place(one) {
                return self.refuse(
                    "an assignment to a pattern of this kind is not supported",
                    span(one),
                    "assign to each part",
                );
            }
            let part = self.part(&whole, &number.to_string(), place)?;
            let into = self.written_at(|body| body.place(one))?;
            self.unify(&into.ty, &part.ty, span(one))?;
            if !part.lvalue.ty.is_void() {
                let value = load(part.lvalue, place);
                stmts.push(Self::effect(assign(into.lvalue, value, place)));
            }
        }
        Ok(Val {
            e: sequence(stmts, super::build::unit(place)),
            ty: Ty::Unit,
        })
    }

    /// An assignment that drops what was there, after the value was evaluated.
    pub(super) fn assign_dropped(
        &mut self,
        into: Pl,
        value: Val,
        place: Place,
        span: &Span,
    ) -> Res<Val> {
        let mut stmts = Vec::new();
        let value = self.hold(value.e, &into.ty, &mut stmts);
        let tree = self.tree_at(&into.lvalue);
        let into = self.steady(into, false, &mut stmts, place);
        let inside = implied(place);
        match &tree {
            Some(tree) => self.drop_tree(tree, &into, (inside, span), &mut stmts)?,
            // What no flag is about has a value, as the compiler has checked.
            None => self.drop_place(&into, inside, span, &mut stmts)?,
        }
        if value.ty.is_void() {
            stmts.push(Self::effect(value));
        } else {
            stmts.push(Self::effect(assign(into.lvalue, value, place)));
        }
        for flag in tree.iter().flat_map(super::moves::Tree::flags) {
            stmts.push(Self::effect(Self::set_flag(flag, true, place)));
        }
        Ok(Val {
            e: sequence(stmts, super::build::unit(place)),
            ty: Ty::Unit,
        })
    }
}
