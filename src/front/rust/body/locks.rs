//! Locks and condition variables: what their methods do, and the guards that they yield.
//!
//! No thread panics, so no lock is poisoned: what `lock` and its like yield is `Ok`.

use super::build::{boolean, known, not, sequence, stmt, truth};
use super::method::Method;
use super::{Body, Pl, Val};
use crate::lower::typed::{self, StmtKind};
use crate::lower::{direct, operation::Operation};
use crate::rust::source::{implied, span};
use crate::rust::types::{Held, Ptr, Ty};
use crate::rust::unit::{Res, void};
use crate::text::Place;

impl<'a> Body<'_, 'a> {
    /// A method of a `Mutex` or an `RwLock`.
    pub(super) fn lock_method(
        &mut self,
        pl: &Pl,
        ty: &Ty,
        of: &Method<'_, 'a>,
    ) -> Res<Option<Val>> {
        let made = match (ty, of.name, of.arguments.len()) {
            (Ty::Mutex(inner), "lock", 0) => self.taken(pl, (Held::Mutex, inner), of.place),
            (Ty::Mutex(inner), "try_lock", 0) => self.tried(pl, (Held::Mutex, inner), of.place),
            (Ty::RwLock(inner), "read", 0) => self.taken(pl, (Held::Read, inner), of.place),
            (Ty::RwLock(inner), "write", 0) => self.taken(pl, (Held::Write, inner), of.place),
            (Ty::RwLock(inner), "try_read", 0) => self.tried(pl, (Held::Read, inner), of.place),
            (Ty::RwLock(inner), "try_write", 0) => self.tried(pl, (Held::Write, inner), of.place),
            (Ty::Mutex(inner) | Ty::RwLock(inner), "get_mut", 0) => {
                let content = self.content_of_lock(pl, inner, of.place);
                let address = self.address_of(content.lvalue, of.place);
                let ty = Ty::pointer(Ptr::Ref, content.ty);
                self.guarded(address, ty, of.place)
            }
            (Ty::Mutex(inner) | Ty::RwLock(inner), "into_inner", 0) => {
                let mut stmts = Vec::new();
                let whole = if self.needs_drop(ty) {
                    self.moved_value(pl, of.place, &of.span)?
                } else {
                    Val {
                        e: super::build::load(pl.lvalue.clone(), of.place),
                        ty: ty.clone(),
                    }
                };
                let whole = self.spill(whole, &mut stmts);
                let content = self.content_of_lock(&whole, inner, of.place);
                let value = if content.lvalue.ty.is_void() {
                    super::build::unit(of.place)
                } else {
                    super::build::load(content.lvalue, of.place)
                };
                let made = self.guarded(value, content.ty, of.place);
                Val {
                    e: sequence(stmts, made.e),
                    ty: made.ty,
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(made))
    }

    /// What is in a lock.
    fn content_of_lock(&mut self, pl: &Pl, inner: &Ty, place: Place) -> Pl {
        let typed = self.typed(inner);
        let lvalue = if typed.is_void() {
            typed::Lvalue {
                ty: typed,
                ..pl.lvalue.clone()
            }
        } else {
            super::build::member(pl.lvalue.clone(), 1, typed, place)
        };
        Pl {
            lvalue,
            ty: inner.clone(),
        }
    }

    /// Waits for a lock.
    fn taken(&mut self, pl: &Pl, (held, inner): (Held, &Ty), place: Place) -> Val {
        let entry = match held {
            Held::Mutex => &direct::LOCK,
            Held::Read => &direct::LOCK_READ,
            Held::Write => &direct::LOCK_WRITE,
        };
        let guard = Ty::Guard(held, Box::new(inner.clone()));
        let mut stmts = Vec::new();
        let (address, call) = self.with_lock(pl, &guard, (entry, void()), &mut stmts, place);
        stmts.push(Self::effect(call));
        self.guarded(sequence(stmts, address), guard, place)
    }

    /// Tries to take a lock.
    fn tried(&mut self, pl: &Pl, (held, inner): (Held, &Ty), place: Place) -> Val {
        let entry = match held {
            Held::Mutex => &direct::TRY_LOCK,
            Held::Read => &direct::TRY_LOCK_READ,
            Held::Write => &direct::TRY_LOCK_WRITE,
        };
        let guard = Ty::Guard(held, Box::new(inner.clone()));
        let mut stmts = Vec::new();
        let (address, call) = self.with_lock(pl, &guard, (entry, boolean()), &mut stmts, place);
        let ty = self.t.try_lock_result(guard);
        let e = self.tagged(&ty, not(call), address, place);
        Val {
            e: sequence(stmts, e),
            ty,
        }
    }

    /// The address of what is locked, which is what its guard is, and the call of a function of its
    /// lock.
    fn with_lock(
        &mut self,
        pl: &Pl,
        guard: &Ty,
        (entry, returns): (&'static Operation, typed::Type),
        stmts: &mut Vec<typed::Stmt>,
        place: Place,
    ) -> (typed::Expr, typed::Expr) {
        let address = self.address_of(pl.lvalue.clone(), place);
        let address = self.hold(address, guard, stmts);
        let lock = self.lock_of(address.clone(), place);
        (address, known(entry, vec![lock], returns, place))
    }

    /// A guard as a `Result`.
    fn guarded(&mut self, guard: typed::Expr, ty: Ty, place: Place) -> Val {
        let ty = self.t.lock_result(ty);
        let e = self.tagged(&ty, truth(false, place), guard, place);
        Val { e, ty }
    }

    /// A method of a `Condvar`.
    pub(super) fn condvar_method(&mut self, pl: &Pl, of: &Method<'_, 'a>) -> Res<Option<Val>> {
        let place = of.place;
        match (of.name, of.arguments.len()) {
            ("wait", 1) => {
                let (guard, ty, mut stmts) = self.waiting(of)?;
                let wait = self.wait(pl, &guard, place);
                stmts.push(Self::effect(wait));
                Ok(Some(self.guarded(sequence(stmts, guard), ty, place)))
            }
            ("wait_while", 2) => {
                let (guard, ty, mut stmts) = self.waiting(of)?;
                let Ty::Guard(_, inner) = &ty else {
                    return Ok(None);
                };
                let kept = Pl {
                    lvalue: self.spill_guard(&guard, &ty, &mut stmts),
                    ty: ty.clone(),
                };
                let Some(value) = self.deref_once(&kept, place)? else {
                    return Ok(None);
                };
                let argument = Val {
                    e: self.address_of(value.lvalue, place),
                    ty: Ty::pointer(Ptr::Ref, (**inner).clone()),
                };
                let going =
                    self.inline_closure(&of.arguments[1], &[argument], Some(&Ty::Bool), place)?;
                let going = self.coerce(going, &Ty::Bool, span(&of.arguments[1]))?;
                let wait = Self::effect(self.wait(pl, &guard, place));
                let kind = StmtKind::While(going.e, Box::new(wait));
                stmts.push(stmt(kind, implied(place)));
                Ok(Some(self.guarded(sequence(stmts, guard), ty, place)))
            }
            ("notify_one" | "notify_all", 0) => {
                let entry = match (of.name, self.t.options.forbid_stuck) {
                    // A wait may end at any time, and nothing is promised about buffers.
                    (_, false) => &direct::IGNORE,
                    ("notify_one", true) => &direct::NOTIFY_ONE,
                    (_, true) => &direct::NOTIFY_ALL,
                };
                let condition = self.address_of(pl.lvalue.clone(), place);
                Ok(Some(Val {
                    e: known(entry, vec![condition], void(), place),
                    ty: Ty::Unit,
                }))
            }
            _ => Ok(None),
        }
    }

    /// The guard that a wait takes and yields again.
    fn waiting(&mut self, of: &Method<'_, 'a>) -> Res<(typed::Expr, Ty, Vec<typed::Stmt>)> {
        let inner = self.infer.fresh(of.span.start, false);
        let ty = Ty::Guard(Held::Mutex, Box::new(inner));
        let value = self.expr_as(&of.arguments[0], &ty)?;
        let mut stmts = Vec::new();
        let guard = self.hold(value.e, &ty, &mut stmts);
        Ok((guard, ty, stmts))
    }

    /// A variable with a guard in it.
    fn spill_guard(
        &mut self,
        guard: &typed::Expr,
        ty: &Ty,
        stmts: &mut Vec<typed::Stmt>,
    ) -> typed::Lvalue {
        let value = Val {
            e: guard.clone(),
            ty: ty.clone(),
        };
        self.spill(value, stmts).lvalue
    }

    fn wait(&mut self, pl: &Pl, guard: &typed::Expr, place: Place) -> typed::Expr {
        let condition = self.address_of(pl.lvalue.clone(), place);
        let lock = self.lock_of(guard.clone(), place);
        known(&direct::WAIT, vec![condition, lock], void(), place)
    }
}
