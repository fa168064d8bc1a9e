//! Nodes of the typed program.

use crate::lower::operation::Operation;
use crate::lower::typed::{
    BinaryOp, Callee, Expr, ExprKind, FunctionId, Initialised, LocalId, Lvalue, LvalueKind,
    ObjectId, Path, Stmt, StmtKind, Type, TypeKind, UnaryOp,
};
use crate::rust::source::implied;
use crate::rust::unit::{plain, void};
use crate::text::Place;

pub(super) fn expr(kind: ExprKind, ty: Type, place: Place) -> Expr {
    Expr { kind, ty, place }
}

/// `()`
pub(super) fn unit(place: Place) -> Expr {
    expr(ExprKind::Statement(Vec::new()), void(), place)
}

pub(super) fn boolean() -> Type {
    plain(TypeKind::Bool)
}

pub(super) fn word() -> Type {
    plain(TypeKind::Int {
        bits: 32,
        signed: true,
    })
}

/// The type of indices.
pub(super) fn long() -> Type {
    plain(TypeKind::Int {
        bits: 64,
        signed: true,
    })
}

pub(super) fn constant(value: i64, ty: Type, place: Place) -> Expr {
    expr(ExprKind::Const(value), ty, place)
}

pub(super) fn truth(value: bool, place: Place) -> Expr {
    constant(i64::from(value), boolean(), place)
}

pub(super) fn local(id: LocalId, ty: Type, place: Place) -> Lvalue {
    Lvalue {
        kind: LvalueKind::Local(id),
        ty,
        place,
    }
}

pub(super) fn object(id: ObjectId, ty: Type, place: Place) -> Lvalue {
    Lvalue {
        kind: LvalueKind::Object(id),
        ty,
        place,
    }
}

pub(super) fn deref(pointer: Expr, place: Place) -> Lvalue {
    if let ExprKind::AddressOf(of) = pointer.kind {
        return *of;
    }
    let ty = pointer.ty.pointee().cloned().unwrap_or_else(void);
    Lvalue {
        kind: LvalueKind::Deref(pointer),
        ty,
        place,
    }
}

pub(super) fn member(of: Lvalue, index: usize, ty: Type, place: Place) -> Lvalue {
    Lvalue {
        kind: LvalueKind::Member(Box::new(of), index),
        ty,
        place,
    }
}

pub(super) fn element(of: Lvalue, index: Expr, ty: Type, place: Place) -> Lvalue {
    Lvalue {
        kind: LvalueKind::Element(Box::new(of), index),
        ty,
        place,
    }
}

/// The value of an object, without its qualifiers.
pub(super) fn load(from: Lvalue, place: Place) -> Expr {
    let ty = plain(from.ty.kind.clone());
    expr(ExprKind::Load(Box::new(from)), ty, place)
}

pub(super) fn address(of: Lvalue, place: Place) -> Expr {
    let ty = plain(TypeKind::Pointer(Box::new(of.ty.clone())));
    expr(ExprKind::AddressOf(Box::new(of)), ty, place)
}

pub(super) fn assign(into: Lvalue, value: Expr, place: Place) -> Expr {
    let ty = value.ty.clone();
    expr(ExprKind::Assign(Box::new(into), Box::new(value)), ty, place)
}

pub(super) fn binary(op: BinaryOp, a: Expr, b: Expr, ty: Type, place: Place) -> Expr {
    expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, place)
}

/// A comparison.
pub(super) fn compare(op: BinaryOp, a: Expr, b: Expr, place: Place) -> Expr {
    binary(op, a, b, boolean(), place)
}

pub(super) fn not(e: Expr) -> Expr {
    let place = e.place;
    expr(ExprKind::Unary(UnaryOp::Not, Box::new(e)), boolean(), place)
}

pub(super) fn and(a: Expr, b: Expr) -> Expr {
    let place = a.place;
    expr(ExprKind::And(Box::new(a), Box::new(b)), boolean(), place)
}

pub(super) fn or(a: Expr, b: Expr) -> Expr {
    let place = a.place;
    expr(ExprKind::Or(Box::new(a), Box::new(b)), boolean(), place)
}

pub(super) fn cast(e: Expr, ty: Type) -> Expr {
    if e.ty == ty {
        return e;
    }
    let place = e.place;
    expr(ExprKind::Cast(Box::new(e)), ty, place)
}

/// A call of a known operation.
pub(super) fn known(
    entry: &'static Operation,
    arguments: Vec<Expr>,
    ty: Type,
    place: Place,
) -> Expr {
    expr(ExprKind::Call(Callee::Library(entry), arguments), ty, place)
}

pub(super) fn call(id: FunctionId, arguments: Vec<Expr>, ty: Type, place: Place) -> Expr {
    expr(ExprKind::Call(Callee::Defined(id), arguments), ty, place)
}

pub(super) fn call_statement(id: FunctionId, place: Place) -> Stmt {
    expression_statement(call(id, Vec::new(), void(), place), place)
}

/// Statements, and then a value.
pub(super) fn sequence(mut stmts: Vec<Stmt>, value: Expr) -> Expr {
    if stmts.is_empty() {
        return value;
    }
    let (ty, place) = (value.ty.clone(), value.place);
    stmts.push(expression_statement(value, implied(place)));
    expr(ExprKind::Statement(stmts), ty, place)
}

pub(super) fn stmt(kind: StmtKind, place: Place) -> Stmt {
    Stmt { kind, place }
}

pub(super) fn expression_statement(e: Expr, place: Place) -> Stmt {
    stmt(StmtKind::Expr(e), place)
}

pub(super) fn block(stmts: Vec<Stmt>, place: Place) -> Stmt {
    stmt(StmtKind::Block(stmts), place)
}

/// A declaration with these values.
pub(super) fn declare(id: LocalId, values: Vec<(Path, Expr)>, place: Place) -> Stmt {
    let initialised = if values.is_empty() {
        Initialised::No
    } else {
        Initialised::Yes
    };
    stmt(StmtKind::Declare(id, values, initialised), place)
}

/// A branch that the text does not have.
pub(super) fn when(condition: Expr, then: Vec<Stmt>) -> Stmt {
    let place = implied(condition.place);
    let then = Box::new(block(then, place));
    stmt(StmtKind::If(condition, then, None), place)
}

/// The type of pointers to values of this type.
pub(super) fn pointer_to(ty: &Type) -> Type {
    plain(TypeKind::Pointer(Box::new(ty.clone())))
}
