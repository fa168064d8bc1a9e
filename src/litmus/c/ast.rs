//! The syntax tree of a C thread.

use super::super::types::{Size, Type};
use crate::program::{BinaryOp, UnaryOp};
use crate::text::Span;

/// An expression and its span.
#[derive(Clone, Debug)]
pub(super) struct Ast {
    pub(super) kind: AstKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum AstKind {
    /// A constant and its type.
    Number(i64, Type),
    Name(String),
    Unary(UnaryOp, Box<Ast>),
    Binary(BinaryOp, Box<Ast>, Box<Ast>),
    Conditional(Box<[Ast; 3]>),
    Deref(Box<Ast>),
    Address(Box<Ast>),
    Index(Box<Ast>, Box<Ast>),
    Cast(Type, Box<Ast>),
    Call(String, Vec<Ast>),
}

impl Ast {
    /// Whether it is a constant of a 64-bit type that fits in 32 bits, but not as the same number:
    /// `4294967295`, a `long`.
    pub(super) fn is_beyond_int(&self) -> bool {
        matches!(self.kind, AstKind::Number(number, kind)
            if kind.base == Size::Quad && i32::try_from(number).is_err())
    }

    /// Whether evaluating it accesses memory or has any other effect.
    pub(super) fn has_effects(&self) -> bool {
        match &self.kind {
            AstKind::Number(..) | AstKind::Name(_) => false,
            // Taking the address of a place does not access it.
            AstKind::Address(place) => {
                if let AstKind::Deref(inside) | AstKind::Index(inside, _) = &place.kind {
                    inside.has_effects()
                } else {
                    false
                }
            }
            AstKind::Unary(_, e) | AstKind::Cast(_, e) => e.has_effects(),
            AstKind::Binary(_, a, b) => a.has_effects() || b.has_effects(),
            AstKind::Conditional(parts) => parts.iter().any(Ast::has_effects),
            AstKind::Deref(_) | AstKind::Index(..) | AstKind::Call(..) => true,
        }
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum Stmt {
    Declare(Type, String, Span, Option<Ast>),
    /// The target, the operator before `=`, the value.
    Assign(Ast, Option<BinaryOp>, Ast),
    Expr(Ast),
    If(Ast, Box<Stmt>, Option<Box<Stmt>>),
    While(Ast, Box<Stmt>),
    DoWhile(Box<Stmt>, Ast),
    Block(Vec<Stmt>),
    /// Statements in the enclosing scope: `int r0, r1;`.
    Sequence(Vec<Stmt>),
    Break(Span),
    Continue(Span),
    Return(Span),
}

impl Stmt {
    /// Whether it does nothing.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Stmt::Block(stmts) | Stmt::Sequence(stmts) => stmts.iter().all(Stmt::is_empty),
            Stmt::Declare(..)
            | Stmt::Assign(..)
            | Stmt::Expr(_)
            | Stmt::If(..)
            | Stmt::While(..)
            | Stmt::DoWhile(..)
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return(_) => false,
        }
    }
}

/// A thread.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) number: i64,
    pub(super) name: Span,
    pub(super) params: Vec<(Type, String, Span)>,
    pub(super) body: Vec<Stmt>,
}
