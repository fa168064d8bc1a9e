//! Declarations of variables.

use super::build::{declare, stmt};
use super::drops::Dropping;
use super::scope::{Var, Where};
use super::{Body, Pl};
use crate::lower::typed::{LocalId, Stmt, StmtKind};
use crate::rust::source::{at, implied, place, span, text_of};
use crate::rust::types::Ty;
use crate::rust::unit::Res;
use crate::text::{Place, Span};
use syn::{Expr, Pat};

impl<'a> Body<'_, 'a> {
    pub(super) fn declaration(&mut self, of: &'a syn::Local, stmts: &mut Vec<Stmt>) -> Res<()> {
        let (pattern, ty) = match &of.pat {
            Pat::Type(pattern) => (&*pattern.pat, Some(self.written(&pattern.ty)?)),
            pattern => (pattern, None),
        };
        let place = at(of);
        let Some(init) = &of.init else {
            let ty = ty.unwrap_or_else(|| self.infer.fresh(span(pattern).start, false));
            let Pat::Ident(name) = pattern else {
                return self.error(
                    "a declaration without a value declares one name",
                    span(pattern),
                );
            };
            let local = self.local(&name.ident.to_string(), &ty);
            stmts.push(declare(local, Vec::new(), place));
            self.bind_local(name, local, ty, false, place, stmts);
            return Ok(());
        };
        if let Some((_, diverge)) = &init.diverge {
            return self.let_else(pattern, ty, &init.expr, diverge, place, stmts);
        }
        if let (Pat::Ident(name), Expr::Closure(closure)) = (pattern, &*init.expr) {
            let scopes = self.scopes.clone();
            self.name_var(Var {
                name: name.ident.to_string(),
                ty: Ty::Unit,
                mutable: false,
                at: Where::Closure(closure, scopes),
                flag: None,
                frame: self.frames.len() - 1,
            });
            return Ok(());
        }
        match pattern {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                let ty = ty.unwrap_or_else(|| self.infer.fresh(span(pattern).start, false));
                let local = self.local(&name.ident.to_string(), &ty);
                self.names_thread = Some(name.ident.to_string());
                let temps_before = self.temps.len();
                self.temps.push(Vec::new());
                let mut own = Vec::new();
                let made = self.values_of(&init.expr, &ty, &mut own);
                self.names_thread = None;
                let temps = self.temps.pop().unwrap_or_default();
                debug_assert_eq!(temps_before, self.temps.len());
                let values = made?;
                for temp in &temps {
                    let off = vec![(Vec::new(), super::build::truth(false, place))];
                    stmts.push(declare(temp.flag, off, implied(place)));
                }
                stmts.extend(own);
                stmts.push(stmt(
                    StmtKind::Declare(local, values, crate::lower::typed::Initialised::Yes),
                    place,
                ));
                for temp in temps.iter().rev() {
                    stmts.push(self.drop_flagged(temp, place)?);
                }
                self.bind_local(name, local, ty, true, place, stmts);
                Ok(())
            }
            Pat::Wild(_) => {
                let e = &init.expr;
                self.expression(e, place, stmts)
            }
            Pat::Tuple(pattern) if matches!(&*init.expr, Expr::Tuple(_)) => {
                let Expr::Tuple(values) = &*init.expr else {
                    return Ok(());
                };
                // `let (a, b) = (x, y);`: all values come first.
                if pattern.elems.len() != values.elems.len() {
                    return self.error("the pattern has another number of parts", span(pattern));
                }
                let mut bound = Vec::new();
                let types = match ty.map(|ty| self.infer.shallow(&ty)) {
                    Some(Ty::Tuple(types)) => types.into_iter().map(Some).collect(),
                    _ => vec![None; values.elems.len()],
                };
                for ((pattern, e), ty) in pattern.elems.iter().zip(&values.elems).zip(types) {
                    let ty = ty.unwrap_or_else(|| self.infer.fresh(span(e).start, false));
                    let value = self.with_temps(|body| body.expr_as(e, &ty))?;
                    let local = self.local("temporary", &ty);
                    let values = if value.e.ty.is_void() {
                        stmts.push(Self::effect(value.e));
                        Vec::new()
                    } else {
                        vec![(Vec::new(), value.e)]
                    };
                    stmts.push(declare(local, values, place_in(place, at(e))));
                    bound.push((pattern, local, ty));
                }
                for (pattern, local, ty) in bound {
                    self.parameter(pattern, local, ty, stmts)?;
                }
                Ok(())
            }
            pattern => {
                let ty = ty.unwrap_or_else(|| self.infer.fresh(span(pattern).start, false));
                let value = self.with_temps(|body| body.expr_as(&init.expr, &ty))?;
                let local = self.local("temporary", &ty);
                stmts.push(declare(local, vec![(Vec::new(), value.e)], place));
                self.parameter(pattern, local, ty, stmts)
            }
        }
    }

    /// Names what a parameter or another variable without a name holds.
    pub(super) fn parameter(
        &mut self,
        pattern: &'a Pat,
        local: LocalId,
        ty: Ty,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let place = at(pattern);
        match pattern {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.locals[local.0].name = name.ident.to_string();
                }
                self.bind_local(name, local, ty, true, place, stmts);
                Ok(())
            }
            Pat::Wild(_) => {
                self.drop_unnamed(local, ty, span(pattern), stmts);
                Ok(())
            }
            Pat::Paren(pattern) => self.parameter(&pattern.pat, local, ty, stmts),
            pattern => {
                self.names_all(pattern, &ty)?;
                let typed = self.typed(&ty);
                let pl = Pl {
                    lvalue: super::build::local(local, typed, implied(place)),
                    ty,
                };
                let mut bindings = Vec::new();
                let condition = self.pattern(pattern, &pl, &mut bindings)?;
                if condition.is_some() {
                    return self.error("this pattern may not match", span(pattern));
                }
                self.bind(bindings, stmts);
                Ok(())
            }
        }
    }

    /// What an unnamed variable holds is dropped at the end of the block, too.
    fn drop_unnamed(&mut self, local: LocalId, ty: Ty, span: Span, stmts: &mut Vec<Stmt>) {
        if self.needs_drop(&ty) {
            let (flag, set) = self.flag(true, place(span.clone()));
            stmts.push(set);
            let dropping = Dropping {
                local,
                ty,
                flag,
                span,
            };
            if let Some(scope) = self.scopes.last_mut() {
                scope.drops.push(dropping);
            }
        }
    }

    /// Refuses a pattern that leaves out parts of a value whose end has an effect.
    pub(super) fn names_all(&mut self, pattern: &Pat, ty: &Ty) -> Res<()> {
        let text = text_of(pattern);
        let leaves_out = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
        if leaves_out
            .into_iter()
            .any(|word| matches!(word, "_" | ".."))
            && self.needs_drop(ty)
        {
            return self.refuse(
                "a pattern that leaves out parts of a value whose end has an effect is not supported",
                span(pattern),
                "name all parts",
            );
        }
        Ok(())
    }

    /// Gives a local variable its name, and what has to happen at its end.
    pub(super) fn bind_local(
        &mut self,
        name: &syn::PatIdent,
        local: LocalId,
        ty: Ty,
        initialised: bool,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) {
        self.name_local(
            &name.ident.to_string(),
            local,
            ty.clone(),
            name.mutability.is_some(),
        );
        if !self.needs_drop(&ty) {
            return;
        }
        let (flag, set) = self.flag(initialised, place);
        stmts.push(set);
        if let Some(var) = self.vars.last_mut() {
            var.flag = Some(flag);
        }
        let dropping = Dropping {
            local,
            ty,
            flag,
            span: span(&name.ident),
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.drops.push(dropping);
        }
    }

    /// The names of a declaration with an error, so that they cause no more of them.
    pub(super) fn name_broken(&mut self, pattern: &Pat) {
        let of: Span = span(pattern);
        let lexemes = self.t.lexemes;
        let names: Vec<String> = crate::rust::source::words(lexemes, &of).collect();
        let frame = self.frames.len() - 1;
        for name in names {
            self.name_var(Var {
                name,
                ty: Ty::Unit,
                mutable: false,
                at: Where::Broken,
                flag: None,
                frame,
            });
        }
    }
}

/// The first of two places if the second is inside of it at its beginning.
fn place_in(whole: Place, part: Place) -> Place {
    implied(if part.start >= whole.start {
        part
    } else {
        whole
    })
}
