//! Branches, loops and jumps.

use super::build::{
    and, assign, binary, block, compare, constant, declare, expression_statement, load, local, not,
    sequence, stmt, truth, unit,
};
use super::scope::{Extent, Scope};
use super::{Body, Exit};
use crate::lower::typed::{BinaryOp, Expr as Node, LocalId, Stmt, StmtKind};
use crate::rust::source::{at, implied, span};
use crate::rust::types::Ty;
use crate::rust::unit::Res;
use crate::text::Place;
use syn::Expr;

impl<'a> Body<'_, 'a> {
    /// Branches, loops and jumps as statements, the value going into a variable; whether the expression
    /// is one of them.
    pub(super) fn control_statement(
        &mut self,
        e: &'a Expr,
        into: Option<(LocalId, &Ty)>,
        stmts: &mut Vec<Stmt>,
    ) -> Res<bool> {
        let place = at(e);
        match e {
            Expr::If(e) => {
                let made = self.branch(e, into)?;
                stmts.push(made);
            }
            Expr::Block(e) if e.label.is_none() => {
                let made = self.block_into(&e.block, into)?;
                stmts.push(made);
            }
            Expr::Block(e) => {
                let label = e.label.as_ref().map(|label| label.name.ident.to_string());
                let result = into.map(|(local, ty)| (local, ty.clone()));
                self.enter_exit(label, false, result);
                let made = self.block_into(&e.block, into);
                let exit = self.exits.pop();
                stmts.push(made?);
                Self::land(
                    exit.filter(|exit| exit.leaves).map(|exit| exit.leave),
                    place,
                    stmts,
                );
            }
            Expr::Unsafe(e) => {
                let made = self.block_into(&e.block, into)?;
                stmts.push(made);
            }
            Expr::Paren(e) => return self.control_statement(&e.expr, into, stmts),
            Expr::Match(e) => self.match_into(e, into, place, stmts)?,
            Expr::While(e) => self.while_loop(e, place, stmts)?,
            Expr::Loop(e) => self.endless_loop(e, into, place, stmts)?,
            Expr::ForLoop(e) => self.for_loop(e, place, stmts)?,
            Expr::Break(e) => self.break_from(e, place, stmts)?,
            Expr::Continue(e) => self.continue_with(e, place, stmts)?,
            Expr::Return(e) => match &e.expr {
                Some(value) => {
                    let target = self.returns.last().map(|target| target.ty.clone());
                    let ty = target.unwrap_or(Ty::Unit);
                    let value = self.expr_as(value, &ty)?;
                    self.return_from(Some(value), place, stmts)?;
                }
                None => self.return_from(None, place, stmts)?,
            },
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn branch(&mut self, e: &'a syn::ExprIf, into: Option<(LocalId, &Ty)>) -> Res<Stmt> {
        let place = at(e);
        let otherwise = e.else_branch.as_ref().map(|(_, e)| &**e);
        if has_let(&e.cond) {
            return self.if_let(e, into);
        }
        let condition = self.with_temps(|body| body.expr_as(&e.cond, &Ty::Bool))?;
        let then = self.body_into(&e.then_branch, into);
        let other = match otherwise {
            Some(e) => {
                let mut stmts = Vec::new();
                let made = self.within(Extent::Temporaries, place, &mut stmts, |body, stmts| {
                    body.control_statement(e, into, stmts).map(|_| ())
                });
                made.map(|()| {
                    Some(match stmts.len() {
                        1 => stmts.remove(0),
                        _ => block(stmts, implied(place)),
                    })
                })
            }
            None => Ok(None),
        };
        let (then, other) = (then?, other?);
        if let (Some((_, ty)), None) = (into, otherwise) {
            self.unify(ty, &Ty::Unit, span(e))?;
        }
        let kind = StmtKind::If(condition.e, Box::new(then), other.map(Box::new));
        Ok(stmt(kind, place))
    }

    // Loops.

    pub(super) fn enter_exit(
        &mut self,
        label: Option<String>,
        is_loop: bool,
        result: Option<(LocalId, Ty)>,
    ) {
        let (leave, again) = (self.label("break"), self.label("continue"));
        self.exits.push(Exit {
            label,
            is_loop,
            depth: self.scopes.len(),
            result,
            leave,
            again,
            leaves: false,
            repeats: false,
        });
    }

    /// Where jumps arrive, if there are any.
    pub(super) fn land(label: Option<String>, place: Place, stmts: &mut Vec<Stmt>) {
        if let Some(label) = label {
            let place = implied(place);
            let empty = Box::new(stmt(StmtKind::Empty, place));
            stmts.push(stmt(StmtKind::Label(label, empty), place));
        }
    }

    /// The body of a loop, and where jumps to its end lead.
    pub(super) fn loop_body(
        &mut self,
        e: &'a syn::Block,
        label: Option<&syn::Label>,
        result: Option<(LocalId, Ty)>,
    ) -> Res<(Stmt, Option<String>)> {
        let label = label.map(|label| label.name.ident.to_string());
        self.enter_exit(label, true, result);
        let made = self.body_into(e, None);
        let exit = self.exits.pop();
        let mut made = made?;
        let Some(exit) = exit else {
            return Ok((made, None));
        };
        if exit.repeats {
            let place = made.place;
            let mut stmts = vec![made];
            Self::land(Some(exit.again), place, &mut stmts);
            made = block(stmts, implied(place));
        }
        Ok((made, exit.leaves.then_some(exit.leave)))
    }

    fn while_loop(
        &mut self,
        e: &'a syn::ExprWhile,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        if has_let(&e.cond) {
            return self.while_let(e, place, stmts);
        }
        let condition = self.with_temps(|body| body.expr_as(&e.cond, &Ty::Bool))?;
        let (made, leave) = self.loop_body(&e.body, e.label.as_ref(), None)?;
        stmts.push(stmt(StmtKind::While(condition.e, Box::new(made)), place));
        Self::land(leave, place, stmts);
        Ok(())
    }

    fn endless_loop(
        &mut self,
        e: &'a syn::ExprLoop,
        into: Option<(LocalId, &Ty)>,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let result = into.map(|(local, ty)| (local, ty.clone()));
        let (made, leave) = self.loop_body(&e.body, e.label.as_ref(), result)?;
        let always = truth(true, at(&e.loop_token));
        stmts.push(stmt(StmtKind::While(always, Box::new(made)), place));
        Self::land(leave, place, stmts);
        Ok(())
    }

    fn for_loop(
        &mut self,
        e: &'a syn::ExprForLoop,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        // What the iterator is made of ends with the loop, also where the loop is the value of a block.
        self.within(Extent::Temporaries, place, stmts, |body, stmts| {
            body.scopes.push(Scope::default());
            let made = body.for_loop_inside(e, place);
            body.scopes.pop();
            let (made, leave) = made?;
            stmts.push(block(made, place));
            Self::land(leave, place, stmts);
            Ok(())
        })
    }

    fn for_loop_inside(
        &mut self,
        e: &'a syn::ExprForLoop,
        place: Place,
    ) -> Res<(Vec<Stmt>, Option<String>)> {
        let mut stmts = Vec::new();
        let over = without_brackets(&e.expr);
        if let Expr::Range(range) = over {
            let ty = self.infer.fresh(span(range).start, true);
            let (Some(from), Some(to)) = (&range.start, &range.end) else {
                let over = self.expr(over, None)?;
                return self.for_iterator(e, over, place);
            };
            let from = self.expr_as(from, &ty)?;
            let to = self.expr_as(to, &ty)?;
            let counter = self.local("counter", &ty);
            stmts.push(declare(counter, vec![(Vec::new(), from.e)], implied(place)));
            let end = self.hold(to.e, &ty, &mut stmts);
            let typed = self.typed(&ty);
            let closed = matches!(range.limits, syn::RangeLimits::Closed(_));
            let op = if closed { BinaryOp::Le } else { BinaryOp::Lt };
            let here = implied(at(range));
            let value = || load(local(counter, typed.clone(), here), here);
            let last = end.clone();
            let condition = compare(op, value(), end, here);
            let mut inner = Vec::new();
            self.parameter_copy(&e.pat, value(), &ty, &mut inner)?;
            let one = constant(1, typed.clone(), here);
            let next = binary(BinaryOp::Add, value(), one, typed.clone(), here);
            let step = assign(local(counter, typed.clone(), here), next, here);
            if !closed {
                return self.for_body(e, stmts, (condition, step), inner, place);
            }
            // The counter stops at the end, after which there may be no number.
            let (over, over_pl) = self.temporary(&Ty::Bool, here);
            let off = vec![(Vec::new(), truth(false, here))];
            stmts.push(declare(over, off, implied(place)));
            let set = assign(over_pl.lvalue.clone(), truth(true, here), here);
            let at_end = compare(BinaryOp::Eq, value(), last, here);
            let then = Box::new(block(vec![Self::effect(set)], here));
            let otherwise = Box::new(block(vec![Self::effect(step)], here));
            let either = stmt(StmtKind::If(at_end, then, Some(otherwise)), here);
            let step = sequence(vec![either], unit(here));
            let going = not(load(over_pl.lvalue, here));
            let condition = and(going, condition);
            return self.for_body(e, stmts, (condition, step), inner, place);
        }
        self.for_each(e, over, stmts, place)
    }

    /// The rest of a `for`: its pattern is bound in each iteration.
    pub(super) fn for_body(
        &mut self,
        e: &'a syn::ExprForLoop,
        mut stmts: Vec<Stmt>,
        (condition, step): (Node, Node),
        mut inner: Vec<Stmt>,
        place: Place,
    ) -> Res<(Vec<Stmt>, Option<String>)> {
        let (made, leave) = self.loop_body(&e.body, e.label.as_ref(), None)?;
        inner.push(made);
        let body = Box::new(block(inner, implied(place)));
        stmts.push(stmt(
            StmtKind::For(Some(condition), Some(step), body),
            place,
        ));
        Ok((stmts, leave))
    }

    /// A variable with this value, matched by a pattern.
    pub(super) fn parameter_copy(
        &mut self,
        pattern: &'a syn::Pat,
        value: Node,
        ty: &Ty,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let place = implied(value.place);
        let local = self.local("element", ty);
        stmts.push(declare(local, vec![(Vec::new(), value)], place));
        self.parameter(pattern, local, ty.clone(), stmts)
    }

    // Jumps.

    /// The loop or block that a jump is about, and whether it is the innermost loop.
    fn target(
        &mut self,
        label: Option<&syn::Lifetime>,
        of: crate::text::Span,
    ) -> Res<(usize, bool)> {
        let found = match label {
            Some(label) => {
                let name = label.ident.to_string();
                self.exits
                    .iter()
                    .rposition(|exit| exit.label.as_ref() == Some(&name))
            }
            None => self.exits.iter().rposition(|exit| exit.is_loop),
        };
        let Some(found) = found else {
            return self.error("there is no such loop here", of);
        };
        let innermost = self.exits.iter().rposition(|exit| exit.is_loop);
        Ok((found, innermost == Some(found)))
    }

    fn break_from(
        &mut self,
        e: &'a syn::ExprBreak,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let (number, innermost) = self.target(e.label.as_ref(), span(e))?;
        let exit = self.exits[number].clone();
        self.nothing_pending(exit.depth, span(e))?;
        match (&e.expr, &exit.result) {
            (Some(value), Some((into, ty))) => {
                let value = self.expr_as(value, ty)?;
                if value.e.ty.is_void() {
                    stmts.push(expression_statement(value.e, place));
                } else {
                    let typed = self.typed(ty);
                    let e = assign(local(*into, typed, place), value.e, place);
                    stmts.push(expression_statement(e, place));
                }
            }
            (Some(value), None) => {
                let value = self.expr(value, None)?;
                stmts.push(expression_statement(value.e, place));
            }
            (None, Some((_, ty))) => {
                let ty = ty.clone();
                self.unify(&ty, &Ty::Unit, span(e))?;
            }
            (None, None) => {}
        }
        self.leave(exit.depth, place, stmts)?;
        let place = if e.expr.is_some() {
            implied(place)
        } else {
            place
        };
        if innermost {
            stmts.push(stmt(StmtKind::Break, place));
        } else {
            self.exits[number].leaves = true;
            stmts.push(stmt(StmtKind::Goto(exit.leave), place));
        }
        Ok(())
    }

    fn continue_with(
        &mut self,
        e: &'a syn::ExprContinue,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let (number, innermost) = self.target(e.label.as_ref(), span(e))?;
        let exit = self.exits[number].clone();
        self.nothing_pending(exit.depth, span(e))?;
        self.leave(exit.depth, place, stmts)?;
        if innermost {
            stmts.push(stmt(StmtKind::Continue, place));
        } else {
            self.exits[number].repeats = true;
            stmts.push(stmt(StmtKind::Goto(exit.again), place));
        }
        Ok(())
    }
}

/// Whether a condition binds names.
pub(super) fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(e) => has_let(&e.left) || has_let(&e.right),
        _ => false,
    }
}

pub(super) fn without_brackets(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(e) => without_brackets(&e.expr),
        Expr::Group(e) => without_brackets(&e.expr),
        e => e,
    }
}
