//! Variables: where each one is, and which of them a thread captures.
//!
//! A thread is a function of its own, whose parameters are what its closure captures: values of
//! variables that cannot change, and addresses of others.

use super::build::{address, deref, load};
use super::drops::Dropping;
use super::{Body, Pl, build};
use crate::lower::typed::{self, FunctionId, Local, LocalId};
use crate::rust::types::Ty;
use crate::rust::unit::{Context, Res};
use crate::text::{Place, Span};
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

/// A part of the text at whose end values are dropped, those of `drops` from the last to the first.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    pub(super) names: Vec<(String, usize)>,
    pub(super) drops: Vec<Dropping>,
    /// The module that the block is, if it has items.
    pub(super) module: Option<usize>,
    pub(super) extent: Extent,
}

/// Which temporary values end with a scope.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    /// None: it is a block, or what a pattern binds.
    #[default]
    Variables,
    /// Those of a statement, a condition, an arm, or the body of a branch, a loop or a function.
    Temporaries,
    /// Those of the value of a block or of the condition of an `if let`, since edition 2024. Until 2021
    /// they end with the scope around, before which a branch may be executed.
    Rescoped(Then),
    /// None: it is the operand of an expression that is evaluated further afterwards.
    Operand,
}

/// What is executed between the end of a rescoped part and that of the scope around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Then {
    Nothing,
    /// The `else` of an `if let`.
    Branch,
}

impl Scope {
    pub(super) fn of(extent: Extent) -> Self {
        Self {
            extent,
            ..Self::default()
        }
    }
}

/// A variable.
#[derive(Clone)]
pub(super) struct Var<'a> {
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) mutable: bool,
    pub(super) at: Where<'a>,
    pub(super) frame: usize,
}

#[derive(Clone)]
pub(super) enum Where<'a> {
    Local(LocalId),
    /// What is called is part of the text where that happens.
    Callable(Callable<'a>),
    /// Its declaration has an error.
    Broken,
}

/// What is called by the name of a variable.
#[derive(Clone)]
pub(super) enum Callable<'a> {
    Closure {
        closure: &'a syn::ExprClosure,
        /// What its names stand for.
        scopes: Vec<Scope>,
        context: Context,
    },
    /// A function, or what makes a structure or a variant.
    Path {
        path: &'a syn::ExprPath,
        context: Context,
    },
}

impl Callable<'_> {
    /// Whether it changes what it has captured by value.
    pub(super) fn has_state(&self) -> bool {
        match self {
            Callable::Closure { scopes, .. } => {
                scopes.last().is_some_and(|copied| !copied.names.is_empty())
            }
            Callable::Path { .. } => false,
        }
    }
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

    /// Makes the items of a block known in the innermost scope. They are visible in the whole block.
    pub(super) fn name_items(&mut self, of: &'a syn::Block) -> Res<()> {
        let Some(module) = self.t.names.block(of) else {
            let mut stmts = of.stmts.iter();
            return match stmts.find(|stmt| matches!(stmt, syn::Stmt::Item(_))) {
                Some(item) => self.refuse(
                    "an item is not supported in this place",
                    crate::rust::source::span(item),
                    "define it outside of the expression",
                ),
                None => Ok(()),
            };
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.module = Some(module);
        }
        for stmt in &of.stmts {
            let name = match stmt {
                syn::Stmt::Item(syn::Item::Static(item)) => &item.ident,
                syn::Stmt::Item(syn::Item::Const(item)) => &item.ident,
                syn::Stmt::Item(syn::Item::Fn(item)) => &item.sig.ident,
                _ => continue,
            };
            if self.find(&name.to_string()).is_some() {
                // It is not known what the name stands for.
                let frame = self.frames.len() - 1;
                self.name_var(Var {
                    name: name.to_string(),
                    ty: Ty::Unit,
                    mutable: false,
                    at: Where::Broken,
                    frame,
                });
                return self.refuse(
                    format!("`{name}` hides a variable of this name"),
                    crate::rust::source::span(name),
                    "give one of them another name",
                );
            }
        }
        Ok(())
    }

    /// The module whose items are visible here: that of a block, or the function's.
    pub(super) fn module(&self) -> usize {
        let mut modules = self.scopes.iter().rev().filter_map(|scope| scope.module);
        modules.next().unwrap_or(self.context.module)
    }

    /// What names stand for here.
    pub(super) fn here(&self) -> Context {
        Context {
            module: self.module(),
            ..self.context.clone()
        }
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
                // What the library is given is part of the function that calls it.
                Where::Callable(callable) if self.t.is_library(&span) => {
                    self.closure_place(callable, place)
                }
                Where::Callable(callable) => self.escapes(&callable),
                Where::Broken | Where::Local(_) => Err(self.t.reported()),
            };
        };
        let here = self.frames.len() - 1;
        let typed = self.typed(&var.ty);
        if var.frame == here {
            return Ok(Pl {
                lvalue: build::local(local, typed, place),
                ty: var.ty,
            });
        }
        for frame in var.frame + 1..=here {
            if let Some(closure) = self.frames[frame].closure {
                self.note_use(closure, &var.name);
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
    pub(super) fn address_of(&mut self, of: typed::Lvalue, place: Place) -> typed::Expr {
        let mut root = &of;
        let local = loop {
            match &root.kind {
                typed::LvalueKind::Local(local) => break Some(*local),
                typed::LvalueKind::Member(inner, _)
                | typed::LvalueKind::Bits(inner, _)
                | typed::LvalueKind::Element(inner, _) => {
                    root = inner;
                }
                typed::LvalueKind::Object(_) | typed::LvalueKind::Deref(_) => break None,
            }
        };
        if let (Some(local), Some(frame)) = (local, self.frames.last_mut()) {
            frame.locals[local.0].addressed = true;
        }
        // `&*p` is `p`.
        if let typed::LvalueKind::Deref(pointer) = of.kind {
            return pointer;
        }
        address(of, place)
    }

    /// Whether the variable stays what it is, so that another thread may have a copy.
    pub(super) fn is_constant(&self, number: usize) -> bool {
        let var = &self.vars[number];
        !var.mutable && self.is_copied(&self.infer.settled(&var.ty))
    }

    /// Whether a value of this type is nothing but its bits, as long as it is not assigned.
    pub(super) fn is_copied(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Unit
            | Ty::Never
            | Ty::Bool
            | Ty::Char
            | Ty::Int { .. }
            | Ty::Ordering
            | Ty::Ptr(..)
            | Ty::Const(_)
            | Ty::Handle(_)
            | Ty::Scope
            | Ty::Model
            | Ty::Thread
            | Ty::Failure
            | Ty::Text
            | Ty::Called(_)
            | Ty::Var(_) => true,
            Ty::Adt(id, arguments) => {
                let of = &self.t.names.adts[*id];
                let is_plain = of.is_number()
                    || [self.t.names.lang.option, self.t.names.lang.result].contains(id);
                is_plain && arguments.iter().all(|ty| self.is_copied(ty))
            }
            Ty::Tuple(types) => types.iter().all(|ty| self.is_copied(ty)),
            Ty::Array(ty, _) => self.is_copied(ty),
            Ty::Closure(id) => {
                let held = self.t.held.get(id);
                held.is_some_and(|held| held.members.iter().all(|(_, ty)| self.is_copied(ty)))
            }
            Ty::Atomic(_)
            | Ty::Handles(_)
            | Ty::Mutex(_)
            | Ty::RwLock(_)
            | Ty::Guard(..)
            | Ty::Dyn(_)
            | Ty::Condvar
            | Ty::Cell(_)
            | Ty::Slot(..) => false,
        }
    }
}
