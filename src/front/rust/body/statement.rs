//! Blocks and their statements.

use super::build::{block, declare, expression_statement, sequence, stmt, unit};
use super::scope::{Extent, Scope, Then};
use super::{Body, Val};
use crate::lower::typed::{self, LocalId, Stmt, StmtKind};
use crate::rust::source::{at, implied, span};
use crate::rust::types::Ty;
use crate::rust::unit::Res;
use crate::text::{Place, Span};
use syn::Expr;

/// Expressions nest no deeper than this.
const MOST_DEPTH: usize = 400;

impl<'a> Body<'_, 'a> {
    /// The body of a function or a thread, with its `return`.
    pub(super) fn function_block(&mut self, of: &'a syn::Block, returns: &Ty) -> Res<Vec<Stmt>> {
        let place = at(&of.brace_token.span.close());
        let mut stmts = Vec::new();
        let mut end = End::Jump;
        self.within(Extent::Temporaries, place, &mut stmts, |body, stmts| {
            body.scopes.push(Scope::default());
            end = body.statements(of, stmts, Self::return_value)?;
            Ok(())
        })?;
        if end == End::Nothing {
            self.unify(returns, &Ty::Unit, span(of))?;
            // Parameters end after the variables of the block.
            let depth = self.returns.last().map_or(0, |target| target.depth);
            self.leave(depth, place, &mut stmts)?;
        }
        Ok(stmts)
    }

    /// The statements of a block, the value at its end given to `last`. Without one, what its variables
    /// hold is dropped. All errors are found.
    fn statements(
        &mut self,
        of: &'a syn::Block,
        stmts: &mut Vec<Stmt>,
        last: impl FnOnce(&mut Self, &'a Expr, &mut Vec<Stmt>) -> Res<()>,
    ) -> Res<End> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            self.depth -= 1;
            return self.error("statements nest too deeply", span(of));
        }
        let mut failed = self.name_items(of).err();
        let (tail, first) = match of.stmts.split_last() {
            Some((one @ syn::Stmt::Expr(e, None), first)) => match self.is_there(one) {
                Ok(is_there) => (is_there.then_some(e), first),
                Err(reported) => {
                    failed = Some(reported);
                    (None, first)
                }
            },
            _ => (None, &of.stmts[..]),
        };
        for stmt in first {
            if let Err(reported) = self.statement(stmt, stmts) {
                failed = Some(reported);
            }
        }
        if let Some(tail) = tail {
            let extent = Extent::Rescoped(Then::Nothing);
            let made = self.within(extent, at(tail), stmts, |body, stmts| {
                last(body, tail, stmts)
            });
            failed = made.err().or(failed);
        }
        self.depth -= 1;
        match failed {
            Some(reported) => Err(reported),
            None if tail.is_some() => Ok(End::Value),
            None => {
                let depth = self.scopes.len() - 1;
                self.leave(depth, at(&of.brace_token.span.close()), stmts)?;
                let diverges = first.last().is_some_and(diverges);
                Ok(if diverges { End::Jump } else { End::Nothing })
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
        let end = self.statements(of, &mut stmts, |body, tail, stmts| {
            body.tail_into(tail, into, stmts)
        });
        let left = match (&end, of.stmts.last()) {
            (Ok(End::Value), Some(tail)) => self.leave(floor, at(tail), &mut stmts),
            _ => Ok(()),
        };
        self.scopes.truncate(floor);
        left?;
        if end? == End::Nothing
            && let Some((_, ty)) = into
        {
            self.unify(ty, &Ty::Unit, span(of))?;
        }
        Ok(block(stmts, Self::place_of_block(of)))
    }

    /// The body of a branch, a loop or a closure: a block with whose end temporary values end.
    pub(super) fn body_into(
        &mut self,
        of: &'a syn::Block,
        into: Option<(LocalId, &Ty)>,
    ) -> Res<Stmt> {
        let mut stmts = Vec::new();
        self.within(Extent::Temporaries, at(of), &mut stmts, |body, stmts| {
            stmts.push(body.block_into(of, into)?);
            Ok(())
        })?;
        Ok(match stmts.len() {
            1 => stmts.remove(0),
            _ => block(stmts, implied(at(of))),
        })
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
        let value = match into {
            Some((_, ty)) => self.expr_as(tail, ty)?,
            None => {
                // It is dropped with the statement, after the variables of the block.
                let value = self.expr(tail, None)?;
                let scope = self.statement;
                let e = self.unused(value, scope, &span(tail), stmts)?;
                stmts.push(expression_statement(e, place));
                return Ok(());
            }
        };
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
        let value = self.expr_as(tail, &target.ty)?;
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
        self.nothing_pending(target.depth, place.start as usize..place.end as usize)?;
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

    /// Whether the conditions on a statement hold.
    fn is_there(&mut self, of: &syn::Stmt) -> Res<bool> {
        self.t.is_there(attributes(of))
    }

    /// A statement.
    pub(super) fn statement(&mut self, of: &'a syn::Stmt, stmts: &mut Vec<Stmt>) -> Res<()> {
        if !self.is_there(of)? {
            return Ok(());
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
                | syn::Item::Macro(_)
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
            // Two semicolons, as macros write them.
            syn::Stmt::Expr(Expr::Verbatim(tokens), _) if tokens.is_empty() => Ok(()),
            syn::Stmt::Expr(e, _) => self.expression(e, at(of), stmts),
            // Its statics are those of the module that the block is.
            syn::Stmt::Macro(of) if self.t.names.is_local(&of.mac) => Ok(()),
            syn::Stmt::Macro(of) => {
                let place = at(of);
                self.within(Extent::Temporaries, place, stmts, |body, stmts| {
                    let value = body.macro_call(&of.mac, None)?;
                    let scope = Some(body.scopes.len() - 1);
                    let e = body.unused(value, scope, &span(of), stmts)?;
                    stmts.push(expression_statement(e, place));
                    Ok(())
                })
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
        self.within(Extent::Temporaries, place, stmts, |body, stmts| {
            let around = body.statement.replace(body.scopes.len() - 1);
            let made = body.control_statement(e, None, stmts);
            body.statement = around;
            if made? {
                return Ok(());
            }
            let value = body.expr(e, None)?;
            let scope = Some(body.scopes.len() - 1);
            let e = body.unused(value, scope, &span(e), stmts)?;
            stmts.push(expression_statement(e, place));
            Ok(())
        })
    }

    /// A value that is not used, and dropped with this scope.
    pub(super) fn unused(
        &mut self,
        value: Val,
        scope: Option<usize>,
        of: &Span,
        stmts: &mut Vec<Stmt>,
    ) -> Res<typed::Expr> {
        if !self.needs_drop(&value.ty) {
            return Ok(value.e);
        }
        let place = value.e.place;
        let pl = self.kept_in(scope, value, of, stmts)?;
        Ok(super::build::address(pl.lvalue, place))
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
        let floor = self.scopes.len();
        self.scopes.push(Scope::of(Extent::Operand));
        let made = make(self, Some((local, &ty)));
        self.scopes.truncate(floor);
        let made = made?;
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

/// How a block ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// With an expression, which may have the value `()`.
    Value,
    Nothing,
    /// With a statement after which nothing is executed.
    Jump,
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
            Expr::Paren(e) => {
                matches!(&*e.expr, Expr::Macro(e) if is_panic(&e.mac))
            }
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
