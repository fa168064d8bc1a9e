//! Comparisons, of all parts where there are several.

use super::build::{and, compare, load, not, or, sequence, truth};
use super::call::Operand;
use super::lookup::{Given, Whose};
use super::{Body, Pl, Val};
use crate::lower::typed::{self, BinaryOp};
use crate::rust::types::{Ptr, Ty};
use crate::rust::unit::Res;
use crate::text::{Place, Span};

impl Body<'_, '_> {
    /// A comparison, of all parts if there are several.
    pub(super) fn compared(
        &mut self,
        op: BinaryOp,
        a: Val,
        b: Val,
        place: Place,
        of: Span,
    ) -> Res<Val> {
        let (mut a, mut b) = (a, b);
        // References are compared by what they refer to.
        while let (Ty::Ptr(Ptr::Ref, _), Ty::Ptr(Ptr::Ref, _)) =
            (self.infer.shallow(&a.ty), self.infer.shallow(&b.ty))
        {
            a = self.through(a);
            b = self.through(b);
        }
        if let Some(value) = self.compared_elements(op, &a, &b, (place, &of))? {
            return Ok(value);
        }
        if let Some(value) = self.compared_by(op, &a, &b, place)? {
            return Ok(value);
        }
        self.unify(&a.ty, &b.ty, of.clone())?;
        let ty = self.infer.settled(&a.ty);
        if self.is_scalar(&ty) {
            let e = compare(op, a.e, b.e, place);
            return Ok(Val { e, ty: Ty::Bool });
        }
        let mut stmts = Vec::new();
        let (a, b) = (self.spill(a, &mut stmts), self.spill(b, &mut stmts));
        let e = match op {
            BinaryOp::Eq => self.equal(&a, &b, place, &of)?,
            BinaryOp::Lt => self.less(&a, &b, place, &of)?,
            BinaryOp::Gt => self.less(&b, &a, place, &of)?,
            // Each two values have an order.
            BinaryOp::Le => not(self.less(&b, &a, place, &of)?),
            BinaryOp::Ge => not(self.less(&a, &b, place, &of)?),
            _ => self.unequal(&a, &b, place, &of)?,
        };
        Ok(Val {
            e: sequence(stmts, e),
            ty: Ty::Bool,
        })
    }

    /// A comparison that the text defines, if it does.
    fn compared_by(&mut self, op: BinaryOp, a: &Val, b: &Val, place: Place) -> Res<Option<Val>> {
        let ty = self.infer.settled(&a.ty);
        if !matches!(ty, Ty::Adt(..)) {
            return Ok(None);
        }
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return self.ordered_by(op, a, b, place);
        }
        let given = Given {
            arguments: vec![Ty::pointer(Ptr::Ref, b.ty.clone())],
            result: None,
        };
        let whose = Whose::Known("PartialEq");
        let own_ne = match op {
            BinaryOp::Ne => self.function_for(&ty, "ne", whose, &given),
            _ => None,
        };
        let negated = op == BinaryOp::Ne && own_ne.is_none();
        let found = match own_ne {
            Some(found) => Some(found),
            None => self.function_for(&ty, "eq", whose, &given),
        };
        let Some((def, context)) = found else {
            return Ok(None);
        };
        let mut stmts = Vec::new();
        let mut borrowed = |body: &mut Self, value: &Val| {
            let pl = body.spill(value.clone(), &mut stmts);
            Val {
                e: body.address_of(pl.lvalue, place),
                ty: Ty::pointer(Ptr::Ref, pl.ty),
            }
        };
        let (own, other) = (borrowed(self, a), borrowed(self, b));
        let operands = vec![Operand::Made(other)];
        let value = self.call_function(def, context, Some(own.e), operands, None, place)?;
        let e = if negated { not(value.e) } else { value.e };
        let e = sequence(stmts, e);
        Ok(Some(Val { e, ty: Ty::Bool }))
    }

    /// Whether the text defines when values of a type are equal to each other.
    fn equals_itself(&mut self, ty: &Ty) -> bool {
        let given = Given {
            arguments: vec![Ty::pointer(Ptr::Ref, ty.clone())],
            result: None,
        };
        let whose = Whose::Known("PartialEq");
        matches!(ty, Ty::Adt(..)) && self.function_for(ty, "eq", whose, &given).is_some()
    }

    /// Whether what is in two places is not equal. Tuples ask their parts that; what is derived asks whether they are equal.
    fn unequal(&mut self, a: &Pl, b: &Pl, place: Place, of: &Span) -> Res<typed::Expr> {
        let ty = self.infer.settled(&a.ty);
        match &ty {
            Ty::Tuple(_) => {
                let mut any = truth(false, place);
                for (name, _) in self.t.parts(&ty) {
                    let (x, y) = (self.part(a, &name, place)?, self.part(b, &name, place)?);
                    any = or(any, self.unequal(&x, &y, place, of)?);
                }
                Ok(any)
            }
            Ty::Ptr(Ptr::Box, content) if !matches!(**content, Ty::Dyn(_)) => {
                match (self.deref_once(a, place)?, self.deref_once(b, place)?) {
                    (Some(a), Some(b)) => {
                        self.in_box(content, of, |body| body.unequal(&a, &b, place, of))
                    }
                    _ => Ok(not(self.equal(a, b, place, of)?)),
                }
            }
            Ty::Adt(..) | Ty::Ptr(Ptr::Ref, _) if !self.is_scalar(&ty) => {
                let value = |pl: &Pl| Val {
                    e: load(pl.lvalue.clone(), place),
                    ty: ty.clone(),
                };
                let (a_value, b_value) = (value(a), value(b));
                if matches!(ty, Ty::Ptr(..)) {
                    let ne = BinaryOp::Ne;
                    return Ok(self.compared(ne, a_value, b_value, place, of.clone())?.e);
                }
                match self.compared_by(BinaryOp::Ne, &a_value, &b_value, place)? {
                    Some(value) => Ok(value.e),
                    None => Ok(not(self.equal(a, b, place, of)?)),
                }
            }
            _ => Ok(not(self.equal(a, b, place, of)?)),
        }
    }

    /// Whether what is in two places is equal.
    fn equal(&mut self, a: &Pl, b: &Pl, place: Place, of: &Span) -> Res<typed::Expr> {
        let ty = self.infer.settled(&a.ty);
        if ty == Ty::Unit || ty == Ty::Failure {
            return Ok(truth(true, place));
        }
        let value = |pl: &Pl| Val {
            e: load(pl.lvalue.clone(), place),
            ty: ty.clone(),
        };
        if self.is_scalar(&ty) || self.equals_itself(&ty) {
            let (a, b) = (value(a), value(b));
            return Ok(self.compared(BinaryOp::Eq, a, b, place, of.clone())?.e);
        }
        if let Some(same) = self.same_elements(a, b, (place, of))? {
            return Ok(same);
        }
        match &ty {
            Ty::Adt(..) | Ty::Tuple(_) => {}
            Ty::Ptr(Ptr::Box, content) if !matches!(**content, Ty::Dyn(_)) => {
                if let (Some(a), Some(b)) = (self.deref_once(a, place)?, self.deref_once(b, place)?)
                {
                    return self.in_box(content, of, |body| body.equal(&a, &b, place, of));
                }
                return self.error("these values cannot be compared", of.clone());
            }
            Ty::Ptr(Ptr::Ref, _) => {
                let (a, b) = (value(a), value(b));
                return Ok(self.compared(BinaryOp::Eq, a, b, place, of.clone())?.e);
            }
            _ => {
                let shown = self.t.shown(&ty);
                let note = match ty {
                    Ty::Text => "what a text says is not known: compare what it is made of",
                    _ => "compare their parts, or implement `PartialEq`",
                };
                return self.refuse(
                    format!("values of type `{shown}` cannot be compared"),
                    of.clone(),
                    note,
                );
            }
        }
        let mut all = truth(true, place);
        for (name, _) in self.t.compared_parts(&ty) {
            let (x, y) = (self.part(a, &name, place)?, self.part(b, &name, place)?);
            let same = self.equal(&x, &y, place, of)?;
            // The fields of a variant count if it is that one.
            let counts = self.holds(&ty, a, &name, place)?;
            all = match counts {
                Some(counts) => and(all, or(not(counts), same)),
                None => and(all, same),
            };
        }
        Ok(all)
    }

    /// Whether values are compared as one number.
    pub(super) fn is_scalar(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Bool
            | Ty::Char
            | Ty::Int { .. }
            | Ty::Ordering
            | Ty::Ptr(Ptr::Raw | Ptr::NonNull, _) => true,
            Ty::Adt(id, _) => self.t.names.adts[*id].is_number(),
            _ => false,
        }
    }

    /// Whether what is in one place is less than what is in another: the first parts that differ count, and
    /// nothing is less than something.
    fn less(&mut self, a: &Pl, b: &Pl, place: Place, of: &Span) -> Res<typed::Expr> {
        let ty = self.infer.settled(&a.ty);
        if self.is_scalar(&ty) {
            let (a, b) = (load(a.lvalue.clone(), place), load(b.lvalue.clone(), place));
            return Ok(compare(BinaryOp::Lt, a, b, place));
        }
        let is_ordered = match &ty {
            Ty::Unit | Ty::Tuple(_) => true,
            Ty::Adt(id, _) => self.derives(*id, "PartialOrd"),
            _ => false,
        };
        if !is_ordered {
            let shown = self.t.shown(&ty);
            let message = format!("values of type `{shown}` have no order here");
            return self.error(message, of.clone());
        }
        let mut less = truth(false, place);
        for (name, _) in self.t.parts(&ty).into_iter().rev() {
            let (x, y) = (self.part(a, &name, place)?, self.part(b, &name, place)?);
            let (first, same) = (
                self.less(&x, &y, place, of)?,
                self.equal(&x, &y, place, of)?,
            );
            // The fields of a variant count if both are that one, and the tags come first.
            less = match self.holds(&ty, a, &name, place)? {
                Some(holds) => {
                    let here = or(first, and(same, less.clone()));
                    or(and(holds.clone(), here), and(not(holds), less))
                }
                None => or(first, and(same, less)),
            };
        }
        Ok(less)
    }
}
