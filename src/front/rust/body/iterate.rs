//! Ranges as values, and loops over the elements of arrays and over what `IntoIterator` makes an iterator of.

use super::build::{
    assign, binary, block, compare, constant, declare, load, local, sequence, stmt, truth,
};
use super::call::Operand;
use super::control::without_brackets;
use super::lookup::Whose;
use super::option::SOME;
use super::scope::{Extent, Scope};
use super::{Body, Pl, Val};
use crate::lower::typed::{self, BinaryOp, Initialised, Step, Stmt, StmtKind};
use crate::rust::source::{at, implied, span};
use crate::rust::types::{Ptr, Ty, USIZE};
use crate::rust::unit::{Res, payload};
use crate::text::Place;
use syn::Expr;

impl<'a> Body<'_, 'a> {
    /// `a..b` and its like.
    pub(super) fn range(
        &mut self,
        of: &'a syn::ExprRange,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let lang = self.t.names.lang;
        let closed = matches!(of.limits, syn::RangeLimits::Closed(_));
        let (id, ends) = match (&of.start, &of.end) {
            (Some(a), Some(b)) if closed => (lang.range_inclusive, vec![("start", a), ("end", b)]),
            (Some(a), Some(b)) => (lang.range, vec![("start", a), ("end", b)]),
            (Some(a), None) => (lang.range_from, vec![("start", a)]),
            (None, Some(b)) if closed => (lang.range_to_inclusive, vec![("end", b)]),
            (None, Some(b)) => (lang.range_to, vec![("end", b)]),
            (None, None) => {
                let ty = Ty::Adt(lang.range_full, Vec::new());
                return Ok(self.record(ty, Vec::new(), Vec::new(), place));
            }
        };
        let element = match want.map(|ty| self.infer.shallow(ty)) {
            Some(Ty::Adt(own, arguments)) if own == id => arguments[0].clone(),
            _ => self.infer.fresh(span(of).start, true),
        };
        let mut stmts = Vec::new();
        let mut parts = Vec::new();
        for (name, e) in ends {
            let value = self.expr_as(e, &element)?;
            let e = self.hold(value.e, &element, &mut stmts);
            parts.push((name, e));
        }
        if id == lang.range_inclusive {
            parts.push(("over", truth(false, place)));
        }
        let ty = Ty::Adt(id, vec![element]);
        Ok(self.record(ty, parts, stmts, place))
    }

    /// A structure with these fields.
    pub(super) fn record(
        &mut self,
        ty: Ty,
        parts: Vec<(&str, typed::Expr)>,
        mut stmts: Vec<Stmt>,
        place: Place,
    ) -> Val {
        let mut values = Vec::new();
        for (name, e) in parts {
            match self.member_number(&ty, name) {
                Some(member) => values.push((vec![Step::Member(member)], e)),
                None => stmts.push(Self::effect(e)),
            }
        }
        let (id, pl) = self.temporary(&ty, place);
        let kind = StmtKind::Declare(id, values, Initialised::Yes);
        stmts.push(stmt(kind, implied(place)));
        Val {
            e: sequence(stmts, load(pl.lvalue, place)),
            ty,
        }
    }

    /// `for x in a` and `for x in &a`, where `a` is an array or a `Vec` of handles.
    pub(super) fn for_each(
        &mut self,
        e: &'a syn::ExprForLoop,
        over: &'a Expr,
        stmts: Vec<Stmt>,
        place: Place,
    ) -> Res<(Vec<Stmt>, Option<String>)> {
        let here = implied(at(over));
        let is_mutable = matches!(over, Expr::Reference(over) if over.mutability.is_some());
        let (over, by_address) = match over {
            Expr::Reference(over) => (without_brackets(&over.expr), true),
            Expr::MethodCall(call) if call.method == "iter" && call.args.is_empty() => {
                (&*call.receiver, true)
            }
            Expr::MethodCall(call) if call.method == "into_iter" && call.args.is_empty() => {
                let moves = self.edition().moves_out_of_arrays();
                (&*call.receiver, !moves)
            }
            over => (over, false),
        };
        if !by_address && !self.is_place(over) {
            let value = self.expr(over, None)?;
            let value_ty = self.infer.shallow(&value.ty);
            if !matches!(value_ty, Ty::Array(..) | Ty::Handles(_) | Ty::Ptr(..)) {
                return self.for_iterator(e, value, place);
            }
            let pl = self.keep(value, &span(over))?;
            return self.for_elements(e, pl, by_address, span(over), stmts, place);
        }
        let pl = if is_mutable {
            self.written_at(|body| body.place(over))?
        } else {
            self.place(over)?
        };
        let ty = self.infer.shallow(&pl.ty);
        if !by_address && !matches!(ty, Ty::Array(..) | Ty::Handles(_) | Ty::Ptr(..)) {
            let value = self.load_place(pl, over, here)?;
            return self.for_iterator(e, value, place);
        }
        self.for_elements(e, pl, by_address, span(over), stmts, place)
    }

    /// A loop over the elements in a place.
    fn for_elements(
        &mut self,
        e: &'a syn::ExprForLoop,
        mut pl: Pl,
        mut by_address: bool,
        of: crate::text::Span,
        mut stmts: Vec<Stmt>,
        place: Place,
    ) -> Res<(Vec<Stmt>, Option<String>)> {
        let here = implied(at(&*e.expr));
        if by_address
            && self.only_leads(&pl.ty)
            && let Some(led_to) = self.deref_until(pl.clone(), here, |body, pl| {
                let ty = body.infer.shallow(&pl.ty);
                matches!(ty, Ty::Array(..) | Ty::Handles(_)) || body.is_sliced(&ty)
            })?
        {
            pl = led_to;
        }
        while let Ty::Ptr(..) = self.infer.shallow(&pl.ty) {
            let Some(next) = self.deref_once(&pl, here)? else {
                break;
            };
            pl = next;
            by_address = true;
        }
        if !matches!(self.infer.shallow(&pl.ty), Ty::Array(..) | Ty::Handles(_)) {
            let over = match self.slice_at(&pl, here)? {
                Some(slice) => slice,
                // A reference to an iterator.
                None => Val {
                    e: self.address_of(pl.lvalue, here),
                    ty: Ty::pointer(Ptr::Ref, pl.ty),
                },
            };
            return self.for_iterator(e, over, place);
        }
        let address = self.address_of(pl.lvalue, here);
        let pointer_ty = Ty::pointer(Ptr::Raw, pl.ty.clone());
        let address = self.hold(address, &pointer_ty, &mut stmts);
        let whole = super::build::deref(address, here);
        let index_ty = self.typed(&USIZE);
        let counter = self.local("counter", &USIZE);
        let zero = constant(0, index_ty.clone(), here);
        stmts.push(declare(counter, vec![(Vec::new(), zero)], implied(place)));
        let value = || load(local(counter, index_ty.clone(), here), here);
        let (length, elements, element) = match self.infer.shallow(&pl.ty) {
            Ty::Array(element, count) => {
                let count = constant(i64::from(count), index_ty.clone(), here);
                (count, whole, *element)
            }
            Ty::Handles(result) => {
                let length = self.member_type(&whole.ty, 0);
                let length = load(super::build::member(whole.clone(), 0, length, here), here);
                let all = self.member_type(&whole.ty, 1);
                let all = super::build::member(whole, 1, all, here);
                (length, all, Ty::Handle(result))
            }
            other => {
                let other = self.t.shown(&self.infer.deep(&other));
                return self.refuse(
                    format!("a loop over `{other}` is not supported"),
                    of,
                    "ranges, arrays, slices, vectors and iterators are",
                );
            }
        };
        let condition = compare(BinaryOp::Lt, value(), length, here);
        let typed = self.typed(&element);
        let index = super::build::cast(value(), super::build::long());
        let one = super::build::element(elements, index, typed, here);
        if !by_address && self.needs_drop(&element) {
            return self.refuse(
                "a loop that moves values whose ends have effects out of an array is not supported",
                of,
                "borrow the array, or keep each value in an `Option` and take it",
            );
        }
        let (bound, ty) = if by_address {
            (self.address_of(one, here), Ty::pointer(Ptr::Ref, element))
        } else {
            (load(one, here), element)
        };
        let mut inner = Vec::new();
        self.parameter_copy(&e.pat, bound, &ty, &mut inner)?;
        let one = constant(1, index_ty.clone(), here);
        let next = binary(BinaryOp::Add, value(), one, index_ty.clone(), here);
        let step = assign(local(counter, index_ty.clone(), here), next, here);
        self.for_body(e, stmts, (condition, step), inner, place)
    }

    /// Whether it is a guard or the like of the library, whose elements are those of what it leads to.
    fn only_leads(&self, ty: &Ty) -> bool {
        match self.infer.shallow(ty) {
            Ty::Guard(..) => true,
            Ty::Adt(id, _) => {
                let name = span(self.t.names.adts[id].name());
                self.t.is_library(&name) && !self.is_sliced(ty)
            }
            _ => false,
        }
    }

    /// `for p in e` over an iterator, or what one is made of: `while let Some(p) = iterator.next()`.
    pub(super) fn for_iterator(
        &mut self,
        e: &'a syn::ExprForLoop,
        over: Val,
        place: Place,
    ) -> Res<(Vec<Stmt>, Option<String>)> {
        let of = span(&*e.expr);
        let here = implied(at(&*e.expr));
        let mut stmts = Vec::new();
        self.within(Extent::Temporaries, place, &mut stmts, |body, stmts| {
            let Some(iterator) = body.made_by(over, "into_iter", here)? else {
                return body.refuse(
                    "a loop over a value of this type is not supported",
                    of.clone(),
                    "ranges, arrays, slices, vectors and iterators are",
                );
            };
            let iterator = body.kept_or_named(iterator, &of, stmts)?;
            let mut inner = Vec::new();
            let Some((def, mut context)) = body.function_in(&iterator.ty, "next", Whose::Any)
            else {
                return body.refuse(
                    "a loop over a value of this type is not supported",
                    of.clone(),
                    "ranges, arrays, slices, vectors and iterators are",
                );
            };
            let parameters = body.generics_of(def.sig, of.end);
            context.subst.extend(parameters);
            let own = body.address_of(iterator.lvalue.clone(), here);
            let next = body.call_function(def, context, Some(own), Vec::new(), None, here)?;
            let label = e.label.as_ref().map(|label| label.name.ident.to_string());
            body.enter_exit(label, true, None);
            let made = body.within_block(Extent::Temporaries, here, |body, stmts| {
                body.iteration(e, next, here, stmts)
            });
            let exit = body.exits.pop();
            inner.push(made?);
            let (leave, again) = match exit {
                Some(exit) => (
                    exit.leaves.then_some(exit.leave),
                    exit.repeats.then_some(exit.again),
                ),
                None => (None, None),
            };
            Self::land(again, here, &mut inner);
            let inner = Box::new(block(inner, here));
            stmts.push(stmt(StmtKind::While(truth(true, here), inner), place));
            // Jumps out of the loop arrive where the iterator is still there.
            Self::land(leave, place, stmts);
            Ok(())
        })?;
        Ok((stmts, None))
    }

    /// The value of a method without arguments that takes `self`.
    fn made_by(&mut self, value: Val, name: &str, place: Place) -> Res<Option<Val>> {
        let Some((def, mut context)) = self.function_in(&value.ty, name, Whose::Any) else {
            return Ok(None);
        };
        let parameters = self.generics_of(def.sig, place.end as usize);
        context.subst.extend(parameters);
        let operands = vec![Operand::Made(value)];
        self.call_function(def, context, None, operands, None, place)
            .map(Some)
    }

    /// A value in a variable of its own, which is dropped with the scope at hand.
    fn kept_or_named(
        &mut self,
        value: Val,
        of: &crate::text::Span,
        stmts: &mut Vec<Stmt>,
    ) -> Res<Pl> {
        if value.e.ty.is_void() {
            stmts.push(Self::effect(value.e));
            let (_, pl) = self.temporary(&Ty::Unit, implied(pl_place(of)));
            return Ok(Pl {
                lvalue: pl.lvalue,
                ty: value.ty,
            });
        }
        self.kept(value, of, stmts)
    }

    /// One time through a loop, if there is an item: its pattern and its body.
    fn iteration(
        &mut self,
        e: &'a syn::ExprForLoop,
        next: Val,
        here: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let (local, pl) = self.temporary(&next.ty, here);
        stmts.push(declare(local, vec![(Vec::new(), next.e)], here));
        if let Some(is) = self.is_variant(&pl, SOME, here)? {
            let leave = vec![stmt(StmtKind::Break, here)];
            stmts.push(super::build::when(super::build::not(is), leave));
        }
        let item = self.part(&pl, &payload("Some", "0"), here)?;
        self.scopes.push(Scope::default());
        let depth = self.scopes.len() - 1;
        if item.lvalue.ty.is_void() {
            let local = self.local("element", &item.ty);
            self.parameter(&e.pat, local, item.ty, stmts)?;
        } else {
            let value = load(item.lvalue, here);
            self.parameter_copy(&e.pat, value, &item.ty, stmts)?;
        }
        let made = self.body_into(&e.body, None)?;
        stmts.push(made);
        self.leave(depth, here, stmts)?;
        self.scopes.pop();
        Ok(())
    }
}

/// The place of a part of the text.
fn pl_place(of: &crate::text::Span) -> Place {
    crate::rust::source::place(of.clone())
}
