//! Exact arithmetic of 64 bits as typed code of 32.
//!
//! A number is a [`Pair`] of halves; each half is a constant, or the value of a local. An operation appends the
//! statements that compute its result to [`Halves::statements`], each the declaration of a fresh local, and returns
//! the pair of those locals. What is known is computed, and has no statements.
//!
//! ```text
//! a + b    low = a.low + b.low; high = a.high + b.high + (low < a.low)
//! a - b    low = a.low - b.low; high = a.high - b.high - (a.low < b.low)
//! a < b    a.high < b.high || a.high == b.high && a.low < b.low   (the first < has the sign, if there is one)
//! ```
//!
//! Sums modulo 2³² are below a summand exactly if they carry. Of a *checked* operation, `holds` is the condition that
//! the exact result is a value of the type; the pair is the result modulo 2⁶⁴ in any case. It is found in the signs:
//! with `s = a + b`, a carry leaves bit 63 if both have it, or one has it and `s` does not; a signed sum is wrong if both
//! signs differ from its own. For `d = a - b` alike, with `~a`.
//!
//! Bits are chosen by masks instead of `?:`, since that branches.
//!
//! **Requires**, everywhere: the locals in operands have the same values until the result is used for the last time. A
//! result may consist of its operands' halves.

mod bits;
mod half;
mod multiply;
mod shift;
#[cfg(test)]
mod tests;

use crate::lower::typed::{
    BinaryOp, Expr, ExprKind, Initialised, LocalId, Lvalue, LvalueKind, Stmt, StmtKind, Type,
    TypeKind,
};
use crate::text::Place;
use half::{add, and, at_most, below, both, constant, either, inverted, known, or, sub, xor};

pub(super) use half::{CONDITION, HALF};

/// A number of 64 bits in two halves, each a constant or the value of a local.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) low: Expr,
    pub(super) high: Expr,
}

/// A result modulo 2⁶⁴, and the condition that it is exact.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    pub(super) value: Pair,
    pub(super) holds: Expr,
}

impl Pair {
    /// A constant.
    pub(super) fn constant(value: u64, place: Place) -> Pair {
        Pair {
            low: constant(value as u32, place),
            high: constant((value >> 32) as u32, place),
        }
    }

    /// The value, if it is a constant.
    pub(super) fn known(&self) -> Option<u64> {
        let (low, high) = (known(&self.low)?, known(&self.high)?);
        Some(u64::from(high) << 32 | u64::from(low))
    }

    /// Whether it is not 0.
    pub(super) fn is_some(&self) -> Expr {
        either(&half::is_some(&self.low), &half::is_some(&self.high))
    }

    /// The number in another integer type, reduced to that as C does. Of a 64-bit type, it has to be narrow.
    pub(super) fn truncated(&self, to: &Type) -> Expr {
        let e = match to.kind {
            TypeKind::Bool => self.is_some(),
            TypeKind::Int { bits: 64, .. } => half::as_signed(&self.low),
            TypeKind::Int { .. }
            | TypeKind::Void
            | TypeKind::Float { .. }
            | TypeKind::Pointer(_)
            | TypeKind::Array(..)
            | TypeKind::Struct(_)
            | TypeKind::Function(..)
            | TypeKind::Library(_) => self.low.clone(),
        };
        half::cast(e, to.clone())
    }
}

/// Where operations put their statements.
pub(super) struct Halves<'f> {
    /// Makes a local of the type [`HALF`] that nothing else uses.
    pub(super) fresh: &'f mut dyn FnMut() -> LocalId,
    pub(super) statements: Vec<Stmt>,
    pub(super) place: Place,
}

impl Halves<'_> {
    fn constant(&self, value: u32) -> Expr {
        constant(value, self.place)
    }

    /// The value of an expression now, in a local of its own unless it is a constant.
    fn kept(&mut self, e: Expr) -> Expr {
        if known(&e).is_some() {
            return e;
        }
        let (local, place) = ((self.fresh)(), self.place);
        let kind = StmtKind::Declare(local, vec![(Vec::new(), e)], Initialised::Yes);
        self.statements.push(Stmt { kind, place });
        let kind = LvalueKind::Local(local);
        let ty = HALF;
        let read = Lvalue { kind, ty, place };
        Expr {
            kind: ExprKind::Load(Box::new(read)),
            ty: HALF,
            place,
        }
    }

    /// The same for what may be used several times: halves of operands are it already.
    fn shared(&mut self, e: Expr) -> Expr {
        match &e.kind {
            ExprKind::Load(from) if is_variable(from) => e,
            _ => self.kept(e),
        }
    }

    fn pair(&mut self, low: Expr, high: Expr) -> Pair {
        Pair {
            low: self.shared(low),
            high: self.shared(high),
        }
    }

    /// A value of an integer type of up to 32 bits, or a constant.
    pub(super) fn of_integer(&mut self, e: Expr) -> Pair {
        if let ExprKind::Const(value) = e.kind {
            // Those of unsigned types are not negative, or have 64 bits.
            return Pair::constant(value as u64, self.place);
        }
        let is_signed = matches!(e.ty.kind, TypeKind::Int { signed: true, .. });
        let low = self.kept(half::cast(e, HALF));
        let high = if is_signed {
            self.kept(half::signs(&low))
        } else {
            self.constant(0)
        };
        Pair { low, high }
    }

    /// An arithmetic operation modulo 2⁶⁴. `None` if it is none, or a division that is not computed here: by what is no
    /// positive constant power of two.
    ///
    /// Requires that shifts are by less than 64: [`shift_fits`](Pair::shift_fits).
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        signed: bool,
        a: &Pair,
        b: &Pair,
    ) -> Option<Pair> {
        match op {
            BinaryOp::Add => Some(self.sum(a, b)),
            BinaryOp::Sub => Some(self.difference(a, b)),
            BinaryOp::Mul => Some(self.product(a, b)),
            BinaryOp::Div => self.quotient(signed, a, b),
            BinaryOp::Rem => self.remainder(signed, a, b),
            BinaryOp::BitAnd => Some(self.pair(and(&a.low, &b.low), and(&a.high, &b.high))),
            BinaryOp::BitOr => Some(self.pair(or(&a.low, &b.low), or(&a.high, &b.high))),
            BinaryOp::BitXor => Some(self.pair(xor(&a.low, &b.low), xor(&a.high, &b.high))),
            BinaryOp::Shl => Some(self.shifted_left(a, b)),
            BinaryOp::Shr => Some(self.shifted_right(signed, a, b)),
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::PointerAdd
            | BinaryOp::PointerSub
            | BinaryOp::PointerDiff => None,
        }
    }

    /// The same with the condition that the exact result is a value of the type; of a shift, that its width is less than
    /// 64. Bitwise operations and the divisions that are computed here always have one.
    pub(super) fn checked(
        &mut self,
        op: BinaryOp,
        signed: bool,
        a: &Pair,
        b: &Pair,
    ) -> Option<Checked> {
        if op == BinaryOp::Mul {
            return Some(self.checked_product(signed, a, b));
        }
        let value = self.binary(op, signed, a, b)?;
        let (x, y, result) = (&a.high, &b.high, &value.high);
        // What has the highest bit where the result is wrong.
        let wrong = match op {
            BinaryOp::Add if signed => and(&xor(x, result), &xor(y, result)),
            BinaryOp::Add => or(&and(x, y), &and(&or(x, y), &inverted(result))),
            BinaryOp::Sub if signed => and(&xor(x, y), &xor(x, result)),
            BinaryOp::Sub => {
                let x = &inverted(x);
                or(&and(x, y), &and(&or(x, y), result))
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let holds = b.shift_fits();
                return Some(Checked { value, holds });
            }
            BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::PointerAdd
            | BinaryOp::PointerSub
            | BinaryOp::PointerDiff => self.constant(0),
        };
        let holds = half::is_positive(&wrong);
        Some(Checked { value, holds })
    }

    /// `-a`
    pub(super) fn negated(&mut self, a: &Pair) -> Pair {
        self.difference(&Pair::constant(0, self.place), a)
    }

    /// `~a`
    pub(super) fn inverted(&mut self, a: &Pair) -> Pair {
        self.pair(inverted(&a.low), inverted(&a.high))
    }

    fn sum(&mut self, a: &Pair, b: &Pair) -> Pair {
        let low = self.shared(add(&a.low, &b.low));
        // The summand that is known makes the comparison cheap, and leaves none if it is 0.
        let summand = if known(&a.low).is_some() {
            &a.low
        } else {
            &b.low
        };
        let carry = half::as_half(&below(&low, summand));
        let high = add(&add(&a.high, &b.high), &carry);
        self.pair(low, high)
    }

    fn difference(&mut self, a: &Pair, b: &Pair) -> Pair {
        let low = sub(&a.low, &b.low);
        let borrow = half::as_half(&below(&a.low, &b.low));
        let high = sub(&sub(&a.high, &b.high), &borrow);
        self.pair(low, high)
    }
}

/// A comparison, which is a condition; `None` if it is none.
pub(super) fn compared(op: BinaryOp, signed: bool, a: &Pair, b: &Pair) -> Option<Expr> {
    let e = match op {
        BinaryOp::Eq => equal(a, b),
        BinaryOp::Ne => half::not(&equal(a, b)),
        BinaryOp::Lt => less(signed, a, b, &below(&a.low, &b.low)),
        BinaryOp::Le => less(signed, a, b, &at_most(&a.low, &b.low)),
        BinaryOp::Gt => less(signed, b, a, &below(&b.low, &a.low)),
        BinaryOp::Ge => less(signed, b, a, &at_most(&b.low, &a.low)),
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::PointerAdd
        | BinaryOp::PointerSub
        | BinaryOp::PointerDiff => return None,
    };
    Some(e)
}

/// `a == b`
fn equal(a: &Pair, b: &Pair) -> Expr {
    both(&half::equal(&a.low, &b.low), &half::equal(&a.high, &b.high))
}

/// A comparison of halves.
type Relation = fn(&Expr, &Expr) -> Expr;

/// `a < b` or `a <= b`, by the answer for their lower halves.
fn less(signed: bool, a: &Pair, b: &Pair, lower: &Expr) -> Expr {
    let (strictly, at_most): (Relation, Relation) = if signed {
        (half::below_signed, half::at_most_signed)
    } else {
        (below, at_most)
    };
    match known(lower) {
        Some(0) => strictly(&a.high, &b.high),
        Some(_) => at_most(&a.high, &b.high),
        None => either(
            &strictly(&a.high, &b.high),
            &both(&half::equal(&a.high, &b.high), lower),
        ),
    }
}

/// Bits of `a` where the mask has ones, of `b` elsewhere.
fn chosen(mask: &Expr, a: &Expr, b: &Expr) -> Expr {
    or(&and(a, mask), &and(b, &inverted(mask)))
}

/// A half with a part added to it, so many bits from its lower end.
pub(super) fn with_part(half: &Expr, part: Expr, by: u32) -> Expr {
    let part = if part.ty == HALF {
        part
    } else {
        half::cast(part, HALF)
    };
    or(half, &half::left(&part, &constant(by, half.place)))
}

/// The part of so many bytes of a half, so many bits from its lower end.
pub(super) fn part_in(half: &Expr, by: u32, bytes: u8) -> Expr {
    let part = half::right(half, &constant(by, half.place));
    match (bytes, known(&part)) {
        (4, _) => part,
        (_, Some(value)) => constant(value & ((1 << (8 * bytes)) - 1), half.place),
        (_, None) => half::cast(part, super::cut::unsigned(bytes)),
    }
}

/// Whether it is a local, or a member of one.
fn is_variable(lvalue: &Lvalue) -> bool {
    match &lvalue.kind {
        LvalueKind::Local(_) => true,
        LvalueKind::Member(inner, _) => is_variable(inner),
        LvalueKind::Object(_)
        | LvalueKind::Deref(_)
        | LvalueKind::Bits(..)
        | LvalueKind::Element(..) => false,
    }
}
