//! Slices and vectors of data: what is borrowed as a slice, indexed, and made by `vec!`.
//!
//! Both are structures of the library. What the language itself does with them is here: a reference to an array or to a `Vec`
//! becomes a slice where one is wanted or a method of slices is called.

use super::build::{address, constant, declare, deref, element, load, long, not, sequence, stmt};
use super::call::Operand;
use super::control::without_brackets;
use super::lookup::Whose;
use super::scope::Scope;
use super::{Body, Pl, Val};
use crate::lower::typed::{self, BinaryOp, Initialised, LocalId, LvalueKind, Stmt, StmtKind};
use crate::rust::source::{implied, span};
use crate::rust::types::{Ptr, Ty, USIZE};
use crate::rust::unit::Res;
use crate::text::{Place, Span};
use syn::Expr;

/// The local variable that a place is.
pub(super) fn pl_local(pl: &Pl) -> LocalId {
    match pl.lvalue.kind {
        LvalueKind::Local(id) => id,
        _ => LocalId(0),
    }
}

/// Whether a method of slices borrows them mutably.
pub(super) fn changes(name: &str) -> bool {
    let starts = ["sort", "rotate", "fill", "swap", "reverse"];
    starts.iter().any(|start| name.starts_with(start))
        || name.ends_with("_mut")
        || name.ends_with("_from_slice")
}

impl<'a> Body<'_, 'a> {
    /// Whether it is a slice, or a `Vec` or `VecDeque` of data.
    pub(super) fn is_sliced(&self, ty: &Ty) -> bool {
        let lang = self.t.names.lang;
        let sliced = [lang.slice, lang.vec, lang.deque];
        matches!(self.infer.shallow(ty), Ty::Adt(id, _) if sliced.contains(&id))
    }

    /// Whether it is a collection whose elements end without an effect, so that nothing but its block has an end.
    pub(super) fn is_vector(&mut self, ty: &Ty) -> bool {
        let lang = self.t.names.lang;
        match ty {
            Ty::Adt(id, arguments) if [lang.vec, lang.deque, lang.vec_iter].contains(id) => {
                !self.needs_drop(&arguments[0])
            }
            _ => false,
        }
    }

    /// An array or a `Vec` in a place, as a slice.
    pub(super) fn slice_at(&mut self, pl: &Pl, place: Place) -> Res<Option<Val>> {
        match self.infer.shallow(&pl.ty) {
            Ty::Array(inner, count) => {
                let typed = self.typed(&inner);
                self.address_of(pl.lvalue.clone(), place);
                let first = element(pl.lvalue.clone(), constant(0, long(), place), typed, place);
                let length = self.typed(&USIZE);
                let parts = vec![
                    ("start", address(first, place)),
                    ("length", constant(i64::from(count), length, place)),
                ];
                let ty = Ty::Adt(self.t.names.lang.slice, vec![*inner]);
                Ok(Some(self.record(ty, parts, Vec::new(), place)))
            }
            Ty::Adt(id, _) if id == self.t.names.lang.vec => {
                let own = Val {
                    e: self.address_of(pl.lvalue.clone(), place),
                    ty: Ty::pointer(Ptr::Ref, pl.ty.clone()),
                };
                let ty = pl.ty.clone();
                self.called(&ty, "as_slice", vec![own], place).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Calls a function of the library that a type has.
    pub(super) fn called(
        &mut self,
        ty: &Ty,
        name: &str,
        arguments: Vec<Val>,
        place: Place,
    ) -> Res<Val> {
        let of = place.start as usize..place.end as usize;
        // It may be private to the library.
        let module = match self.infer.shallow(ty) {
            Ty::Adt(id, _) => Some(self.t.names.adts[id].module),
            _ => None,
        };
        self.scopes.push(Scope {
            module,
            ..Scope::default()
        });
        let found = self.function_in(ty, name, Whose::Any);
        self.scopes.pop();
        let Some((def, mut context)) = found else {
            let ty = self.t.shown(&self.infer.deep(ty));
            return self.error(format!("`{ty}` has no function `{name}`"), of);
        };
        let parameters = self.generics_of(def.sig, of.end);
        context.subst.extend(parameters);
        let operands = arguments.into_iter().map(Operand::Made).collect();
        self.call_function(def, context, None, operands, None, place)
    }

    /// A reference where a slice is wanted.
    pub(super) fn as_slice(&mut self, value: Val, wanted: &Ty, of: &Span) -> Res<Val> {
        let place = value.e.place;
        let found = value.ty.clone();
        let Ty::Ptr(_, to) = self.infer.shallow(&value.ty) else {
            return Ok(value);
        };
        let pl = Pl {
            lvalue: deref(value.e, place),
            ty: *to,
        };
        let lang = self.t.names.lang;
        let found_at = self.deref_until(pl, place, |body, pl| {
            let ty = body.infer.shallow(&pl.ty);
            matches!(ty, Ty::Array(..)) || body.is_sliced(&ty)
        })?;
        let slice = match found_at {
            Some(pl) => match self.slice_at(&pl, place)? {
                Some(slice) => slice,
                None => Val {
                    e: load(pl.lvalue, place),
                    ty: pl.ty,
                },
            },
            None => {
                let slice = Ty::Adt(lang.slice, vec![wanted.clone()]);
                return Err(self.mismatch(&slice, &found, of.clone()));
            }
        };
        let want = Ty::Adt(lang.slice, vec![wanted.clone()]);
        self.unify(&want, &slice.ty, of.clone())?;
        Ok(slice)
    }

    /// Whether the elements of slices, arrays or vectors are equal or not; `None` if these are others.
    pub(super) fn compared_elements(
        &mut self,
        op: BinaryOp,
        a: &Val,
        b: &Val,
        (place, of): (Place, &Span),
    ) -> Res<Option<Val>> {
        let is_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        if !is_equality || !self.has_elements(&a.ty) || !self.has_elements(&b.ty) {
            return Ok(None);
        }
        let mut stmts = Vec::new();
        let a = self.spill(a.clone(), &mut stmts);
        let b = self.spill(b.clone(), &mut stmts);
        let Some(same) = self.same_elements(&a, &b, (place, of))? else {
            return Ok(None);
        };
        let e = match op {
            BinaryOp::Eq => same,
            _ => not(same),
        };
        Ok(Some(Val {
            e: sequence(stmts, e),
            ty: Ty::Bool,
        }))
    }

    /// Whether the elements in two places are equal; `None` if these are no slices, arrays or vectors.
    pub(super) fn same_elements(
        &mut self,
        a: &Pl,
        b: &Pl,
        (place, of): (Place, &Span),
    ) -> Res<Option<typed::Expr>> {
        if !self.has_elements(&a.ty) || !self.has_elements(&b.ty) {
            return Ok(None);
        }
        let (a, b) = (self.elements(a, place)?, self.elements(b, place)?);
        self.unify(&a.ty, &b.ty, of.clone())?;
        let ty = a.ty.clone();
        let same = self.called(&ty, "same", vec![a, b], place)?;
        Ok(Some(same.e))
    }

    /// The type of what a value is compared with, if that is its own.
    pub(super) fn wanted_beside<'t>(&self, ty: &'t Ty) -> Option<&'t Ty> {
        let is_array = matches!(self.infer.shallow(ty), Ty::Array(..));
        (is_array || !self.has_elements(ty)).then_some(ty)
    }

    /// Whether it is a slice, an array or a `Vec`, or refers to one.
    fn has_elements(&self, ty: &Ty) -> bool {
        let lang = self.t.names.lang;
        match self.infer.shallow(ty) {
            Ty::Array(..) => true,
            Ty::Adt(id, _) => [lang.slice, lang.vec].contains(&id),
            Ty::Ptr(Ptr::Ref, to) => self.has_elements(&to),
            _ => false,
        }
    }

    /// Those as a slice.
    fn elements(&mut self, pl: &Pl, place: Place) -> Res<Val> {
        let mut pl = pl.clone();
        while let Ty::Ptr(Ptr::Ref, _) = self.infer.shallow(&pl.ty)
            && let Some(to) = self.deref_once(&pl, place)?
        {
            pl = to;
        }
        self.slice_in(&pl, place)
    }

    /// The slice that a place is or holds.
    fn slice_in(&mut self, base: &Pl, place: Place) -> Res<Val> {
        Ok(match self.slice_at(base, place)? {
            Some(slice) => slice,
            None => Val {
                e: load(base.lvalue.clone(), place),
                ty: base.ty.clone(),
            },
        })
    }

    /// `v[i]` of a slice or a `Vec`.
    pub(super) fn indexed_slice(
        &mut self,
        base: &Pl,
        of: &'a syn::ExprIndex,
        place: Place,
    ) -> Res<Pl> {
        let index = self.expr_as(&of.index, &USIZE)?;
        let base = self.steady_base(base.clone(), &index.e, place);
        let is_deque =
            matches!(self.infer.shallow(&base.ty), Ty::Adt(id, _) if id == self.t.names.lang.deque);
        let slice = if is_deque {
            Val {
                e: self.address_of(base.lvalue.clone(), place),
                ty: Ty::pointer(Ptr::Ref, base.ty.clone()),
            }
        } else {
            self.slice_in(&base, place)?
        };
        let ty = if is_deque { base.ty } else { slice.ty.clone() };
        let one = self.called(&ty, "at", vec![slice, index], place)?;
        let Ty::Ptr(_, to) = self.infer.shallow(&one.ty) else {
            return self.error("what is indexed here is not an array", span(of));
        };
        let mut lvalue = deref(one.e, place);
        let typed = self.typed(&to);
        if lvalue.ty.kind != typed.kind || lvalue.ty.atomic != typed.atomic {
            lvalue.ty = typed;
        }
        Ok(Pl { lvalue, ty: *to })
    }

    /// `&a[1..3]`
    pub(super) fn part_of_slice(&mut self, e: &'a Expr, place: Place) -> Res<Option<Val>> {
        let Expr::Index(of) = without_brackets(e) else {
            return Ok(None);
        };
        let Expr::Range(range) = without_brackets(&of.index) else {
            return Ok(None);
        };
        let base = self.place(&of.expr)?;
        let found = self.deref_until(base, place, |body, pl| {
            let ty = body.infer.shallow(&pl.ty);
            matches!(ty, Ty::Array(..)) || body.is_sliced(&ty)
        })?;
        let Some(base) = found else {
            return self.error("what is indexed here is not an array", span(&of.expr));
        };
        let mut stmts = Vec::new();
        let slice = self.slice_in(&base, place)?;
        let ty = slice.ty.clone();
        let slice = self.spill(slice, &mut stmts);
        let number = self.typed(&USIZE);
        let value = |e| Val { e, ty: USIZE };
        let from = match &range.start {
            Some(from) => self.expr_as(from, &USIZE)?,
            None => value(constant(0, number.clone(), place)),
        };
        let from = value(self.hold(from.e, &USIZE, &mut stmts));
        let closed = matches!(range.limits, syn::RangeLimits::Closed(_));
        let to = match &range.end {
            Some(to) if closed => {
                let to = self.expr_as(to, &USIZE)?;
                let one = constant(1, number.clone(), place);
                value(super::build::binary(
                    BinaryOp::Add,
                    to.e,
                    one,
                    number,
                    place,
                ))
            }
            Some(to) => self.expr_as(to, &USIZE)?,
            None => {
                let length = self.part(&slice, "length", place)?;
                value(load(length.lvalue, place))
            }
        };
        let to = value(self.hold(to.e, &USIZE, &mut stmts));
        let whole = Val {
            e: load(slice.lvalue, place),
            ty: slice.ty,
        };
        let part = self.called(&ty, "between", vec![whole, from, to], place)?;
        Ok(Some(Val {
            e: sequence(stmts, part.e),
            ty: part.ty,
        }))
    }

    // Vectors.

    /// The type of what `Vec::new` makes, if that holds handles of threads.
    pub(super) fn handles_made(&mut self, own: &Ty, name: &str, want: Option<&Ty>) -> Option<Ty> {
        if !["new", "with_capacity"].contains(&name) {
            return None;
        }
        let is_vec = match self.infer.shallow(own) {
            Ty::Handles(_) => return Some(own.clone()),
            Ty::Adt(id, _) => id == self.t.names.lang.vec,
            _ => false,
        };
        let want = want.map(|ty| self.infer.shallow(ty));
        want.filter(|want| is_vec && matches!(want, Ty::Handles(_)))
    }

    /// The elements that are wanted of a `Vec`.
    fn element_wanted(&mut self, want: Option<&Ty>, start: usize) -> Ty {
        match want.map(|ty| self.infer.shallow(ty)) {
            Some(Ty::Adt(id, arguments)) if id == self.t.names.lang.vec => arguments[0].clone(),
            _ => self.infer.fresh(start, false),
        }
    }

    /// `vec![a, b, c]`
    pub(super) fn vector(
        &mut self,
        list: &'a [Expr],
        want: Option<&Ty>,
        (place, of): (Place, Span),
    ) -> Res<Val> {
        if let Some(Ty::Handles(result)) = want.map(|ty| self.infer.shallow(ty)) {
            return self.vector_of_handles(list, *result, place);
        }
        let element_ty = self.element_wanted(want, of.start);
        let mut stmts: Vec<Stmt> = Vec::new();
        if let Ty::Handle(result) = self.infer.shallow(&element_ty) {
            return self.vector_of_handles(list, *result, place);
        }
        let ty = Ty::Adt(self.t.names.lang.vec, vec![element_ty.clone()]);
        let made = self.called(&ty, "new", Vec::new(), place)?;
        self.unify(&ty, &made.ty, of)?;
        let (id, pl) = self.temporary(&ty, place);
        stmts.push(declare(id, vec![(Vec::new(), made.e)], implied(place)));
        let pending = self.pending.len();
        for e in list {
            let value = self.expr_as(e, &element_ty)?;
            self.pend(&element_ty);
            self.one_closure(&element_ty, span(e))?;
            let own = Val {
                e: self.address_of(pl.lvalue.clone(), place),
                ty: Ty::pointer(Ptr::Ref, ty.clone()),
            };
            let e = self.hold(value.e, &element_ty, &mut stmts);
            let value = Val {
                e,
                ty: element_ty.clone(),
            };
            let pushed = self.called(&ty, "push", vec![own, value], place)?;
            stmts.push(Self::effect(pushed.e));
        }
        self.pending.truncate(pending);
        Ok(Val {
            e: sequence(stmts, load(pl.lvalue, place)),
            ty,
        })
    }

    /// `vec![a, b]` of handles of threads with this result.
    fn vector_of_handles(&mut self, list: &'a [Expr], result: Ty, place: Place) -> Res<Val> {
        let handle = Ty::Handle(Box::new(result.clone()));
        let all = Ty::Handles(Box::new(result));
        let (id, pl) = self.temporary(&all, place);
        let kind = StmtKind::Declare(id, Vec::new(), Initialised::Yes);
        let mut stmts = vec![stmt(kind, implied(place))];
        for e in list {
            let value = self.expr_as(e, &handle)?;
            let value = self.hold(value.e, &handle, &mut stmts);
            let pushed = self.push_handle(&pl.lvalue, value, place);
            stmts.extend(pushed);
        }
        Ok(Val {
            e: sequence(stmts, load(pl.lvalue, place)),
            ty: all,
        })
    }

    /// `vec![e; n]`
    pub(super) fn repeated(
        &mut self,
        value: &'a Expr,
        length: &'a Expr,
        want: Option<&Ty>,
        (place, of): (Place, Span),
    ) -> Res<Val> {
        let element_ty = self.element_wanted(want, of.start);
        let ty = Ty::Adt(self.t.names.lang.vec, vec![element_ty.clone()]);
        let mut stmts = Vec::new();
        let value = self.expr_as(value, &element_ty)?;
        self.one_closure(&element_ty, of.clone())?;
        let value = Val {
            e: self.hold(value.e, &element_ty, &mut stmts),
            ty: element_ty,
        };
        let pending = self.pending.len();
        self.pend(&value.ty);
        let length = self.expr_as(length, &USIZE)?;
        self.pending.truncate(pending);
        let made = self.called(&ty, "filled", vec![value, length], place)?;
        self.unify(&ty, &made.ty, of)?;
        Ok(Val {
            e: sequence(stmts, made.e),
            ty: made.ty,
        })
    }
}
