//! Patterns: `match`, `if let`, `while let`, `let … else`.
//!
//! The value is kept in a variable; each arm is a branch whose condition is that the pattern matches.

use super::build::{and, block, compare, declare, deref, load, stmt};
use super::declaration::binds_mutably;
use super::order::{changes_at, is_named};
use super::patterns::{both, is_constant, numbered};
use super::scope::{Extent, Scope};
use super::{Body, Pl};
use crate::lower::typed::{BinaryOp, Expr as Node, ExprKind, LocalId, Stmt, StmtKind};
use crate::rust::source::{at, implied, span};
use crate::rust::types::{Ptr, Ty};
use crate::rust::unit::Res;
use crate::text::Place;
use syn::{Expr, Pat};

/// A name that a pattern binds, and to what.
pub(super) struct Binding<'a> {
    pub(super) name: &'a syn::PatIdent,
    pub(super) value: Node,
    pub(super) ty: Ty,
}

impl<'a> Body<'_, 'a> {
    /// Puts what is matched where its parts can be looked at.
    pub(super) fn matched(&mut self, e: &'a Expr, stmts: &mut Vec<Stmt>) -> Res<Pl> {
        let place = at(e);
        if self.is_place(e) {
            let pl = self.place(e)?;
            if self.needs_drop(&pl.ty)
                && Self::owner(&pl.lvalue).is_some()
                && !changes_at(&pl.lvalue)
            {
                return Ok(pl);
            }
            if is_named(&pl.lvalue) {
                return Ok(pl);
            }
            // A place that is not constant is computed once.
            let address = self.address_of(pl.lvalue, place);
            let pointer = Ty::pointer(Ptr::Raw, pl.ty.clone());
            let address = self.hold(address, &pointer, stmts);
            let lvalue = deref(address, place);
            return Ok(Pl { lvalue, ty: pl.ty });
        }
        let value = self.expr(e, None)?;
        let ty = value.ty.clone();
        if value.e.ty.is_void() {
            stmts.push(Self::effect(value.e));
            let (_, pl) = self.temporary(&Ty::Unit, place);
            return Ok(Pl {
                lvalue: pl.lvalue,
                ty,
            });
        }
        self.kept(value, &span(e), stmts)
    }

    /// The same of a value of this type.
    pub(super) fn matched_as(&mut self, e: &'a Expr, ty: &Ty, stmts: &mut Vec<Stmt>) -> Res<Pl> {
        if self.is_place(e) {
            let pl = self.matched(e, stmts)?;
            self.unify(ty, &pl.ty, span(e))?;
            return Ok(pl);
        }
        let value = self.expr_as(e, ty)?;
        self.kept(value, &span(e), stmts)
    }

    pub(super) fn match_into(
        &mut self,
        e: &'a syn::ExprMatch,
        into: Option<(LocalId, &Ty)>,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let mut inner = Vec::new();
        let matched = if e.arms.iter().any(|arm| binds_mutably(&arm.pat)) {
            self.written_at(|body| body.matched(&e.expr, &mut inner))?
        } else {
            self.matched(&e.expr, &mut inner)?
        };
        let end = self.label("match");
        let mut arms = Vec::new();
        for arm in &e.arms {
            if self.t.is_there(&arm.attrs)? {
                arms.push(arm);
            }
        }
        let last = arms.len().saturating_sub(1);
        let floor = self.scopes.len();
        for (number, arm) in arms.into_iter().enumerate() {
            self.scopes.push(Scope::default());
            let made = self.arm(arm, &matched, into, &end, number == last);
            self.scopes.truncate(floor);
            inner.extend(made?);
        }
        Self::land(Some(end), place, &mut inner);
        stmts.push(block(inner, implied(place)));
        Ok(())
    }

    /// An arm, which jumps to the end of the `match`. The compiler has checked that the last one
    /// matches if no other does.
    fn arm(
        &mut self,
        arm: &'a syn::Arm,
        matched: &Pl,
        into: Option<(LocalId, &Ty)>,
        end: &str,
        is_last: bool,
    ) -> Res<Vec<Stmt>> {
        let place = at(&arm.pat);
        let mut bindings = Vec::new();
        let condition = self.pattern(&arm.pat, matched, &mut bindings)?;
        let mut inner = Vec::new();
        let mut chosen = Vec::new();
        if arm.guard.is_some() {
            // The guard looks at what the arm moves.
            self.bind_later(bindings, &mut inner, &mut chosen)?;
        } else {
            self.bind(bindings, &mut inner)?;
        }
        self.within(Extent::Temporaries, place, &mut chosen, |body, stmts| {
            body.tail_into(&arm.body, into, stmts)
        })?;
        let depth = self.scopes.len() - 1;
        self.leave(depth, place, &mut chosen)?;
        if !is_last {
            chosen.push(stmt(StmtKind::Goto(end.to_owned()), implied(place)));
        }
        match &arm.guard {
            Some((_, guard)) => {
                let guard = self.with_temps(|body| body.expr_as(guard, &Ty::Bool))?;
                inner.push(super::build::when(guard.e, chosen));
            }
            None => inner.extend(chosen),
        }
        let inner = match condition {
            Some(condition) if !is_last || arm.guard.is_some() => {
                super::build::when(condition, inner)
            }
            Some(_) | None => block(inner, implied(place)),
        };
        Ok(vec![inner])
    }

    /// Declares the names that a pattern binds. What is bound by its value is not dropped with what is matched.
    pub(super) fn bind(&mut self, bindings: Vec<Binding<'a>>, stmts: &mut Vec<Stmt>) -> Res<()> {
        for binding in bindings {
            let place = implied(at(binding.name));
            let local = self.local(&binding.name.ident.to_string(), &binding.ty);
            let moved = self.moved_by(&binding, place)?;
            if binding.value.ty.is_void() {
                stmts.push(declare(local, Vec::new(), place));
            } else {
                stmts.push(declare(local, vec![(Vec::new(), binding.value)], place));
            }
            stmts.extend(moved);
            self.bind_local(binding.name, local, binding.ty, true, place, stmts);
        }
        Ok(())
    }

    /// Declares such names with their values, which they own once `chosen` is executed only.
    pub(super) fn bind_later(
        &mut self,
        bindings: Vec<Binding<'a>>,
        stmts: &mut Vec<Stmt>,
        chosen: &mut Vec<Stmt>,
    ) -> Res<()> {
        for binding in bindings {
            let place = implied(at(binding.name));
            let local = self.local(&binding.name.ident.to_string(), &binding.ty);
            let moved = self.moved_by(&binding, place)?;
            let has_cells = !binding.value.ty.is_void();
            let values = has_cells.then(|| (Vec::new(), binding.value));
            stmts.push(declare(local, values.into_iter().collect(), place));
            let drops = self.needs_drop(&binding.ty);
            self.bind_local(binding.name, local, binding.ty, false, place, stmts);
            if drops && let Some(dropping) = self.scopes.last().and_then(|scope| scope.drops.last())
            {
                chosen.extend(moved);
                chosen.extend(Self::set_flags(dropping, place));
            }
        }
        Ok(())
    }

    /// A new variable with the value of a binding, which is not declared here.
    pub(super) fn bind_apart(
        &mut self,
        binding: Binding<'a>,
        stmts: &mut Vec<Stmt>,
    ) -> Res<(&'a syn::PatIdent, LocalId, Ty)> {
        let place = implied(at(binding.name));
        let local = self.local(&binding.name.ident.to_string(), &binding.ty);
        let moved = self.moved_by(&binding, place)?;
        if !binding.value.ty.is_void() {
            let typed = self.typed(&binding.ty);
            let into = super::build::local(local, typed, place);
            stmts.push(Self::effect(super::build::assign(
                into,
                binding.value,
                place,
            )));
        }
        stmts.extend(moved);
        Ok((binding.name, local, binding.ty))
    }

    /// What notes that a binding has moved its value.
    fn moved_by(&mut self, binding: &Binding<'a>, place: Place) -> Res<Vec<Stmt>> {
        if !self.needs_drop(&binding.ty) {
            return Ok(Vec::new());
        }
        let ExprKind::Load(of) = &binding.value.kind else {
            return Ok(Vec::new());
        };
        self.moved_out(of, place, &span(binding.name))
    }

    /// The condition that a pattern matches, `None` if it always does, and what it binds.
    pub(super) fn pattern(
        &mut self,
        pattern: &'a Pat,
        pl: &Pl,
        bindings: &mut Vec<Binding<'a>>,
    ) -> Res<Option<Node>> {
        let place = at(pattern);
        let ty = self.infer.shallow(&pl.ty);
        if matches!(
            pattern,
            Pat::Tuple(_) | Pat::TupleStruct(_) | Pat::Struct(_)
        ) {
            self.captures_all(pattern, pl)?;
        }
        // Patterns look through references.
        if let Ty::Ptr(Ptr::Ref, to) = &ty
            && !matches!(
                pattern,
                Pat::Wild(_) | Pat::Reference(_) | Pat::Or(_) | Pat::Paren(_)
            )
            && !matches!(pattern, Pat::Ident(name) if !is_constant(name))
        {
            let inner = Pl {
                lvalue: deref(load(pl.lvalue.clone(), place), place),
                ty: (**to).clone(),
            };
            let from = bindings.len();
            let condition = self.pattern(pattern, &inner, bindings)?;
            self.bind_references(&mut bindings[from..], place);
            return Ok(condition);
        }
        match pattern {
            Pat::Wild(_) | Pat::Rest(_) => Ok(None),
            Pat::Paren(pattern) => self.pattern(&pattern.pat, pl, bindings),
            Pat::Reference(pattern) => {
                let Ty::Ptr(_, to) = ty else {
                    return self.error("this is not a reference", span(pattern));
                };
                let inner = Pl {
                    lvalue: deref(load(pl.lvalue.clone(), place), place),
                    ty: *to,
                };
                self.pattern(&pattern.pat, &inner, bindings)
            }
            Pat::Ident(name) => {
                if is_constant(name) {
                    let path = syn::ExprPath {
                        attrs: Vec::new(),
                        qself: None,
                        path: name.ident.clone().into(),
                    };
                    if let Some((ty, variant)) = self.variant_of(&path.path)? {
                        return self.variant(&(ty, variant), Vec::new(), pl, bindings, place);
                    }
                    return self.equals_constant(&path, pl, place);
                }
                let (value, ty) = if name.by_ref.is_some() {
                    let address = self.address_of(pl.lvalue.clone(), place);
                    (address, Ty::pointer(Ptr::Ref, pl.ty.clone()))
                } else {
                    (load(pl.lvalue.clone(), place), pl.ty.clone())
                };
                bindings.push(Binding { name, value, ty });
                match &name.subpat {
                    Some((_, inner)) => self.pattern(inner, pl, bindings),
                    None => Ok(None),
                }
            }
            Pat::Lit(pattern) => {
                let value = self.literal(&pattern.lit, Some(&pl.ty), false)?;
                self.unify(&pl.ty, &value.ty, span(pattern))?;
                let own = load(pl.lvalue.clone(), place);
                Ok(Some(compare(BinaryOp::Eq, own, value.e, place)))
            }
            Pat::Range(pattern) => {
                let mut condition = None;
                for (end, is_low) in [(&pattern.start, true), (&pattern.end, false)] {
                    let Some(end) = end else {
                        continue;
                    };
                    let value = self.constant_value(end, &pl.ty)?;
                    let closed = matches!(pattern.limits, syn::RangeLimits::Closed(_));
                    let op = match (is_low, closed) {
                        (true, _) => BinaryOp::Ge,
                        (false, true) => BinaryOp::Le,
                        (false, false) => BinaryOp::Lt,
                    };
                    let own = load(pl.lvalue.clone(), place);
                    let one = compare(op, own, value, place);
                    condition = Some(match condition {
                        Some(before) => and(before, one),
                        None => one,
                    });
                }
                Ok(condition)
            }
            Pat::Path(path) => {
                if let Some((ty, variant)) = self.variant_of(&path.path)? {
                    return self.variant(&(ty, variant), Vec::new(), pl, bindings, place);
                }
                self.equals_constant(path, pl, place)
            }
            Pat::Or(pattern) => self.alternatives(pattern, pl, bindings),
            Pat::Tuple(pattern) => {
                let parts: Vec<&Pat> = pattern.elems.iter().collect();
                if ty == Ty::Unit && parts.is_empty() {
                    return Ok(None);
                }
                if let Ty::Var(_) = ty {
                    let of = span(pattern).start;
                    let types = parts.iter().map(|_| self.infer.fresh(of, false)).collect();
                    self.unify(&pl.ty, &Ty::Tuple(types), span(pattern))?;
                }
                self.all_of(&parts, pl, bindings)
            }
            Pat::Slice(pattern) => self.element_patterns(pattern, pl, bindings),
            Pat::TupleStruct(pattern) => {
                let parts: Vec<&Pat> = pattern.elems.iter().collect();
                if let Some((ty, variant)) = self.variant_of(&pattern.path)? {
                    let count = self.variant_fields(&ty, Some(variant)).len();
                    let parts = numbered(&parts, count);
                    return self.variant(&(ty, variant), parts, pl, bindings, place);
                }
                self.all_of(&parts, pl, bindings)
            }
            Pat::Struct(pattern) => {
                let mut fields = Vec::new();
                for field in &pattern.fields {
                    if self.t.is_there(&field.attrs)? {
                        fields.push(field);
                    }
                }
                let parts = fields.into_iter().map(|field| {
                    let name = match &field.member {
                        syn::Member::Named(name) => name.to_string(),
                        syn::Member::Unnamed(index) => index.index.to_string(),
                    };
                    (name, &*field.pat)
                });
                let parts: Vec<(String, &'a Pat)> = parts.collect();
                if let Some((ty, variant)) = self.variant_of(&pattern.path)? {
                    return self.variant(&(ty, variant), parts, pl, bindings, place);
                }
                let mut all: Option<Node> = None;
                for (name, inner) in parts {
                    let part = self.part(pl, &name, place)?;
                    let one = self.pattern(inner, &part, bindings)?;
                    all = both(all, one);
                }
                Ok(all)
            }
            _ => self.refuse(
                "a pattern of this kind is not supported",
                span(pattern),
                "names, numbers, ranges, tuples, structures and variants are",
            ),
        }
    }
}
