//! Vectors of handles of threads.

use super::build::{constant, load, sequence, unit};
use super::method::Method;
use super::{Body, Pl, Val};
use crate::lower::typed::{self, BinaryOp};
use crate::rust::source::{implied, span};
use crate::rust::types::{Ty, USIZE};
use crate::rust::unit::Res;
use crate::text::{Place, Span};

impl<'a> Body<'_, 'a> {
    pub(super) fn no_handles(&mut self, want: Option<&Ty>, of: Span, place: Place) -> Val {
        let of = match want.map(|ty| self.infer.shallow(ty)) {
            Some(Ty::Handles(of)) => *of,
            _ => self.infer.fresh(of.start, false),
        };
        let ty = Ty::Handles(Box::new(of));
        let (id, pl) = self.temporary(&ty, place);
        let kind = typed::StmtKind::Declare(id, Vec::new(), typed::Initialised::Yes);
        let set = super::build::stmt(kind, implied(place));
        Val {
            e: sequence(vec![set], load(pl.lvalue, place)),
            ty,
        }
    }

    pub(super) fn handles_method(
        &mut self,
        pl: &Pl,
        result: &Ty,
        of: &Method<'_, 'a>,
    ) -> Res<Option<Val>> {
        let place = of.place;
        match (of.name, of.arguments.len()) {
            ("push", 1) => {
                let handle = Ty::Handle(Box::new(result.clone()));
                let value = self.expr(&of.arguments[0], Some(&handle))?;
                let value = self.coerce(value, &handle, span(&of.arguments[0]))?;
                let stmts = self.push_handle(&pl.lvalue.clone(), value.e, place);
                Ok(Some(Val {
                    e: sequence(stmts, unit(place)),
                    ty: Ty::Unit,
                }))
            }
            ("len", 0) => {
                let length = self.member_type(&pl.lvalue.ty, 0);
                let length = super::build::member(pl.lvalue.clone(), 0, length, place);
                Ok(Some(Val {
                    e: load(length, place),
                    ty: USIZE,
                }))
            }
            _ => Ok(None),
        }
    }

    /// Puts a handle at the end of a vector.
    pub(super) fn push_handle(
        &mut self,
        handles: &typed::Lvalue,
        value: typed::Expr,
        place: Place,
    ) -> Vec<typed::Stmt> {
        let (length_ty, all_ty) = (
            self.member_type(&handles.ty, 0),
            self.member_type(&handles.ty, 1),
        );
        let length = super::build::member(handles.clone(), 0, length_ty.clone(), place);
        let all = super::build::member(handles.clone(), 1, all_ty, place);
        let number = load(length.clone(), place);
        let index = super::build::cast(number.clone(), super::build::long());
        let one = super::build::element(all, index, value.ty.clone(), place);
        let next = constant(1, length_ty.clone(), place);
        let next = super::build::binary(BinaryOp::Add, number, next, length_ty, place);
        vec![
            Self::effect(super::build::assign(one, value, place)),
            Self::effect(super::build::assign(length, next, place)),
        ]
    }
}
