//! Whether two threads do the same.

use crate::program::{Expr, Op, RegId, Thread, Update};

/// Whether two threads do the same, except for constants, names and positions in the text.
pub(super) fn are_alike(a: &Thread, b: &Thread) -> bool {
    let (locations, instructions) = (a.locations(), a.instructions());
    a.entry() == b.entry()
        && a.copies() == b.copies()
        && a.registers().len() == b.registers().len()
        && locations.len() == b.locations().len()
        && instructions.len() == b.instructions().len()
        && locations
            .iter()
            .zip(b.locations())
            .all(|(a, b)| a.atomic == b.atomic)
        && instructions
            .iter()
            .zip(b.instructions())
            .all(|(a, b)| (a.from, a.to) == (b.from, b.to) && ops_are_alike(&a.op, &b.op))
        && (0..locations.len()).all(|loc| a.outgoing(loc.into()) == b.outgoing(loc.into()))
}

fn ops_are_alike(a: &Op, b: &Op) -> bool {
    let same = match (a, b) {
        (Op::Rmw { update: a, .. }, Op::Rmw { update: b, .. }) => updates_are_alike(a, b),
        (
            Op::Skip
            | Op::Havoc { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd,
            _,
        ) => a == b,
        (
            Op::Assign { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. },
            _,
        ) => std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    let (left, right) = (a.operands(), b.operands());
    same && a.target() == b.target()
        && left.len() == right.len()
        && left
            .iter()
            .zip(&right)
            .all(|(a, b)| expressions_are_alike(a, b))
}

fn updates_are_alike(a: &Update, b: &Update) -> bool {
    match (a, b) {
        (Update::Fetch(a, _), Update::Fetch(b, _)) => a == b,
        (Update::Exchange(_) | Update::CompareExchange { .. } | Update::Fetch(..), _) => {
            std::mem::discriminant(a) == std::mem::discriminant(b)
        }
    }
}

fn expressions_are_alike(a: &Expr<RegId>, b: &Expr<RegId>) -> bool {
    match (a, b) {
        (Expr::Const(_), Expr::Const(_)) => true,
        (Expr::Unary(op, a), Expr::Unary(other, b)) => op == other && expressions_are_alike(a, b),
        (Expr::Binary(op, a, c), Expr::Binary(other, b, d)) => {
            op == other && expressions_are_alike(a, b) && expressions_are_alike(c, d)
        }
        (Expr::Conditional(a), Expr::Conditional(b)) => a
            .iter()
            .zip(b.iter())
            .all(|(a, b)| expressions_are_alike(a, b)),
        (
            Expr::Const(_)
            | Expr::Var(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Conditional(_),
            _,
        ) => a == b,
    }
}
