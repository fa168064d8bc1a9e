//! What is known to the library alone, since nothing of the language says it.

use super::build::{boolean, cast, constant, deref, known, load, sequence, word};
use super::memory::{Known, nothing};
use super::{Body, Val};
use crate::lower::direct;
use crate::lower::operation::Operation;
use crate::lower::typed::{Expr, Stmt};
use crate::rust::source::span;
use crate::rust::types::{Held, Ptr, Ty};
use crate::rust::unit::{Res, void};
use crate::text::Place;

impl<'a> Body<'_, 'a> {
    /// A function of `core::intrinsics`, as the library has it; `None` if it is none of them.
    pub(super) fn intrinsic(
        &mut self,
        of: &Known<'_>,
        arguments: &[&'a syn::Expr],
    ) -> Res<Option<Val>> {
        let place = of.place;
        let simple = |entry: &'static Operation, arguments| {
            let e = known(entry, arguments, void(), place);
            Val { e, ty: Ty::Unit }
        };
        let value = match (of.name, arguments) {
            ("within_capacity", [fits]) => {
                let fits = self.expr_as(fits, &Ty::Bool)?;
                let room = i64::from(self.t.options.capacity);
                let room = constant(room, word(), place);
                simple(&direct::WITHIN_CAPACITY, vec![fits.e, room])
            }
            ("either", []) => Val {
                e: known(&direct::EITHER, Vec::new(), boolean(), place),
                ty: Ty::Bool,
            },
            ("park_timeout", []) => simple(&direct::PARK, vec![constant(0, word(), place)]),
            ("notify_one" | "notify_all", [condition]) => {
                let condition = self.expr(condition, None)?;
                let entry = match (of.name, self.t.options.forbid_stuck) {
                    (_, false) => &direct::IGNORE,
                    ("notify_one", true) => &direct::NOTIFY_ONE_WAITING,
                    (_, true) => &direct::NOTIFY_ALL_WAITING,
                };
                simple(entry, vec![condition.e])
            }
            ("wait", [condition, guard]) => {
                let mut stmts = Vec::new();
                let [condition, lock] = self.waited((condition, guard), &mut stmts, place)?;
                let wait = known(&direct::WAIT, vec![condition, lock], void(), place);
                stmts.push(Self::effect(wait));
                nothing(stmts, place)
            }
            ("wait_timeout", [condition, guard]) => {
                let mut stmts = Vec::new();
                let [condition, lock] = self.waited((condition, guard), &mut stmts, place)?;
                let time = constant(0, word(), place);
                let wait = known(&direct::WAIT, vec![condition, lock, time], word(), place);
                let is_over = cast(wait, boolean());
                Val {
                    e: sequence(stmts, is_over),
                    ty: Ty::Bool,
                }
            }
            (name, _) if super::weak::is_about_counts(name) => {
                self.count_function(of, arguments)?
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// A condition variable and the lock of a guard, of references to both.
    fn waited(
        &mut self,
        (condition, guard): (&'a syn::Expr, &'a syn::Expr),
        stmts: &mut Vec<Stmt>,
        place: Place,
    ) -> Res<[Expr; 2]> {
        let of = span(guard);
        let condition = self.expr(condition, None)?;
        let guard = self.expr(guard, None)?;
        let Ty::Ptr(Ptr::Ref, to) = self.infer.shallow(&guard.ty) else {
            return self.error("this is not a reference to a guard", of);
        };
        let Ty::Guard(Held::Mutex, _) = self.infer.shallow(&to) else {
            return self.error("this is not a guard", of);
        };
        let condition = self.hold(condition.e, &condition.ty, stmts);
        let guard = load(deref(guard.e, place), place);
        let guard = self.hold(guard, &to, stmts);
        Ok([condition, self.lock_of(guard, place)])
    }
}
