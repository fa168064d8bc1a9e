//! Comparisons, of all parts where there are several.

use super::build::{and, compare, load, not, or, sequence, truth};
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
        self.unify(&a.ty, &b.ty, of.clone())?;
        let ty = self.infer.settled(&a.ty);
        self.derived(&ty, &of)?;
        if is_scalar(&ty) {
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
            _ => not(self.equal(&a, &b, place, &of)?),
        };
        Ok(Val {
            e: sequence(stmts, e),
            ty: Ty::Bool,
        })
    }

    /// Refuses a comparison that the text defines.
    fn derived(&mut self, ty: &Ty, of: &Span) -> Res<()> {
        let own = ["PartialEq", "PartialOrd", "Ord"];
        if matches!(ty, Ty::Adt(..) | Ty::Enum(_))
            && own.iter().any(|name| self.implements(ty, name))
        {
            return self.refuse(
                "a comparison that is not derived is not supported",
                of.clone(),
                "call a method with a name of its own",
            );
        }
        Ok(())
    }

    /// Whether what is in two places is equal.
    fn equal(&mut self, a: &Pl, b: &Pl, place: Place, of: &Span) -> Res<typed::Expr> {
        let ty = self.infer.settled(&a.ty);
        self.derived(&ty, of)?;
        if is_scalar(&ty) {
            let (a, b) = (load(a.lvalue.clone(), place), load(b.lvalue.clone(), place));
            return Ok(compare(BinaryOp::Eq, a, b, place));
        }
        match &ty {
            Ty::Unit => Ok(truth(true, place)),
            Ty::Tuple(_) | Ty::Adt(..) => {
                let mut all = truth(true, place);
                for (name, _) in self.t.parts(&ty) {
                    let (a, b) = (self.part(a, &name, place)?, self.part(b, &name, place)?);
                    all = and(all, self.equal(&a, &b, place, of)?);
                }
                Ok(all)
            }
            Ty::Option(_) | Ty::Result(..) => {
                let parts = self.t.parts(&ty);
                let (x, y) = (
                    self.part(a, &parts[0].0, place)?,
                    self.part(b, &parts[0].0, place)?,
                );
                let tag = load(x.lvalue.clone(), place);
                let mut all = compare(BinaryOp::Eq, tag.clone(), load(y.lvalue, place), place);
                for (number, (name, _)) in parts.iter().enumerate().skip(1) {
                    let (x, y) = (self.part(a, name, place)?, self.part(b, name, place)?);
                    let same = self.equal(&x, &y, place, of)?;
                    let applies = if number == 1 {
                        tag.clone()
                    } else {
                        not(tag.clone())
                    };
                    all = and(all, or(not(applies), same));
                }
                Ok(all)
            }
            _ => {
                let shown = self.t.shown(&ty);
                self.error(
                    format!("values of type `{shown}` cannot be compared"),
                    of.clone(),
                )
            }
        }
    }

    /// Whether what is in one place is less than what is in another: the first parts that differ count, and
    /// nothing is less than something.
    fn less(&mut self, a: &Pl, b: &Pl, place: Place, of: &Span) -> Res<typed::Expr> {
        let ty = self.infer.settled(&a.ty);
        self.derived(&ty, of)?;
        if is_scalar(&ty) {
            let (a, b) = (load(a.lvalue.clone(), place), load(b.lvalue.clone(), place));
            return Ok(compare(BinaryOp::Lt, a, b, place));
        }
        let is_ordered = match &ty {
            Ty::Unit | Ty::Tuple(_) | Ty::Option(_) => true,
            Ty::Adt(id, _) => self.derives(*id, "PartialOrd"),
            _ => false,
        };
        if !is_ordered {
            let shown = self.t.shown(&ty);
            let message = format!("values of type `{shown}` have no order here");
            return self.error(message, of.clone());
        }
        let mut less = truth(false, place);
        for (number, (name, _)) in self.t.parts(&ty).into_iter().enumerate().rev() {
            let (x, y) = (self.part(a, &name, place)?, self.part(b, &name, place)?);
            let (first, same) = (
                self.less(&x, &y, place, of)?,
                self.equal(&x, &y, place, of)?,
            );
            // What is not there is not compared.
            let rest = match (&ty, number) {
                (Ty::Option(_), 0) => and(load(x.lvalue, place), less),
                _ => less,
            };
            less = or(first, and(same, rest));
        }
        Ok(less)
    }
}

/// Whether values are compared as one number.
fn is_scalar(ty: &Ty) -> bool {
    matches!(
        ty,
        Ty::Bool | Ty::Int { .. } | Ty::Enum(_) | Ty::Ordering | Ty::Ptr(Ptr::Raw, _)
    )
}
