//! New objects.

use super::build::{assign, declare, expr, load, sequence};
use super::{Body, Val};
use crate::lower::typed::{self, ExprKind, Path, Stmt};
use crate::rust::source::implied;
use crate::rust::types::{Ptr, Ty};
use crate::rust::unit::Res;
use crate::text::Place;
use syn::Expr;

impl<'a> Body<'_, 'a> {
    /// A new object with this value.
    pub(super) fn allocate(
        &mut self,
        kind: Ptr,
        inner: &'a Expr,
        ty: Ty,
        place: Place,
    ) -> Res<Val> {
        let name = self.names_thread.take();
        let mut stmts = Vec::new();
        let values = self.values_of(inner, &ty, &mut stmts)?;
        // Values come before the object.
        let mut held = Vec::new();
        for (path, value) in values {
            held.push((path, self.hold_typed(value, &mut stmts)));
        }
        self.allocated(kind, ty, (name, held), stmts, place)
    }

    /// A `Box` with this value.
    pub(super) fn boxed(&mut self, value: Val, place: Place) -> Res<Val> {
        let (mut stmts, mut held) = (Vec::new(), Vec::new());
        if value.e.ty.is_void() {
            stmts.push(Self::effect(value.e));
        } else {
            held.push((Path::new(), self.hold_typed(value.e, &mut stmts)));
        }
        self.allocated(Ptr::Box, value.ty, (None, held), stmts, place)
    }

    /// A new object, whose parts get these values, after these statements.
    pub(super) fn allocated(
        &mut self,
        kind: Ptr,
        ty: Ty,
        (name, held): (Option<String>, Vec<(Path, typed::Expr)>),
        mut stmts: Vec<Stmt>,
        place: Place,
    ) -> Res<Val> {
        let pointer = Ty::pointer(kind, ty.clone());
        let typed = self.typed(&pointer);
        let name = match (name, self.infer.settled(&ty)) {
            (Some(name), _) => name,
            (None, Ty::Adt(id, _)) => self.t.names.adts[id].name().to_string(),
            (None, _) => "heap".to_owned(),
        };
        let new = expr(ExprKind::New(name), typed, place);
        let (id, pl) = self.temporary(&pointer, place);
        stmts.push(declare(id, vec![(Vec::new(), new)], implied(place)));
        if matches!(kind, Ptr::Arc | Ptr::Rc) && self.needs_drop(&ty) {
            self.count(&ty);
        }
        let own = load(pl.lvalue.clone(), place);
        let counted = self.first_count((kind, &ty), &own, &mut stmts, place)?;
        let pointee = counted.unwrap_or_else(|| super::build::deref(own, place));
        for (path, value) in held {
            let lvalue = self.follow(pointee.clone(), &path, place);
            stmts.push(Self::effect(assign(lvalue, value, place)));
        }
        Ok(Val {
            e: sequence(stmts, load(pl.lvalue, place)),
            ty: pointer,
        })
    }
}
