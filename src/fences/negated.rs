//! The labels that a property requires a thread not to be at.
//!
//! A thread that has passed a fence at a label is no longer at the label. Usually this does not
//! matter: what the thread observes after the fence it could also observe before. But a property
//! that forbids `!t@l && …` holds while `t` waits at `l`, and fails once `t` has moved on, even if
//! only past a fence. So a fence there may itself cause a violation. A set with such a fence is
//! therefore checked on the changed program, which is what the user would get.
//!
//! Predicates that combine labels with "and" and "or" only have no such labels.

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

/// Collects the labels in a predicate that are not combined by "and" and "or" only.
fn collect(e: &Expr<Observable>, into: &mut BTreeSet<(ThreadId, LocId)>) {
    match e {
        Expr::Const(_) | Expr::Var(_) => {}
        Expr::Binary(BinaryOp::Eq, a, b) if is_place(a) && b.as_const() == Some(1) => {}
        Expr::Binary(BinaryOp::Ne, a, b) if is_place(a) && b.as_const() == Some(0) => {}
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

fn is_place(e: &Expr<Observable>) -> bool {
    matches!(e, Expr::Var(Observable::At(..)))
}
