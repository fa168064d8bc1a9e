//! `let` in conditions: `if let`, `while let`, `let … else`, `matches!`.

use super::build::{block, declare, not, stmt, truth};
use super::declaration::{binds_by_reference, binds_mutably};
use super::scope::{Extent, Scope, Then};
use super::{Body, Val};
use crate::lower::typed::{LocalId, Stmt, StmtKind};
use crate::rust::source::{at, implied, span};
use crate::rust::types::Ty;
use crate::rust::unit::Res;
use crate::text::Place;
use syn::{Expr, Pat};

impl<'a> Body<'_, 'a> {
    pub(super) fn if_let(&mut self, e: &'a syn::ExprIf, into: Option<(LocalId, &Ty)>) -> Res<Stmt> {
        let place = at(e);
        let mut stmts = Vec::new();
        let end = self.label("if");
        let parts = conjuncts(&e.cond);
        let then = match e.else_branch {
            Some(_) => Then::Branch,
            None => Then::Nothing,
        };
        self.within(Extent::Rescoped(then), place, &mut stmts, |body, stmts| {
            let depth = body.scopes.len() - 1;
            body.chain(&parts, stmts, |body, inner| {
                let then = body.body_into(&e.then_branch, into)?;
                inner.push(then);
                body.leave(depth, place, inner)?;
                inner.push(stmt(StmtKind::Goto(end.clone()), implied(place)));
                Ok(())
            })
        })?;
        match &e.else_branch {
            Some((_, other)) => {
                self.within(Extent::Temporaries, place, &mut stmts, |body, stmts| {
                    body.control_statement(other, into, stmts).map(|_| ())
                })?;
            }
            None => {
                if let Some((_, ty)) = into {
                    self.unify(ty, &Ty::Unit, span(e))?;
                }
            }
        }
        Self::land(Some(end), place, &mut stmts);
        Ok(block(stmts, implied(place)))
    }

    /// Conditions and patterns that all have to hold for what `then` makes. What the patterns bind and
    /// the temporary values, as far as they end with the condition, are in the innermost scope.
    pub(super) fn chain(
        &mut self,
        parts: &[&'a Expr],
        stmts: &mut Vec<Stmt>,
        then: impl FnOnce(&mut Self, &mut Vec<Stmt>) -> Res<()>,
    ) -> Res<()> {
        let Some((first, rest)) = parts.split_first() else {
            return then(self, stmts);
        };
        let mut inner = Vec::new();
        let condition = if let Expr::Let(first) = first {
            let matched = if binds_mutably(&first.pat) {
                self.written_at(|body| body.matched(&first.expr, stmts))?
            } else {
                self.matched(&first.expr, stmts)?
            };
            let mut bindings = Vec::new();
            let condition = self.pattern(&first.pat, &matched, &mut bindings)?;
            self.bind(bindings, &mut inner)?;
            condition
        } else {
            let value = self.with_temps(|body| body.expr_as(first, &Ty::Bool))?;
            Some(value.e)
        };
        self.chain_rest(rest, &mut inner, then)?;
        match condition {
            Some(condition) => stmts.push(super::build::when(condition, inner)),
            None => stmts.extend(inner),
        }
        Ok(())
    }

    pub(super) fn chain_rest(
        &mut self,
        rest: &[&'a Expr],
        inner: &mut Vec<Stmt>,
        then: impl FnOnce(&mut Self, &mut Vec<Stmt>) -> Res<()>,
    ) -> Res<()> {
        // Without an end to the types of closures there would be none to the functions.
        let then: Inside<'_, Self> = Box::new(then);
        self.chain(rest, inner, then)
    }

    pub(super) fn while_let(
        &mut self,
        e: &'a syn::ExprWhile,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let label = e.label.as_ref().map(|label| label.name.ident.to_string());
        self.enter_exit(label, true, None);
        let mut inner = Vec::new();
        let made = self.within_block(Extent::Temporaries, place, |body, stmts| {
            let next = body.label("while");
            let parts = conjuncts(&e.cond);
            body.within(
                Extent::Rescoped(Then::Nothing),
                place,
                stmts,
                |body, stmts| {
                    let depth = body.scopes.len() - 1;
                    body.chain(&parts, stmts, |body, inner| {
                        let then = body.body_into(&e.body, None)?;
                        inner.push(then);
                        body.leave(depth, place, inner)?;
                        inner.push(stmt(StmtKind::Goto(next.clone()), implied(place)));
                        Ok(())
                    })
                },
            )?;
            let of = body.exits.last().map_or(0, |exit| exit.depth);
            body.leave(of, place, stmts)?;
            stmts.push(stmt(StmtKind::Break, implied(place)));
            Self::land(Some(next), place, stmts);
            Ok(())
        });
        let exit = self.exits.pop();
        inner.push(made?);
        let Some(exit) = exit else {
            return Ok(());
        };
        Self::land(exit.repeats.then_some(exit.again), place, &mut inner);
        let always = truth(true, at(&e.while_token));
        let body = Box::new(block(inner, implied(place)));
        stmts.push(stmt(StmtKind::While(always, body), place));
        Self::land(exit.leaves.then_some(exit.leave), place, stmts);
        Ok(())
    }

    /// `let p = e else { … };`
    pub(super) fn let_else(
        &mut self,
        pattern: &'a Pat,
        ty: Option<Ty>,
        e: &'a Expr,
        diverge: &'a Expr,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let ty = ty.unwrap_or_else(|| self.infer.fresh(span(pattern).start, false));
        if self.needs_drop(&ty) {
            return self.let_else_moved(pattern, &ty, (e, diverge), place, stmts);
        }
        let value: Val = self.with_temps(|body| body.expr_as(e, &ty))?;
        let (id, pl) = self.temporary(&ty, place);
        stmts.push(declare(id, vec![(Vec::new(), value.e)], place));
        if self.needs_drop(&ty) {
            // That was not known before, and is the next time.
            self.own(id, ty, span(e));
            let key = (span(e).start, span(e).end);
            self.moved_now.entry(key).or_default().insert(Vec::new());
        }
        let mut bindings = Vec::new();
        let condition = self.pattern(pattern, &pl, &mut bindings)?;
        if let Some(condition) = condition {
            let mut inner = Vec::new();
            self.control_statement(diverge, None, &mut inner)?;
            stmts.push(super::build::when(not(condition), inner));
        }
        self.bind(bindings, stmts)
    }

    /// The same of a value whose end has an effect.
    fn let_else_moved(
        &mut self,
        pattern: &'a Pat,
        ty: &Ty,
        (e, diverge): (&'a Expr, &'a Expr),
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        if binds_by_reference(pattern) && !self.is_place(e) {
            return self.refuse(
                "a name for a part of a temporary value whose end has an effect is not supported",
                span(pattern),
                "write a `match`",
            );
        }
        let mut inner = Vec::new();
        let (matches, matches_pl) = self.temporary(&Ty::Bool, place);
        let is = || super::build::load(matches_pl.lvalue.clone(), place);
        let mut later = Vec::new();
        // The temporary values end before the other block.
        self.within(Extent::Temporaries, place, &mut inner, |body, stmts| {
            let pl = body.matched_as(e, ty, stmts)?;
            let mut bindings = Vec::new();
            let condition = body.pattern(pattern, &pl, &mut bindings)?;
            let condition = condition.unwrap_or_else(|| truth(true, place));
            let set = super::build::assign(matches_pl.lvalue.clone(), condition, place);
            stmts.push(Self::effect(set));
            let mut bound = Vec::new();
            for binding in bindings {
                later.push(body.bind_apart(binding, &mut bound)?);
            }
            stmts.push(super::build::when(is(), bound));
            Ok(())
        })?;
        let mut other = Vec::new();
        self.control_statement(diverge, None, &mut other)?;
        let off = vec![(Vec::new(), truth(false, place))];
        stmts.push(declare(matches, off, implied(place)));
        for (name, local, ty) in later {
            let set = self.bind_assigned(name, local, ty, place, stmts);
            inner.push(super::build::when(is(), set));
        }
        stmts.extend(inner);
        stmts.push(super::build::when(not(is()), other));
        Ok(())
    }

    /// `matches!(e, p)`, perhaps with a condition.
    pub(super) fn matches(
        &mut self,
        e: &'a Expr,
        pattern: &'a Pat,
        guard: Option<&'a Expr>,
        place: Place,
    ) -> Res<Val> {
        let mut stmts = Vec::new();
        let matched = self.matched(e, &mut stmts)?;
        let mut bindings = Vec::new();
        let condition = self.pattern(pattern, &matched, &mut bindings)?;
        let mut condition = condition.unwrap_or_else(|| truth(true, place));
        if let Some(guard) = guard {
            let mut inner = Vec::new();
            self.scopes.push(Scope::default());
            let bound = self.bind_later(bindings, &mut inner, &mut Vec::new());
            let guard = self.with_temps(|body| body.expr_as(guard, &Ty::Bool));
            self.scopes.pop();
            bound?;
            let guard = super::build::sequence(inner, guard?.e);
            condition = super::build::and(condition, guard);
        }
        Ok(Val {
            e: super::build::sequence(stmts, condition),
            ty: Ty::Bool,
        })
    }
}

/// What is done where all conditions hold.
type Inside<'t, B> = Box<dyn FnOnce(&mut B, &mut Vec<Stmt>) -> Res<()> + 't>;

/// The parts of `a && b && …`.
fn conjuncts(e: &Expr) -> Vec<&Expr> {
    match e {
        Expr::Binary(e) if matches!(e.op, syn::BinOp::And(_)) => {
            let mut parts = conjuncts(&e.left);
            parts.extend(conjuncts(&e.right));
            parts
        }
        e => vec![e],
    }
}
