//! Variables: where each one is, and which of them a thread captures.
//!
//! A thread is a function of its own, whose parameters are what its closure captures: values of
//! variables that cannot change, and addresses of others.

use super::build::{address, deref, load};
use super::drops::Dropping;
use super::{Body, Pl, build};
use crate::c::hir::{self, FunctionId, Local, LocalId};
use crate::c::token::Place;
use crate::rust::types::Ty;
use crate::rust::unit::Res;
use crate::text::Span;
use std::collections::BTreeMap;

/// A function or a thread that is being checked.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) function: FunctionId,
    pub(super) locals: Vec<Local>,
    /// The parameters that captured variables are, by the numbers of the variables.
    pub(super) captures: BTreeMap<usize, Capture>,
    /// Where its closure begins, if it is a thread.
    pub(super) closure: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Capture {
    pub(super) local: LocalId,
    pub(super) by_address: bool,
}

impl Frame {
    pub(super) fn new(function: FunctionId) -> Self {
        Self {
            function,
            locals: Vec::new(),
            captures: BTreeMap::new(),
            closure: None,
        }
    }
}

/// A block.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    pub(super) names: Vec<(String, usize)>,
    pub(super) drops: Vec<Dropping>,
}

/// A variable.
#[derive(Clone)]
pub(super) struct Var<'a> {
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) mutable: bool,
    pub(super) at: Where<'a>,
    /// The variable that is 1 while it has a value that has to be dropped.
    pub(super) flag: Option<LocalId>,
    pub(super) frame: usize,
}

#[derive(Clone)]
pub(super) enum Where<'a> {
    Local(LocalId),
    /// A closure is part of the text where it is called.
    Closure(&'a syn::ExprClosure, Vec<Scope>),
    /// A static of the function: an object of the program, which all threads and calls share.
    Static(hir::ObjectId),
    /// Its declaration has an error.
    Broken,
}

impl<'a> Body<'_, 'a> {
    /// Gives a local variable a name.
    pub(super) fn name_local(&mut self, name: &str, local: LocalId, ty: Ty, mutable: bool) {
        let frame = self.frames.len() - 1;
        if let Some(local) = self.frames[frame].locals.get_mut(local.0) {
            name.clone_into(&mut local.name);
        }
        let var = Var {
            name: name.to_owned(),
            ty,
            mutable,
            at: Where::Local(local),
            flag: None,
            frame,
        };
        self.name_var(var);
    }

    pub(super) fn name_var(&mut self, var: Var<'a>) {
        let number = self.vars.len();
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.push((var.name.clone(), number));
        }
        self.vars.push(var);
    }

    /// Gives the items of a block their names, which are visible in the whole block. Those other than
    /// statics are refused where they are; their uses are no further errors.
    pub(super) fn name_items(&mut self, of: &'a syn::Block) -> Res<()> {
        for stmt in &of.stmts {
            let syn::Stmt::Item(item) = stmt else {
                continue;
            };
            let item = match item {
                syn::Item::Static(item) => item,
                syn::Item::Const(item) => {
                    self.name_item(&item.ident, Ty::Unit, Where::Broken);
                    continue;
                }
                syn::Item::Fn(item) => {
                    self.name_item(&item.sig.ident, Ty::Unit, Where::Broken);
                    continue;
                }
                _ => continue,
            };
            match self.t.names.holds_all(&item.attrs) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => return Err(self.t.report(error)),
            }
            let (id, ty) = self.t.static_object(self.context.module, item)?;
            self.name_item(&item.ident, ty, Where::Static(id));
        }
        Ok(())
    }

    fn name_item(&mut self, name: &syn::Ident, ty: Ty, at: Where<'a>) {
        let frame = self.frames.len() - 1;
        self.name_var(Var {
            name: name.to_string(),
            ty,
            mutable: false,
            at,
            flag: None,
            frame,
        });
    }

    /// The variable that a name stands for.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let names = self
            .scopes
            .iter()
            .rev()
            .flat_map(|scope| scope.names.iter().rev());
        let mut names = names.filter(|(own, _)| own == name);
        names.next().map(|(_, number)| *number)
    }

    /// A variable as a place.
    pub(super) fn variable(&mut self, number: usize, place: Place, span: Span) -> Res<Pl> {
        let var = self.vars[number].clone();
        let Where::Local(local) = var.at else {
            return match var.at {
                Where::Closure(..) => self.refuse(
                    "a closure is not supported as a value",
                    span,
                    "call it, give it to `spawn`, or write a function",
                ),
                Where::Static(id) => {
                    let hir = self.hir(&var.ty);
                    Ok(Pl {
                        lvalue: build::object(id, hir, place),
                        ty: var.ty,
                    })
                }
                Where::Broken | Where::Local(_) => Err(self.t.reported()),
            };
        };
        let here = self.frames.len() - 1;
        let hir = self.hir(&var.ty);
        if var.frame == here {
            return Ok(Pl {
                lvalue: build::local(local, hir, place),
                ty: var.ty,
            });
        }
        for frame in var.frame + 1..=here {
            if let Some(closure) = self.frames[frame].closure {
                let used = self.used.entry(closure).or_default();
                used.insert(var.name.clone());
            }
        }
        let Some(capture) = self.frames[here].captures.get(&number).copied() else {
            return self.error(format!("`{}` cannot be captured here", var.name), span);
        };
        let own = self.frames[here].locals[capture.local.0].ty.clone();
        let own = build::local(capture.local, own, place);
        let lvalue = if capture.by_address {
            deref(load(own, place), place)
        } else {
            own
        };
        Ok(Pl { lvalue, ty: var.ty })
    }

    /// The address of a place. What a local variable is then accessed through is not visible here.
    pub(super) fn address_of(&mut self, of: hir::Lvalue, place: Place) -> hir::Expr {
        let mut root = &of;
        let local = loop {
            match &root.kind {
                hir::LvalueKind::Local(local) => break Some(*local),
                hir::LvalueKind::Member(inner, _) | hir::LvalueKind::Element(inner, _) => {
                    root = inner;
                }
                hir::LvalueKind::Object(_) | hir::LvalueKind::Deref(_) => break None,
            }
        };
        if let (Some(local), Some(frame)) = (local, self.frames.last_mut()) {
            frame.locals[local.0].addressed = true;
        }
        // `&*p` is `p`.
        if let hir::LvalueKind::Deref(pointer) = of.kind {
            return pointer;
        }
        address(of, place)
    }

    /// Whether the variable stays what it is, so that another thread may have a copy.
    pub(super) fn is_constant(&self, number: usize) -> bool {
        let var = &self.vars[number];
        !var.mutable && is_copied(&self.infer.settled(&var.ty))
    }
}

/// Whether a value of this type is nothing but its bits, as long as it is not assigned.
pub(super) fn is_copied(ty: &Ty) -> bool {
    match ty {
        Ty::Unit
        | Ty::Never
        | Ty::Bool
        | Ty::Int { .. }
        | Ty::Ordering
        | Ty::Ptr(..)
        | Ty::Const(_)
        | Ty::Handle(_)
        | Ty::Scope
        | Ty::Thread
        | Ty::Failure
        | Ty::Text
        | Ty::Var(_) => true,
        Ty::Tuple(types) => types.iter().all(is_copied),
        Ty::Option(ty) | Ty::Array(ty, _) => is_copied(ty),
        Ty::Result(ty, error) => is_copied(ty) && is_copied(error),
        Ty::Atomic(_)
        | Ty::Adt(..)
        | Ty::Handles(_)
        | Ty::Mutex(_)
        | Ty::Guard(_)
        | Ty::Cell(_) => false,
    }
}
