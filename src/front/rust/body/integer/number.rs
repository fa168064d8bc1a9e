//! What is computed with a number, and whether it leaves its type.
//!
//! That needs no wider numbers:
//!
//! ```text
//!     a + b leaves     unsigned: a + b < a      signed: (b < 0) ≠ (a + b < a)
//!     a − b leaves     unsigned: a < b          signed: (b > 0) ≠ (a − b < a)
//!     a × b leaves     b ≠ 0 and a × b / b ≠ a; for b = −1, where a is the least number
//! ```
//!
//! where `+`, `−` and `×` wrap.

use crate::lower::typed::{BinaryOp, Expr as Node, ExprKind};
use crate::rust::body::build::{and, binary, compare, constant, expr};
use crate::rust::types::Ty;
use crate::text::Place;

/// A number that methods are called on, with its type.
pub(super) struct Number {
    pub(super) e: Node,
    pub(super) ty: Ty,
    pub(super) signed: bool,
    pub(super) place: Place,
}

impl Number {
    pub(super) fn constant(&self, value: i128) -> Node {
        constant(value as i64, self.e.ty.clone(), self.place)
    }

    pub(super) fn least(&self) -> Node {
        self.constant(self.ty.range().unwrap_or_default().0)
    }

    pub(super) fn most(&self) -> Node {
        self.constant(self.ty.range().unwrap_or_default().1)
    }

    pub(super) fn op(&self, op: BinaryOp, a: Node, b: Node) -> Node {
        binary(op, a, b, self.e.ty.clone(), self.place)
    }

    pub(super) fn is(&self, op: BinaryOp, a: Node, b: Node) -> Node {
        compare(op, a, b, self.place)
    }

    pub(super) fn is_negative(&self, e: Node) -> Node {
        self.is(BinaryOp::Lt, e, self.constant(0))
    }

    /// Whether `a op b`, which wraps to this result, leaves the type.
    pub(super) fn leaves(&self, op: BinaryOp, result: &Node, b: &Node) -> Node {
        let (a, b, zero) = (self.e.clone(), b.clone(), self.constant(0));
        match (op, self.signed) {
            (BinaryOp::Add, false) => self.is(BinaryOp::Lt, result.clone(), a),
            (BinaryOp::Sub, false) => self.is(BinaryOp::Lt, a, b),
            (BinaryOp::Add | BinaryOp::Sub, true) => {
                let falls = if op == BinaryOp::Add {
                    self.is(BinaryOp::Lt, b, zero)
                } else {
                    self.is(BinaryOp::Gt, b, zero)
                };
                let fell = self.is(BinaryOp::Lt, result.clone(), a);
                self.is(BinaryOp::Ne, falls, fell)
            }
            (_, signed) => {
                let back = self.op(BinaryOp::Div, result.clone(), b.clone());
                let differs = self.is(BinaryOp::Ne, back, a.clone());
                let leaves = and(self.is(BinaryOp::Ne, b.clone(), zero), differs);
                if !signed {
                    return leaves;
                }
                let inverts = self.is(BinaryOp::Eq, b, self.constant(-1));
                let is_least = self.is(BinaryOp::Eq, a, self.least());
                either(inverts, is_least, leaves)
            }
        }
    }
}

/// `if condition { a } else { b }`
pub(super) fn either(condition: Node, a: Node, b: Node) -> Node {
    let (ty, place) = (a.ty.clone(), a.place);
    let kind = ExprKind::Conditional(Box::new(condition), Box::new(a), Box::new(b));
    expr(kind, ty, place)
}

/// The operation of `checked_add` and its like, after the first word.
pub(super) fn operation(name: &str) -> Option<BinaryOp> {
    Some(match name {
        "add" => BinaryOp::Add,
        "sub" => BinaryOp::Sub,
        "mul" => BinaryOp::Mul,
        _ => return None,
    })
}
