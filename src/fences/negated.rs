//! The labels that a property asks a thread not to be at.
//!
//! A thread past a fence at a label is not at the label any more. Mostly that does not matter: what
//! it observes past the fence it could observe before it. But a property that forbids `!t@l && …`
//! holds while `t` waits at `l`, and fails where it has gone on, if only past a fence. So fences
//! there may bring about what they are to prevent, and a set with one of them is looked at as the
//! text that a person would have.
//!
//! Predicates that join places by "and" and "or" alone have none of these.

use super::place::Place;
use crate::program::{
    BinaryOp, Expr, FenceKind, Goal, LocId, Observable, Program, PropertyKind, ThreadId,
};
use std::collections::BTreeSet;

/// The locations of such labels.
#[derive(Default)]
pub(super) struct Negated(BTreeSet<(ThreadId, LocId)>);

impl Negated {
    /// Those of some goals.
    pub(super) fn of(program: &Program, goals: &[Goal]) -> Self {
        let mut locations = BTreeSet::new();
        for goal in goals {
            let Goal::Property(number) = *goal else {
                continue;
            };
            let property = &program.properties()[number];
            // Where all threads have ended none is at a location that a fence can be at.
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

    /// Whether a thread past a fence at this place has left one of them.
    pub(super) fn displaced_by(&self, place: &Place) -> bool {
        place.kind != FenceKind::Exchange
            && place.points.iter().any(|&(t, loc)| self.contains(t, loc))
    }
}

/// The places in a predicate that are joined by more than "and" and "or".
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
