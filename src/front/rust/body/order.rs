//! Order of evaluation: from left to right, each part once.
//!
//! An expression of the middle computes with the registers of variables when its value is used, not when
//! its turn comes. So a part is *held*, in a variable of its own, if a later one may change what it reads. A
//! place that has an effect, or that a method's arguments may move, becomes an address that is held: then it
//! can be named as often as needed.

use super::build::deref;
use super::call::Arguments;
use super::{Body, Pl, Val};
use crate::lower::typed::{self, Expr, ExprKind, Lvalue, LvalueKind, Path, Stmt, StmtKind};
use crate::rust::types::{Ptr, Ty};
use crate::text::Place;
use syn::visit::{self, Visit};

impl Body<'_, '_> {
    /// A value that is evaluated before others, which may change the variables in it.
    pub(super) fn before(&mut self, value: Val, others: &[&Expr], stmts: &mut Vec<Stmt>) -> Val {
        if !others.iter().any(|other| changes(other)) {
            return value;
        }
        Val {
            e: self.hold(value.e, &value.ty, stmts),
            ty: value.ty,
        }
    }

    /// Evaluates now those parts whose variables a later one may change.
    pub(super) fn order_parts(&mut self, parts: &mut [(Path, Expr)], stmts: &mut Vec<Stmt>) {
        let last = parts.iter().rposition(|(_, part)| changes(part));
        self.hold_parts(&mut parts[..last.unwrap_or(0)], stmts);
    }

    /// Evaluates parts now, in their order.
    pub(super) fn hold_parts(&mut self, parts: &mut [(Path, Expr)], stmts: &mut Vec<Stmt>) {
        for (_, part) in parts {
            *part = self.hold_typed(part.clone(), stmts);
        }
    }

    /// A receiver that stays where it is while the arguments are evaluated, and has no effect.
    pub(super) fn steady(
        &mut self,
        pl: Pl,
        moves: bool,
        stmts: &mut Vec<Stmt>,
        place: Place,
    ) -> Pl {
        let pl = Pl {
            lvalue: kept(pl.lvalue, stmts),
            ty: pl.ty,
        };
        if !(changes_at(&pl.lvalue) || moves && !is_named(&pl.lvalue)) {
            return pl;
        }
        let pointer = Ty::pointer(Ptr::Raw, pl.ty.clone());
        let address = self.address_of(pl.lvalue, place);
        Pl {
            lvalue: deref(self.hold(address, &pointer, stmts), place),
            ty: pl.ty,
        }
    }

    /// An array that stays where it is while the index is evaluated.
    pub(super) fn steady_base(&mut self, base: Pl, index: &Expr, place: Place) -> Pl {
        let mut stmts = Vec::new();
        let base = self.steady(base, changes(index), &mut stmts, place);
        if stmts.is_empty() {
            return base;
        }
        let pointer = self.address_of(base.lvalue, place);
        Pl {
            lvalue: deref(super::build::sequence(stmts, pointer), place),
            ty: base.ty,
        }
    }
}

/// A place without the statements that put its value into a variable, which come first.
fn kept(of: Lvalue, stmts: &mut Vec<Stmt>) -> Lvalue {
    match of.kind {
        LvalueKind::Member(inner, member) => Lvalue {
            kind: LvalueKind::Member(Box::new(kept(*inner, stmts)), member),
            ..of
        },
        LvalueKind::Deref(pointer) => {
            let mut first = match pointer.kind {
                ExprKind::Statement(first) => first,
                ExprKind::Load(inner) => {
                    let kind = ExprKind::Load(Box::new(kept(*inner, stmts)));
                    let kind = LvalueKind::Deref(Expr { kind, ..pointer });
                    return Lvalue { kind, ..of };
                }
                kind => {
                    let kind = LvalueKind::Deref(Expr { kind, ..pointer });
                    return Lvalue { kind, ..of };
                }
            };
            let last = first.pop();
            if let Some(StmtKind::Expr(Expr {
                kind: ExprKind::AddressOf(inner),
                ..
            })) = last.as_ref().map(|last| &last.kind)
            {
                stmts.extend(first);
                return (**inner).clone();
            }
            first.extend(last);
            let kind = LvalueKind::Deref(Expr {
                kind: ExprKind::Statement(first),
                ..pointer
            });
            Lvalue { kind, ..of }
        }
        LvalueKind::Object(_)
        | LvalueKind::Local(_)
        | LvalueKind::Bits(..)
        | LvalueKind::Element(..) => of,
    }
}

/// Whether the evaluation of an expression may change a variable.
pub(super) fn changes(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Text(_) | ExprKind::Function(_) | ExprKind::New(_) => false,
        ExprKind::Load(of) | ExprKind::AddressOf(of) => changes_at(of),
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => changes(a),
        ExprKind::Binary(_, a, b)
        | ExprKind::Checked(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Comma(a, b) => changes(a) || changes(b),
        ExprKind::Conditional(a, b, c) => changes(a) || changes(b) || changes(c),
        ExprKind::Call(typed::Callee::Library(_), arguments) => arguments.iter().any(changes),
        ExprKind::Call(..)
        | ExprKind::Assign(..)
        | ExprKind::Update { .. }
        | ExprKind::Statement(_) => true,
    }
}

/// The same of a place.
pub(super) fn changes_at(of: &Lvalue) -> bool {
    match &of.kind {
        LvalueKind::Object(_) | LvalueKind::Local(_) => false,
        LvalueKind::Deref(e) => changes(e),
        LvalueKind::Member(inner, _) | LvalueKind::Bits(inner, _) => changes_at(inner),
        LvalueKind::Element(inner, e) => changes_at(inner) || changes(e),
    }
}

/// Whether a place is a variable or a part of one that has a name, so that it can be written twice.
pub(super) fn is_named(of: &Lvalue) -> bool {
    match &of.kind {
        LvalueKind::Object(_) | LvalueKind::Local(_) => true,
        LvalueKind::Member(inner, _) | LvalueKind::Bits(inner, _) => is_named(inner),
        LvalueKind::Element(..) | LvalueKind::Deref(_) => false,
    }
}

/// Whether arguments may assign to a variable that is not in memory: only what is written in them can.
pub(super) fn assigns(arguments: &Arguments) -> bool {
    let mut found = Assigns(false);
    arguments.iter().for_each(|e| found.visit_expr(e));
    found.0
}

/// The same of one expression.
pub(super) fn assigns_in(e: &syn::Expr) -> bool {
    let mut found = Assigns(false);
    found.visit_expr(e);
    found.0
}

struct Assigns(bool);

impl<'e> Visit<'e> for Assigns {
    fn visit_expr_assign(&mut self, _: &'e syn::ExprAssign) {
        self.0 = true;
    }

    fn visit_expr_binary(&mut self, e: &'e syn::ExprBinary) {
        self.0 |= super::operator::assigns(&e.op);
        visit::visit_expr_binary(self, e);
    }

    /// A closure that has a name may.
    fn visit_expr_call(&mut self, e: &'e syn::ExprCall) {
        let name = match &*e.func {
            syn::Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
            _ => None,
        };
        self.0 |= name.is_some_and(|name| name.starts_with(|c: char| !c.is_uppercase()));
        visit::visit_expr_call(self, e);
    }

    fn visit_macro(&mut self, _: &'e syn::Macro) {
        self.0 = true;
    }
}
