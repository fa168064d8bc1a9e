//! The labels that a property requires a thread not to be at.
//!
//! A thread that has passed a fence at a label is no longer at the label. Usually this does not
//! matter: what the thread observes after the fence it could also observe before. But a property
//! that forbids `!t@l && …` holds while `t` waits at `l`, and fails once `t` has moved on, even if
//! only past a fence. So a fence there may itself cause a violation. A set with such a fence is
//! therefore checked on the changed program, which is what the user would get.
//!
//! Predicates that combine labels with "and" and "or" only have no such labels, and neither have those that
//! count threads, such as `t1@l + t2@l > 1`: with fewer threads at labels, they fail.

use super::place::Place;
use crate::program::{
    BinaryOp, Expr, FenceKind, Goal, LocId, Observable, Program, PropertyKind, ThreadId,
};
use std::collections::BTreeSet;

/// The locations of these labels.
#[derive(Default)]
pub(super) struct NegatedLabels(BTreeSet<(ThreadId, LocId)>);

impl NegatedLabels {
    /// The negated labels of some goals.
    pub(super) fn of(program: &Program, goals: &[Goal]) -> Self {
        let mut locations = BTreeSet::new();
        for goal in goals {
            let Goal::Property(number) = *goal else {
                continue;
            };
            let property = &program.properties()[number];
            // When all threads have ended, no thread is at a location where a fence is allowed.
            if property.kind == PropertyKind::Forbid {
                collect(&property.predicate, &mut locations);
            }
        }
        Self(locations)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn contains(&self, thread: ThreadId, loc: LocId) -> bool {
        self.0.contains(&(thread, loc))
    }

    /// Whether a thread that has passed a fence at this place has left a negated label.
    pub(super) fn displaced_by(&self, place: &Place) -> bool {
        place.kind != FenceKind::Exchange
            && place.points.iter().any(|&(t, loc)| self.contains(t, loc))
    }
}

/// Collects the labels in a predicate that may hold because no thread is there.
fn collect(e: &Expr<Observable>, into: &mut BTreeSet<(ThreadId, LocId)>) {
    match e {
        Expr::Const(_) | Expr::Var(_) => {}
        Expr::Binary(BinaryOp::Eq, a, b) if is_place(a) && b.as_const() == Some(1) => {}
        Expr::Binary(BinaryOp::Ne, a, b) if is_place(a) && b.as_const() == Some(0) => {}
        // At least so many threads are at labels.
        Expr::Binary(BinaryOp::Gt | BinaryOp::Ge, count, least)
        | Expr::Binary(BinaryOp::Lt | BinaryOp::Le, least, count)
            if is_sum(count) && least.as_const().is_some() => {}
        Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
            collect(a, into);
            collect(b, into);
        }
        Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(_) => {
            e.for_each_var(&mut |var| match var {
                Observable::At(thread, loc) => {
                    into.insert((thread, loc));
                }
                Observable::Register(..) | Observable::Cell(_) => {}
            });
        }
    }
}

/// Whether an expression is a sum of labels, each 0 or 1. It does not wrap: no program has 2^31 labels.
fn is_sum(e: &Expr<Observable>) -> bool {
    match e {
        Expr::Binary(BinaryOp::Add, a, b) => is_sum(a) && is_sum(b),
        Expr::Var(_) => is_place(e),
        Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(_) => false,
    }
}

fn is_place(e: &Expr<Observable>) -> bool {
    matches!(e, Expr::Var(Observable::At(..)))
}
