//! Blocks and their statements.

use super::build::{block, declare, expression_statement, sequence, stmt, unit};
use super::scope::Scope;
use super::{Body, Val};
use crate::lower::typed::{LocalId, Stmt, StmtKind};
use crate::rust::source::{at, implied, span};
use crate::rust::types::Ty;
use crate::rust::unit::Res;
use crate::text::Place;
use syn::Expr;

/// Expressions nest no deeper than this.
const MOST_DEPTH: usize = 400;

impl<'a> Body<'_, 'a> {
    /// The body of a function or a thread, with its `return`.
    pub(super) fn function_block(&mut self, of: &'a syn::Block, returns: &Ty) -> Res<Vec<Stmt>> {
        let floor = self.scopes.len();
        self.scopes.push(Scope::default());
        let mut stmts = Vec::new();
        let ends = self.statements(of, Some(returns), &mut stmts, |body, tail, stmts| {
            body.return_value(tail, stmts)
        });
        self.scopes.truncate(floor);
        if ends? {
            self.unify(returns, &Ty::Unit, span(of))?;
            // Parameters end after the variables of the block.
            let depth = self.returns.last().map_or(0, |target| target.depth);
            self.leave(depth, at(&of.brace_token.span.close()), &mut stmts)?;
        }
        Ok(stmts)
    }

    /// The statements of a block, the last value given to `last`; whether the block ends without one.
    /// What its variables hold is dropped. All errors are found.
    fn statements(
        &mut self,
        of: &'a syn::Block,
        want: Option<&Ty>,
        stmts: &mut Vec<Stmt>,
        last: impl FnOnce(&mut Self, &'a Expr, &mut Vec<Stmt>) -> Res<()>,
    ) -> Res<bool> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            self.depth -= 1;
            return self.error("statements nest too deeply", span(of));
        }
        let (tail, first) = match of.stmts.split_last() {
            Some((syn::Stmt::Expr(e, None), first)) if !is_statement(e) || is_wanted(want) => {
                (Some(e), first)
            }
            _ => (None, &of.stmts[..]),
        };
        let mut failed = self.name_items(of).err();
        for stmt in first {
            if let Err(reported) = self.statement(stmt, stmts) {
                failed = Some(reported);
            }
        }
        let ends_with_value = tail.is_some();
        if let Some(tail) = tail
            && let Err(reported) = last(self, tail, stmts)
        {
            failed = Some(reported);
        }
        self.depth -= 1;
        match failed {
            Some(reported) => Err(reported),
            None => {
                if !ends_with_value {
                    let depth = self.scopes.len() - 1;
                    self.leave(depth, at(&of.brace_token.span.close()), stmts)?;
                }
                let diverges = first.last().is_some_and(diverges);
                Ok(!ends_with_value && !diverges)
            }
        }
    }

    /// A block as a statement: `want` is the type of its value, which goes into this local.
    pub(super) fn block_into(
        &mut self,
        of: &'a syn::Block,
        into: Option<(LocalId, &Ty)>,
    ) -> Res<Stmt> {
        let floor = self.scopes.len();
        self.scopes.push(Scope::default());
        let mut stmts = Vec::new();
        let want = into.map(|(_, ty)| ty);
        let ends = self.statements(of, want, &mut stmts, |body, tail, stmts| {
            body.tail_into(tail, into, stmts)?;
            let depth = body.scopes.len() - 1;
            body.leave(depth, at(tail), stmts)
        });
        self.scopes.truncate(floor);
        if ends? && let Some((_, ty)) = into {
            self.unify(ty, &Ty::Unit, span(of))?;
        }
        Ok(block(stmts, Self::place_of_block(of)))
    }

    /// Where a block is. A fence cannot be inserted after its value.
    fn place_of_block(of: &syn::Block) -> Place {
        let place = at(of);
        match of.stmts.last() {
            Some(syn::Stmt::Expr(e, None)) if !is_statement(e) => implied(place),
            Some(syn::Stmt::Macro(of)) if of.semi_token.is_none() => implied(place),
            _ => place,
        }
    }

    /// The value at the end of a block.
    pub(super) fn tail_into(
        &mut self,
        tail: &'a Expr,
        into: Option<(LocalId, &Ty)>,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let place = at(tail);
        if self.control_statement(tail, into, stmts)? {
            return Ok(());
        }
        let value = self.with_temps(|body| match into {
            Some((_, ty)) => body.expr_as(tail, ty),
            None => body.expr(tail, None),
        })?;
        stmts.push(self.store_tail(value, into, place));
        Ok(())
    }

    fn store_tail(&mut self, value: Val, into: Option<(LocalId, &Ty)>, place: Place) -> Stmt {
        match into {
            Some((local, ty)) if !value.e.ty.is_void() => {
                let typed = self.typed(ty);
                let into = super::build::local(local, typed, implied(place));
                let e = super::build::assign(into, value.e, place);
                expression_statement(e, place)
            }
            _ => expression_statement(value.e, place),
        }
    }

    /// `return`, or the value at the end of a function.
    pub(super) fn return_value(&mut self, tail: &'a Expr, stmts: &mut Vec<Stmt>) -> Res<()> {
        let Some(target) = self.returns.last().cloned() else {
            return Ok(());
        };
        let place = at(tail);
        if self.infer.shallow(&target.ty) == Ty::Unit
            && self.control_statement(tail, None, stmts)?
        {
            return self.leave(target.depth, place, stmts);
        }
        let value = self.with_temps(|body| body.expr_as(tail, &target.ty))?;
        self.return_from(Some(value), place, stmts)
    }

    /// Returns a value, after what is alive was dropped.
    pub(super) fn return_from(
        &mut self,
        value: Option<Val>,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let Some(target) = self.returns.last().cloned() else {
            return Ok(());
        };
        let value = value.filter(|value| {
            let used = !value.e.ty.is_void();
            if !used {
                stmts.push(expression_statement(value.e.clone(), place));
            }
            used
        });
        if let Some(inline) = &target.inline {
            if let Some(value) = value {
                let typed = self.typed(&target.ty);
                let into = super::build::local(inline.result, typed, place);
                stmts.push(expression_statement(
                    super::build::assign(into, value.e, place),
                    place,
                ));
            }
            self.leave(target.depth, place, stmts)?;
            stmts.push(stmt(StmtKind::Goto(inline.label.clone()), implied(place)));
            if let Some(Some(inline)) = self.returns.last_mut().map(|last| last.inline.as_mut()) {
                inline.used = true;
            }
            return Ok(());
        }
        let mut drops = Vec::new();
        self.leave(target.depth, place, &mut drops)?;
        if drops.is_empty() {
            let e = value.map(|value| value.e);
            stmts.push(stmt(StmtKind::Return(e), place));
            return Ok(());
        }
        let e = match value {
            Some(value) => {
                let (id, pl) = self.temporary(&value.ty, place);
                stmts.push(declare(id, vec![(Vec::new(), value.e)], place));
                Some(super::build::load(pl.lvalue, place))
            }
            None => None,
        };
        stmts.extend(drops);
        stmts.push(stmt(StmtKind::Return(e), implied(place)));
        Ok(())
    }

    /// A statement.
    pub(super) fn statement(&mut self, of: &'a syn::Stmt, stmts: &mut Vec<Stmt>) -> Res<()> {
        match self.t.names.holds_all(attributes(of)) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => return Err(self.t.report(error)),
        }
        match of {
            syn::Stmt::Local(of) => {
                let made = self.declaration(of, stmts);
                if made.is_err() {
                    self.name_broken(&of.pat);
                }
                made
            }
            // They are those of the module that the block is.
            syn::Stmt::Item(
                syn::Item::Const(_)
                | syn::Item::Enum(_)
                | syn::Item::Fn(_)
                | syn::Item::Impl(_)
                | syn::Item::Mod(_)
                | syn::Item::Static(_)
                | syn::Item::Struct(_)
                | syn::Item::Trait(_)
                | syn::Item::Type(_)
                | syn::Item::Use(_),
            ) => Ok(()),
            syn::Stmt::Item(item) => self.refuse(
                "an item of this kind is not supported inside a function",
                span(item),
                "define it outside of functions",
            ),
            syn::Stmt::Expr(e, _) => self.expression(e, at(of), stmts),
            syn::Stmt::Macro(of) => {
                let value = self.with_temps(|body| body.macro_call(&of.mac, None))?;
                stmts.push(expression_statement(value.e, at(of)));
                Ok(())
            }
        }
    }

    /// An expression whose value is not used.
    pub(super) fn expression(
        &mut self,
        e: &'a Expr,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        if self.control_statement(e, None, stmts)? {
            return Ok(());
        }
        let value = self.with_temps(|body| {
            let value = body.expr(e, None)?;
            if body.needs_drop(&value.ty) {
                let kept = body.keep(value, &span(e))?;
                let pointer = super::build::address(kept.lvalue, at(e));
                return Ok(Val {
                    e: pointer,
                    ty: Ty::Unit,
                });
            }
            Ok(value)
        })?;
        stmts.push(expression_statement(value.e, place));
        Ok(())
    }

    /// A block as an expression.
    pub(super) fn block_value(&mut self, of: &'a syn::Block, want: Option<&Ty>) -> Res<Val> {
        let place = at(of);
        let value_at_end = matches!(of.stmts.last(), Some(syn::Stmt::Expr(_, None)));
        if !value_at_end {
            let stmt = self.block_into(of, None)?;
            let ty = if of.stmts.last().is_some_and(diverges) {
                Ty::Never
            } else {
                Ty::Unit
            };
            return Ok(Val {
                e: sequence(vec![stmt], unit(place)),
                ty,
            });
        }
        self.with_result(want, place, |body, into| {
            Ok(vec![body.block_into(of, into)?])
        })
    }

    /// Statements that put a value into a new variable, as an expression. If no type is wanted, that of
    /// the first value counts.
    pub(super) fn with_result(
        &mut self,
        want: Option<&Ty>,
        place: Place,
        make: impl FnOnce(&mut Self, Option<(LocalId, &Ty)>) -> Res<Vec<Stmt>>,
    ) -> Res<Val> {
        let ty = match want {
            Some(ty) => ty.clone(),
            None => self.infer.fresh(place.start as usize, false),
        };
        let (local, pl) = self.temporary(&ty, place);
        let made = make(self, Some((local, &ty)))?;
        if pl.lvalue.ty.is_void() {
            return Ok(Val {
                e: sequence(made, unit(place)),
                ty,
            });
        }
        let mut stmts = vec![declare(local, Vec::new(), implied(place))];
        stmts.extend(made);
        let e = sequence(stmts, super::build::load(pl.lvalue, place));
        Ok(Val { e, ty })
    }
}

fn is_wanted(want: Option<&Ty>) -> bool {
    want.is_some_and(|ty| *ty != Ty::Unit)
}

/// Whether an expression is a statement without a semicolon.
fn is_statement(e: &Expr) -> bool {
    matches!(
        e,
        Expr::If(_)
            | Expr::While(_)
            | Expr::Loop(_)
            | Expr::ForLoop(_)
            | Expr::Match(_)
            | Expr::Block(_)
            | Expr::Unsafe(_)
    )
}

/// Whether nothing comes after a statement.
pub(super) fn diverges(of: &syn::Stmt) -> bool {
    match of {
        syn::Stmt::Expr(e, _) => match e {
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
            Expr::Loop(e) => !crate::rust::source::text_of(&e.body).contains("break"),
            Expr::Macro(e) => is_panic(&e.mac),
            _ => false,
        },
        syn::Stmt::Macro(of) => is_panic(&of.mac),
        syn::Stmt::Local(_) | syn::Stmt::Item(_) => false,
    }
}

fn is_panic(of: &syn::Macro) -> bool {
    let last = of.path.segments.last();
    last.is_some_and(|last| {
        ["panic", "unreachable", "todo", "unimplemented"]
            .iter()
            .any(|own| last.ident == own)
    })
}

/// The attributes of a statement.
fn attributes(of: &syn::Stmt) -> &[syn::Attribute] {
    match of {
        syn::Stmt::Local(of) => &of.attrs,
        syn::Stmt::Macro(of) => &of.attrs,
        syn::Stmt::Item(_) => &[],
        syn::Stmt::Expr(e, _) => match e {
            Expr::Assign(e) => &e.attrs,
            Expr::Binary(e) => &e.attrs,
            Expr::Block(e) => &e.attrs,
            Expr::Break(e) => &e.attrs,
            Expr::Call(e) => &e.attrs,
            Expr::Continue(e) => &e.attrs,
            Expr::ForLoop(e) => &e.attrs,
            Expr::If(e) => &e.attrs,
            Expr::Loop(e) => &e.attrs,
            Expr::Macro(e) => &e.attrs,
            Expr::Match(e) => &e.attrs,
            Expr::MethodCall(e) => &e.attrs,
            Expr::Return(e) => &e.attrs,
            Expr::Unsafe(e) => &e.attrs,
            Expr::While(e) => &e.attrs,
            _ => &[],
        },
    }
}
