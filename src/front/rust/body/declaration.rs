//! Declarations of variables.

use super::build::{declare, expression_statement, stmt};
use super::drops::Dropping;
use super::scope::{Extent, Scope, Var, Where};
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
        if let (Pat::Ident(_), Expr::Closure(_)) = (pattern, &*init.expr)
            && !self.is_held(&init.expr)
        {
            let callable = self.callable(&init.expr, stmts)?;
            self.name_callable(pattern, callable);
            return Ok(());
        }
        // What its value refers to lives as long as the variable.
        let scope = self.scopes.len() - 1;
        let before = self.scopes[scope].drops.len();
        if binds_by_reference(pattern) {
            self.extend_operand(&init.expr, scope);
        }
        self.extend(&init.expr, scope);
        let mut inner = Vec::new();
        let made = if binds_mutably(pattern) && self.is_place(&init.expr) {
            self.written_at(|body| body.initialised(pattern, ty, &init.expr, place, &mut inner))
        } else {
            self.initialised(pattern, ty, &init.expr, place, &mut inner)
        };
        let kept = self.scopes[scope].drops.iter().skip(before);
        let kept: Vec<Dropping> = kept
            .filter(|of| self.extended.contains_key(&(of.span.start, of.span.end)))
            .cloned()
            .collect();
        stmts.extend(Self::declared(&kept, place));
        stmts.extend(inner);
        made
    }

    /// The declaration of what a pattern names, with the parts of this value.
    fn initialised(
        &mut self,
        pattern: &'a Pat,
        ty: Option<Ty>,
        init: &'a Expr,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        match pattern {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                let ty = ty.unwrap_or_else(|| self.infer.fresh(span(pattern).start, false));
                let local = self.local(&name.ident.to_string(), &ty);
                self.names_thread = Some(name.ident.to_string());
                let mut own = Vec::new();
                let floor = self.scopes.len();
                self.scopes.push(Scope::of(Extent::Temporaries));
                let made = self.values_of(init, &ty, &mut own);
                let temps = self.close(floor);
                self.names_thread = None;
                let values = made?;
                stmts.extend(Self::declared(&temps, place));
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
            Pat::Wild(_) => self.within(Extent::Temporaries, place, stmts, |body, stmts| {
                body.ignored(init, stmts)
            }),
            Pat::Tuple(tuple) if matches!(init, Expr::Tuple(_)) => {
                let Expr::Tuple(values) = init else {
                    return Ok(());
                };
                let whole = ty.unwrap_or_else(|| self.infer.fresh(span(pattern).start, false));
                if self.needs_drop(&whole) && leaves_out(pattern) {
                    return self.taken_apart(pattern, &whole, init, place, stmts);
                }
                // `let (a, b) = (x, y);`: all values come first.
                if tuple.elems.len() != values.elems.len() {
                    return self.error("the pattern has another number of parts", span(tuple));
                }
                let mut bound = Vec::new();
                let mut own = Vec::new();
                let types = match self.infer.shallow(&whole) {
                    Ty::Tuple(types) if types.len() == values.elems.len() => types,
                    _ => {
                        let parts = values.elems.iter();
                        let start = |e| span(e).start;
                        parts.map(|e| self.infer.fresh(start(e), false)).collect()
                    }
                };
                self.unify(&whole, &Ty::Tuple(types.clone()), span(init))?;
                self.within(Extent::Temporaries, place, &mut own, |body, stmts| {
                    let pending = body.pending.len();
                    for ((pattern, e), ty) in tuple.elems.iter().zip(&values.elems).zip(types) {
                        let value = body.expr_as(e, &ty)?;
                        body.pend(&ty);
                        let local = body.local("temporary", &ty);
                        let values = if value.e.ty.is_void() {
                            stmts.push(Self::effect(value.e));
                            Vec::new()
                        } else {
                            vec![(Vec::new(), value.e)]
                        };
                        stmts.push(declare(local, values, place_in(place, at(e))));
                        bound.push((pattern, local, ty));
                    }
                    body.pending.truncate(pending);
                    Ok(())
                })?;
                stmts.extend(own);
                for (pattern, local, ty) in bound {
                    self.parameter(pattern, local, ty, stmts)?;
                }
                Ok(())
            }
            pattern => {
                let ty = ty.unwrap_or_else(|| self.infer.fresh(span(pattern).start, false));
                if self.needs_drop(&ty) {
                    return self.taken_apart(pattern, &ty, init, place, stmts);
                }
                let value = self.with_temps(|body| body.expr_as(init, &ty))?;
                let local = self.local("temporary", &ty);
                stmts.push(declare(local, vec![(Vec::new(), value.e)], place));
                self.parameter(pattern, local, ty, stmts)
            }
        }
    }

    /// The declaration of names for parts of a value, whose other parts end where it does: with the statement, if
    /// it is a temporary value.
    fn taken_apart(
        &mut self,
        pattern: &'a Pat,
        ty: &Ty,
        e: &'a Expr,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let mut later = Vec::new();
        let mut inner = Vec::new();
        self.within(Extent::Temporaries, place, &mut inner, |body, stmts| {
            let pl = body.matched_as(e, ty, stmts)?;
            let mut bindings = Vec::new();
            if body.pattern(pattern, &pl, &mut bindings)?.is_some() {
                return body.error("this pattern may not match", span(pattern));
            }
            for binding in bindings {
                later.push(body.bind_apart(binding, stmts)?);
            }
            Ok(())
        })?;
        for (name, local, ty) in later {
            inner.extend(self.bind_assigned(name, local, ty, place, stmts));
        }
        stmts.extend(inner);
        Ok(())
    }

    /// Declares a name for a variable that gets its value later; what notes that it has it.
    pub(super) fn bind_assigned(
        &mut self,
        name: &syn::PatIdent,
        local: LocalId,
        ty: Ty,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) -> Vec<Stmt> {
        stmts.push(declare(local, Vec::new(), implied(place)));
        self.bind_local(name, local, ty, false, place, stmts);
        let drops = self.scopes.last().and_then(|scope| scope.drops.last());
        match drops {
            Some(dropping) if dropping.local == local => Self::set_flags(dropping, place),
            Some(_) | None => Vec::new(),
        }
    }

    /// Notes the temporary values that an initial value refers to: they live as long as the variable.
    fn extend(&mut self, e: &Expr, scope: usize) {
        match e {
            Expr::Paren(e) => self.extend(&e.expr, scope),
            Expr::Group(e) => self.extend(&e.expr, scope),
            Expr::Cast(e) => self.extend(&e.expr, scope),
            Expr::Tuple(e) => e.elems.iter().for_each(|e| self.extend(e, scope)),
            Expr::Array(e) => e.elems.iter().for_each(|e| self.extend(e, scope)),
            Expr::Struct(e) => e.fields.iter().for_each(|of| self.extend(&of.expr, scope)),
            Expr::Call(e) if is_constructor(&e.func) => {
                e.args.iter().for_each(|e| self.extend(e, scope));
            }
            Expr::Block(e) => self.extend_tail(&e.block, scope),
            Expr::Unsafe(e) => self.extend_tail(&e.block, scope),
            Expr::If(e) => {
                self.extend_tail(&e.then_branch, scope);
                if let Some((_, other)) = &e.else_branch {
                    self.extend(other, scope);
                }
            }
            Expr::Match(e) => e.arms.iter().for_each(|arm| self.extend(&arm.body, scope)),
            Expr::Reference(e) => self.extend_operand(&e.expr, scope),
            Expr::RawAddr(e) => self.extend_operand(&e.expr, scope),
            _ => {}
        }
    }

    fn extend_tail(&mut self, of: &syn::Block, scope: usize) {
        if let Some(syn::Stmt::Expr(tail, None)) = of.stmts.last() {
            self.extend(tail, scope);
        }
    }

    /// The same for what is borrowed.
    fn extend_operand(&mut self, e: &Expr, scope: usize) {
        let of = span(e);
        self.extended.insert((of.start, of.end), scope);
        match e {
            Expr::Paren(e) => self.extend_operand(&e.expr, scope),
            Expr::Group(e) => self.extend_operand(&e.expr, scope),
            Expr::Field(e) => self.extend_operand(&e.base, scope),
            Expr::Index(e) => self.extend_operand(&e.expr, scope),
            Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => {
                self.extend_operand(&e.expr, scope);
            }
            e => self.extend(e, scope),
        }
    }

    /// `let _ = e;` and `_ = e;`, which move nothing out of a place.
    pub(super) fn ignored(&mut self, e: &'a Expr, stmts: &mut Vec<Stmt>) -> Res<()> {
        let place = at(e);
        let e = if self.is_place(e) {
            if self.edition().captures_parts() && is_path(e) {
                // No closure captures it for this.
                return Ok(());
            }
            let pl = self.place(e)?;
            if is_path(e) && self.needs_drop(&pl.ty) && self.captured_at(&pl.lvalue).is_some() {
                return self.refuse(
                    "`_` in a thread for a captured value whose end has an effect is not supported before edition 2021",
                    span(e),
                    "give it a name in the thread",
                );
            }
            self.address_of(pl.lvalue, place)
        } else {
            let value = self.expr(e, None)?;
            let scope = self.innermost(|extent| extent == Extent::Temporaries);
            self.unused(value, scope, &span(e), stmts)?
        };
        stmts.push(expression_statement(e, place));
        Ok(())
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
                // What the pattern leaves out ends with the variable.
                self.drop_unnamed(local, ty.clone(), span(pattern), stmts);
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
                self.bind(bindings, stmts)
            }
        }
    }

    /// What an unnamed variable holds is dropped at the end of the block, too.
    fn drop_unnamed(&mut self, local: LocalId, ty: Ty, span: Span, stmts: &mut Vec<Stmt>) {
        if self.needs_drop(&ty) {
            let at = place(span.clone());
            let dropping = self.own(local, ty, span);
            stmts.extend(Self::declare_flags(&dropping, true, at));
            if let Some(scope) = self.scopes.last_mut() {
                scope.drops.push(dropping);
            }
        }
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
        self.drop_at_end(local, ty, span(&name.ident), (initialised, place), stmts);
    }

    /// The same for `self`.
    pub(super) fn bind_receiver(
        &mut self,
        local: LocalId,
        ty: Ty,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) {
        self.name_local("self", local, ty.clone(), false);
        let span = place.start as usize..place.end as usize;
        self.drop_at_end(local, ty, span, (true, place), stmts);
    }

    /// What has to happen at the end of the variable that was named last.
    fn drop_at_end(
        &mut self,
        local: LocalId,
        ty: Ty,
        span: Span,
        (initialised, place): (bool, Place),
        stmts: &mut Vec<Stmt>,
    ) {
        if !self.needs_drop(&ty) {
            return;
        }
        let dropping = self.own(local, ty, span);
        stmts.extend(Self::declare_flags(&dropping, initialised, place));
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
                frame,
            });
        }
    }
}

/// Whether a place is a variable or a part of one, as far as the text says.
fn is_path(e: &Expr) -> bool {
    match e {
        Expr::Paren(e) => is_path(&e.expr),
        Expr::Field(e) => is_path(&e.base),
        Expr::Path(path) => path.path.get_ident().is_some(),
        _ => false,
    }
}

/// Whether a pattern leaves out parts.
pub(super) fn leaves_out(pattern: &Pat) -> bool {
    let text = text_of(pattern);
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
    words.any(|word| matches!(word, "_" | ".."))
}

/// Whether a pattern binds a name with `ref`.
pub(super) fn binds_by_reference(pattern: &Pat) -> bool {
    let text = text_of(pattern);
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == "ref")
}

/// Whether a pattern binds a name with `ref mut`.
pub(super) fn binds_mutably(pattern: &Pat) -> bool {
    let text = text_of(pattern);
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.windows(2).any(|two| two == ["ref", "mut"])
}

/// Whether what is called makes a structure or a variant: its name is a name of a type.
fn is_constructor(e: &Expr) -> bool {
    let Expr::Path(path) = e else {
        return false;
    };
    let last = path.path.segments.last().map(|last| last.ident.to_string());
    last.is_some_and(|last| last.starts_with(char::is_uppercase))
}

/// The first of two places if the second is inside of it at its beginning.
fn place_in(whole: Place, part: Place) -> Place {
    implied(if part.start >= whole.start {
        part
    } else {
        whole
    })
}
