//! A few values that expressions may have: those that the first passes over the program find.
//!
//! Constants flow as values do, operators are computed, and of many results the least and the greatest are kept. A
//! variable that a loop counts has the end of the loop among its values. So a number that reaches beyond 32 bits without a
//! constant that does is found: a product, `1 << n`, an `unsigned int` from 2³¹ on that becomes a number of 64 bits.
//!
//! This is a guess in both directions, as all of the inference may be: of a value that is missing here, the lowering
//! makes a limit, and one that no execution has only costs cells. That differences of unsigned numbers wrap is not taken
//! for granted: it is the exception.

use super::width::{constant, is_64_bit, is_huge};
use super::{Class, Classes};
use crate::lower::typed::{
    BinaryOp, Expr, ExprKind, Lvalue, LvalueKind, StmtKind, Type, TypeKind, UnaryOp,
};
use std::collections::BTreeSet;

/// Values of an integer type.
pub(super) type Samples = BTreeSet<i128>;

/// The passes that look for values.
pub(super) const PASSES: usize = 4;
/// So many are kept at either end.
const KEPT: usize = 6;

fn few(all: Samples) -> Samples {
    if all.len() <= 2 * KEPT {
        return all;
    }
    let (first, last) = (all.iter().take(KEPT), all.iter().rev().take(KEPT));
    first.chain(last).copied().collect()
}

/// The width and the sign of an integer, a truth value or a number in a pointer.
fn shape(ty: &Type) -> Option<(u32, bool)> {
    match ty.kind {
        TypeKind::Int { .. } | TypeKind::Bool | TypeKind::Pointer(_) => ty.width(),
        TypeKind::Void
        | TypeKind::Float { .. }
        | TypeKind::Array(..)
        | TypeKind::Struct(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => None,
    }
}

/// A number reduced to a type.
fn wrapped(value: i128, (bits, signed): (u32, bool)) -> i128 {
    let value = value.rem_euclid(1 << bits);
    if signed && value >> (bits - 1) == 1 {
        value - (1 << bits)
    } else {
        value
    }
}

fn converted(value: i128, from: &Type, to: (u32, bool)) -> i128 {
    let value = match shape(from) {
        Some(from) => wrapped(value, from),
        None => value,
    };
    if to.0 == 1 {
        (value != 0).into()
    } else {
        wrapped(value, to)
    }
}

/// The result of an operator on two values of a type; `None` where it has none that is likely.
fn operate(op: BinaryOp, ty: (u32, bool), a: i128, b: i128) -> Option<i128> {
    let by = (0..i128::from(ty.0)).contains(&b).then_some(b as u32);
    let exact = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub if ty.1 || a >= b => a - b,
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div => a.checked_div(b)?,
        BinaryOp::Rem => a.checked_rem(b)?,
        // What a large mask leaves of a negative number is not meant.
        BinaryOp::BitAnd if ty.0 == 64 && is_beyond(a & b) && !(is_beyond(a) && is_beyond(b)) => {
            return None;
        }
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl => a.wrapping_shl(by?),
        BinaryOp::Shr => a >> by?,
        BinaryOp::Sub
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::PointerAdd
        | BinaryOp::PointerSub
        | BinaryOp::PointerDiff => return None,
    };
    Some(wrapped(exact, ty))
}

fn truths() -> Samples {
    Samples::from([0, 1])
}

impl<'u> Classes<'u> {
    /// These values, too, are there.
    pub(super) fn join(&mut self, class: Class, more: &Samples) {
        if self.passes >= PASSES || more.is_empty() {
            return;
        }
        let class = self.find(class);
        let old = &self.nodes[class].samples;
        let new = few(old.union(more).copied().collect());
        if new != *old {
            self.nodes[class].samples = new;
            self.changed = true;
        }
    }

    /// A few values of an expression, if they are numbers.
    pub(super) fn samples(&mut self, e: &'u Expr) -> Samples {
        let Some(shape) = shape(&e.ty) else {
            return Samples::new();
        };
        let address = std::ptr::from_ref(e).addr();
        if let Some(known) = self.sampled.get(&address) {
            return known.clone();
        }
        let found = self.samples_now(e, shape);
        self.sampled.insert(address, found.clone());
        found
    }

    fn samples_now(&mut self, e: &'u Expr, shape: (u32, bool)) -> Samples {
        if let Some(value) = constant(e) {
            return Samples::from([wrapped(value.into(), shape)]);
        }
        if e.ty.is_pointer() {
            let class = self.value(e);
            return self.nodes[self.find(class)].samples.clone();
        }
        match &e.kind {
            ExprKind::Load(_)
            | ExprKind::Assign(..)
            | ExprKind::Update { .. }
            | ExprKind::Call(..)
            | ExprKind::Conditional(..) => {
                let class = self.value(e);
                let held = &self.nodes[self.find(class)].samples;
                let held: Samples = held.iter().map(|value| wrapped(*value, shape)).collect();
                // Objects are 0 at first.
                let is_unknown = held.is_empty() && matches!(e.kind, ExprKind::Load(_));
                if is_unknown { Samples::from([0]) } else { held }
            }
            ExprKind::Unary(op, a) => {
                let of = self.samples(a).into_iter();
                let found = of.filter_map(|value| match op {
                    UnaryOp::Not => None,
                    UnaryOp::BitNot => Some(wrapped(!value, shape)),
                    UnaryOp::Neg => Some(wrapped(-value, shape)),
                });
                let found: Samples = found.collect();
                if *op == UnaryOp::Not { truths() } else { found }
            }
            ExprKind::Cast(a) => {
                let of = self.samples(a).into_iter();
                of.map(|value| converted(value, &a.ty, shape)).collect()
            }
            ExprKind::Binary(op, a, b) | ExprKind::Checked(op, a, b) => {
                let (a, b) = (self.samples(a), self.samples(b));
                combined(*op, shape, &a, &b)
            }
            ExprKind::And(..) | ExprKind::Or(..) => truths(),
            ExprKind::Comma(_, b) => self.samples(b),
            ExprKind::Statement(stmts) => match stmts.last().map(|last| &last.kind) {
                Some(StmtKind::Expr(last)) => self.samples(last),
                _ => Samples::new(),
            },
            ExprKind::Const(_)
            | ExprKind::Text(_)
            | ExprKind::Function(_)
            | ExprKind::AddressOf(_)
            | ExprKind::New(_) => Samples::new(),
        }
    }

    /// What an object of a class and a type may hold after `op=`, computed in another type. What becomes less is of no
    /// interest, and the difference of two values that are not there together would be none at all.
    pub(super) fn updated(
        &mut self,
        (class, ty): (Class, &Type),
        op: BinaryOp,
        operand: &'u Expr,
        computed_in: &Type,
    ) -> Samples {
        let (Some(own), Some(computed)) = (shape(ty), shape(computed_in)) else {
            return Samples::new();
        };
        if op == BinaryOp::Sub {
            return Samples::new();
        }
        let held = self.nodes[self.find(class)].samples.clone();
        let held = if held.is_empty() {
            Samples::from([0])
        } else {
            held
        };
        let held: Samples = held.iter().map(|a| converted(*a, ty, computed)).collect();
        let operand = self.samples(operand);
        let results = combined(op, computed, &held, &operand);
        let results = results.into_iter().map(|value| wrapped(value, own));
        results.collect()
    }

    /// Whether an `unsigned int` may be 2³¹ or more.
    pub(super) fn is_large(&mut self, e: &'u Expr) -> bool {
        shape(&e.ty) == Some((32, false)) && self.samples(e).iter().any(|value| value >> 31 == 1)
    }

    /// Whether the result of an operation may need more than 32 bits.
    pub(super) fn is_beyond(&mut self, op: BinaryOp, e: &'u Expr) -> bool {
        grows(op) && is_64_bit(&e.ty) && are_beyond(&self.samples(e))
    }

    /// The end of a loop is a value of the variable that is compared with it.
    pub(super) fn bound(&mut self, condition: &'u Expr) {
        match &condition.kind {
            ExprKind::And(a, b) => {
                self.bound(a);
                self.bound(b);
            }
            ExprKind::Binary(BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ne, a, b) => {
                if let (Some(local), Some(end)) = (counted(a), constant(b))
                    && !is_huge(end)
                {
                    let class = self.contents(local);
                    let end = i128::from(end);
                    self.join(class, &Samples::from([end - 1, end]));
                }
            }
            _ => {}
        }
    }
}

/// The variable that a loop counts, with whatever conversions.
fn counted(e: &Expr) -> Option<&Lvalue> {
    match &e.kind {
        ExprKind::Cast(a) => counted(a),
        ExprKind::Load(from) if matches!(from.kind, LvalueKind::Local(_)) => Some(from),
        _ => None,
    }
}

fn combined(op: BinaryOp, shape: (u32, bool), a: &Samples, b: &Samples) -> Samples {
    let is_comparison = matches!(
        op,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
    );
    if is_comparison {
        return truths();
    }
    let mut all = Samples::new();
    for a in a {
        all.extend(b.iter().filter_map(|b| operate(op, shape, *a, *b)));
    }
    few(all)
}

/// Whether results may need many more bits than operands have.
pub(super) fn grows(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Mul | BinaryOp::Shl)
}

/// Whether some of these values of 64 bits are no sign extensions of their lower halves.
pub(super) fn are_beyond(samples: &Samples) -> bool {
    samples.iter().any(|value| is_beyond(*value))
}

/// Whether this value of 64 bits is none.
fn is_beyond(value: i128) -> bool {
    is_huge(value as u64 as i64)
}
