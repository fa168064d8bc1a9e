//! Ranges as values, and loops over what `IntoIterator` makes an iterator of.

use super::build::{block, declare, load, sequence, stmt, truth};
use super::call::Operand;
use super::lookup::Whose;
use super::option::SOME;
use super::scope::{Extent, Scope};
use super::{Body, Pl, Val};
use crate::lower::typed::{self, Initialised, Step, Stmt, StmtKind};
use crate::rust::source::{at, implied, span};
use crate::rust::types::Ty;
use crate::rust::unit::{Res, payload};
use crate::text::Place;

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
            _ => {
                return self.refuse(
                    "a range without a start is not supported here",
                    span(of),
                    "write its start",
                );
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
        if closed {
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
            let parameters = body.generics_of(def.sig, of.start);
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
        let parameters = self.generics_of(def.sig, place.start as usize);
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

fn pl_place(of: &crate::text::Span) -> Place {
    crate::rust::source::place(of.clone())
}
