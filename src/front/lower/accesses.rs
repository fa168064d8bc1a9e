//! What expressions are: whether they access memory, and addresses of functions.

use crate::lower::typed::{Expr, ExprKind, FunctionId, Local, Lvalue, LvalueKind};

/// Whether evaluating an expression may access memory, in a function with these local variables.
pub(super) fn may_access(e: &Expr, locals: &[Local]) -> bool {
    let any = |e: &Expr| may_access(e, locals);
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Text(_) | ExprKind::Function(_) => false,
        ExprKind::Load(place) => accesses(place, locals, true),
        ExprKind::AddressOf(place) => accesses(place, locals, false),
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => any(a),
        ExprKind::Binary(_, a, b)
        | ExprKind::Checked(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Comma(a, b) => any(a) || any(b),
        ExprKind::Conditional(c, a, b) => any(c) || any(a) || any(b),
        ExprKind::Assign(place, value) => any(value) || accesses(place, locals, true),
        ExprKind::Update { into, operand, .. } => any(operand) || accesses(into, locals, true),
        ExprKind::Call(..) | ExprKind::New(_) | ExprKind::Statement(_) => true,
    }
}

/// Whether an access of this place (or else the computation of its address) may access memory.
fn accesses(place: &Lvalue, locals: &[Local], itself: bool) -> bool {
    match &place.kind {
        LvalueKind::Object(_) => itself,
        LvalueKind::Local(id) => itself && locals.get(id.0).is_none_or(|local| local.addressed),
        LvalueKind::Deref(e) => itself || may_access(e, locals),
        LvalueKind::Member(inner, _) | LvalueKind::Bits(inner, _) => {
            accesses(inner, locals, itself)
        }
        LvalueKind::Element(inner, e) => accesses(inner, locals, itself) || may_access(e, locals),
    }
}

/// The function that this is the address of.
pub(super) fn function(e: &Expr) -> Option<FunctionId> {
    match &e.kind {
        ExprKind::Function(id) => Some(*id),
        ExprKind::Cast(inner) => function(inner),
        _ => None,
    }
}
