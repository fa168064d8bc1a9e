//! What attributes of GNU C make programs do: calls at the end of a scope, before `main`, or of another function.
//!
//! A variable with `cleanup(f)` has `f(&variable)` called wherever its scope is left: at its end, and by `return`,
//! `break` and `continue`, the innermost first. The value that is returned is computed before.

use super::Parser;
use super::attributes::Attributes;
use crate::c::check::{Checked, Operand, Symbol};
use crate::c::token::TokenKind;
use crate::lower::typed::{ExprKind, Lvalue, LvalueKind, Stmt, StmtKind};
use crate::text::Place;

/// The end of a variable.
#[derive(Clone, Debug)]
pub(crate) struct Cleanup {
    pub(super) call: Stmt,
    /// How many loops, and loops and switches, are around its declaration.
    pub(super) loops: usize,
    pub(super) breakable: usize,
}

/// What leaves scopes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaves {
    Switch,
    Loop,
    Function,
}

impl Parser<'_> {
    /// Notes what attributes say about a variable or function that was declared.
    pub(super) fn attributed(&mut self, name: &str, attributes: &Attributes) -> Checked<()> {
        let known = self.check.lookup(name).cloned();
        match known {
            Some(Symbol::Local(local, _)) => {
                let Some(at) = attributes.cleanup else {
                    return Ok(());
                };
                let place = self.tokens[at].place;
                let routine = self.word_at(at).unwrap_or_default().to_owned();
                let Some(body) = &self.check.body else {
                    return Ok(());
                };
                let ty = body.locals[local.0].ty.clone();
                let (loops, breakable) = (body.loops, body.breakable);
                let kind = LvalueKind::Local(local);
                let variable = Lvalue { kind, ty, place };
                let variable = Operand::Place(variable, crate::c::check::Constant::No);
                let address = self.check.address_of(variable, place)?;
                let routine = self.check.named(&routine, true, place)?;
                let call = self.check.call(routine, vec![address], place)?;
                let call = self.check.value(call)?;
                let kind = StmtKind::Expr(call);
                if let Some(body) = &mut self.check.body {
                    body.cleanups.push(Cleanup {
                        call: Stmt { kind, place },
                        loops,
                        breakable,
                    });
                }
                Ok(())
            }
            Some(Symbol::Function(_)) => {
                let id = self.check.defined.get(name).copied();
                if let (Some((priority, place)), Some(id)) = (attributes.constructor, id) {
                    let known = &mut self.check.constructors;
                    if known.iter().all(|(other, ..)| *other != id) {
                        known.push((id, priority, place));
                    }
                }
                Ok(())
            }
            Some(Symbol::Typedef(..) | Symbol::Object(..) | Symbol::Enumerator(_)) | None => Ok(()),
        }
    }

    /// A function whose attributes are these is about to be declared: it may be another one.
    pub(super) fn before_function(&mut self, name: &str, attributes: &Attributes) -> Checked<()> {
        if attributes.weak {
            self.check.weak.insert(name.to_owned());
        }
        // Of a weak one and another definition, that counts.
        let is_overridden = attributes.weak && self.check.defined.contains_key(name);
        let Some(at) = attributes.alias.filter(|_| !is_overridden) else {
            return Ok(());
        };
        let Some(TokenKind::String(target)) = self.tokens.get(at).map(|token| &token.kind) else {
            return Ok(());
        };
        let Some(id) = self.check.defined.get(target.as_str()).copied() else {
            let message = format!("`{name}` is said to be `{target}`, which has no body here");
            return Err(self.check.error(message, self.tokens[at].place));
        };
        self.check.defined.insert(name.to_owned(), id);
        Ok(())
    }

    fn word_at(&self, at: usize) -> Option<&str> {
        let token = self.tokens.get(at)?;
        if let TokenKind::Word(word) = &token.kind {
            return Some(word);
        }
        None
    }

    /// How many variables that have an end live here.
    pub(super) fn cleanups(&self) -> usize {
        self.check
            .body
            .as_ref()
            .map_or(0, |body| body.cleanups.len())
    }

    /// Ends the scope that began when there were so many: the calls at its end.
    pub(super) fn end_scope(&mut self, since: usize) -> Vec<Stmt> {
        let Some(body) = &mut self.check.body else {
            return Vec::new();
        };
        let ended = body.cleanups.split_off(since.min(body.cleanups.len()));
        ended.into_iter().rev().map(|one| one.call).collect()
    }

    /// Adds the calls at the end of `({ … })`, whose value is computed before.
    pub(super) fn with_ends(&mut self, statements: &mut Vec<Stmt>, ends: Vec<Stmt>) {
        if ends.is_empty() {
            return;
        }
        let last = statements
            .pop_if(|last| matches!(&last.kind, StmtKind::Expr(value) if !value.ty.is_void()));
        let mut value = None;
        if let Some(Stmt {
            kind: StmtKind::Expr(last),
            place,
        }) = last
        {
            let ty = last.ty.clone();
            if let Some((made, kept)) = self.check.temporary(last) {
                statements.extend(flat(made));
                let kind = ExprKind::Load(Box::new(kept));
                let kind = StmtKind::Expr(crate::c::check::expr(kind, ty, place));
                value = Some(Stmt { kind, place });
            }
        }
        statements.extend(ends);
        statements.extend(value);
    }

    /// The calls where scopes are left in the middle.
    pub(super) fn calls_before(&self, leaves: Leaves) -> Vec<Stmt> {
        let Some(body) = &self.check.body else {
            return Vec::new();
        };
        let left = body.cleanups.iter().rev().filter(|one| match leaves {
            Leaves::Switch => one.breakable == body.breakable,
            Leaves::Loop => one.loops == body.loops,
            Leaves::Function => true,
        });
        left.map(|one| one.call.clone()).collect()
    }

    /// A jump after these calls. A value that it returns is computed before them.
    pub(super) fn jump_after(
        &mut self,
        mut calls: Vec<Stmt>,
        jump: StmtKind,
        place: Place,
    ) -> StmtKind {
        if calls.is_empty() {
            return jump;
        }
        let mut statements = Vec::new();
        let jump = if let StmtKind::Return(Some(value)) = jump {
            // The value is computed before.
            let ty = value.ty.clone();
            let (made, kept) = self.check.temporary(value).unzip();
            statements.extend(made.into_iter().flat_map(flat));
            let load = kept.map(|kept| ExprKind::Load(Box::new(kept)));
            StmtKind::Return(load.map(|load| crate::c::check::expr(load, ty, place)))
        } else if let StmtKind::Block(mut all) = jump {
            // The value of a call that returns nothing comes first.
            let last = all.pop();
            statements.extend(all);
            last.map_or(StmtKind::Return(None), |last| last.kind)
        } else {
            jump
        };
        statements.append(&mut calls);
        statements.push(Stmt { kind: jump, place });
        StmtKind::Block(statements)
    }
}

/// The statements that make a temporary variable, in the scope around it.
fn flat(made: Stmt) -> Vec<Stmt> {
    if let StmtKind::Block(statements) = made.kind {
        return statements;
    }
    vec![made]
}
