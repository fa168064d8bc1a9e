//! The numbers of addresses: `(uintptr_t)p`, tags in its lowest bits, and the way back.
//!
//! ```text
//!   0                      null
//!   ADDRESSES + 8 a + t    the cell a, with the tag t in the three lowest bits
//!   any other              a number that is the address of nothing
//! ```
//!
//! What the numbers of addresses are is up to the machine. So a program may do what comes to the same on each: store
//! them, compare them for equality, with each other and with small numbers, set, look at and clear tags that the
//! alignment of the objects leaves room for, and convert them back. Where it does anything else with one, the execution
//! is not covered.
//!
//! **Invariant.** A 64-bit integer in the range of these numbers was made from an address. Whatever computes or converts
//! one that was not is a limit, too.
//!
//! Where numbers of 64 bits are in halves (`words`), the lower half of such a number is it: then this holds for all
//! unsigned integers of 32 bits as well.
//!
//! A program that converts no address pays nothing: all this begins once one is (`Learned::numbered`).
//!
//! **Incomplete:** pointers to functions have no numbers.

use super::Lowering;
use super::arith::Operation;
use super::bounds::between;
use super::deferred::Question;
use super::env::Env;
use super::objects::Object;
use super::pointer::{LEAST, MOST, NUMBERS};
use super::value::{Value, binary, c, not, shape};
use crate::lower::typed::{BinaryOp, Type, TypeKind};
use crate::program::{self, Expr, Fault, RegId};
use crate::text::{Diagnostic, Place};
use std::ops::Range;

type Bits = Expr<RegId>;

/// The number of the cell 0, which is none.
const ADDRESSES: i64 = 1 << 28;

/// The distance of the numbers of two cells.
const STEP: i64 = 8;

/// Cells from here on have no numbers.
const MOST_CELLS: i64 = 1 << 20;

/// The numbers of addresses.
const RANGE: Range<i64> = ADDRESSES..ADDRESSES + STEP * MOST_CELLS;

/// No object is at such a number, or less before the end of memory.
const SMALL: i64 = 4096;

/// No alignment is greater.
const MOST_ALIGNED: u64 = 16;

fn and(a: Bits, b: Bits) -> Bits {
    match (&a, &b) {
        (Expr::Const(0), _) | (_, Expr::Const(0)) => c(0),
        (Expr::Const(_), _) => b,
        (_, Expr::Const(_)) => a,
        _ => binary(program::BinaryOp::And, a, b),
    }
}

fn or(a: Bits, b: Bits) -> Bits {
    match (&a, &b) {
        (Expr::Const(0), _) => b,
        (_, Expr::Const(0)) => a,
        (Expr::Const(_), _) | (_, Expr::Const(_)) => c(1),
        _ => binary(program::BinaryOp::Or, a, b),
    }
}

fn implies(a: Bits, b: Bits) -> Bits {
    match a {
        Expr::Const(0) => c(1),
        Expr::Const(_) => b,
        a => or(not(a), b),
    }
}

/// The greatest power of two that divides a number of bytes.
fn lowest_bit(bytes: i64) -> u64 {
    match bytes {
        0 => MOST_ALIGNED,
        bytes => 1 << bytes.trailing_zeros().min(4),
    }
}

/// Whether a value is in a range.
fn within(value: &Value, range: Range<i64>) -> Bits {
    match value {
        Value::Known(known) => c(i32::from(range.contains(known))),
        Value::Unknown(e) => between(range.start, e, range.end - 1),
    }
}

/// A value as the sign extension of its 32 bits.
fn extended(value: &Value, ty: &Type) -> Value {
    match value {
        Value::Known(known) if shape(ty).bits == 32 => Value::Known(i64::from(*known as i32)),
        value => value.clone(),
    }
}

fn is_number(value: &Value) -> Bits {
    within(value, RANGE)
}

impl Lowering<'_> {
    /// Whether a type's values may be the numbers of addresses.
    fn has_numbers(&self, ty: &Type) -> bool {
        self.learned.numbered && self.holds_numbers(ty) && self.test.is_none()
    }

    /// Whether a type has room for the number of an address.
    fn holds_numbers(&self, ty: &Type) -> bool {
        match ty.kind {
            TypeKind::Int { bits: 64, .. } => true,
            TypeKind::Int {
                bits: 32,
                signed: false,
            } => self.facts.has_words(),
            _ => false,
        }
    }

    /// The number of an address, if it has one; `None` where that is not supported.
    pub(super) fn number_of(&mut self, value: &Value, from: &Type, place: Place) -> Option<Value> {
        let to = from.pointee()?.clone();
        if matches!(to.kind, TypeKind::Function(..)) {
            return None;
        }
        match value {
            // Nothing else has a number: neither a function, nor a variable without a value.
            Value::Known(address)
                if !Env::is_virtual(*address)
                    && (!self.memory.has(*address) || *address >= MOST_CELLS) =>
            {
                None
            }
            Value::Known(address) => {
                self.now.numbered = true;
                if Env::is_virtual(*address) {
                    // It moves into memory, and the walk starts again.
                    self.pointer_bits(value, place);
                    return Some(Value::Known(ADDRESSES));
                }
                self.publish(*address);
                Some(Value::Known(ADDRESSES + STEP * address))
            }
            // What a thread is given as a `void *` is a number in most programs.
            Value::Unknown(_) if to.is_void() && !self.learned.numbered => None,
            Value::Unknown(e) => {
                self.now.numbered = true;
                let is_known = or(
                    between(0, e, MOST_CELLS - 1),
                    between(NUMBERS + LEAST, e, i64::from(i32::MAX)),
                );
                self.limit(is_known, place);
                let steps = binary(program::BinaryOp::Mul, e.clone(), c(STEP as i32));
                let number = binary(program::BinaryOp::Add, steps, c(ADDRESSES as i32));
                let own = binary(program::BinaryOp::Sub, e.clone(), c(NUMBERS as i32));
                let is_own = binary(
                    program::BinaryOp::Ge,
                    e.clone(),
                    c((NUMBERS + LEAST) as i32),
                );
                let number = Expr::conditional(is_own, own, number);
                Some(Value::Unknown(Expr::conditional(e.clone(), number, c(0))))
            }
        }
    }

    /// The address that a number was made from; `None` if it is not certain that there is one.
    pub(super) fn address_of_number(
        &mut self,
        value: &Value,
        from: &Type,
        place: Place,
    ) -> Option<Value> {
        if !self.has_numbers(from) {
            return None;
        }
        match value {
            Value::Known(known) if RANGE.contains(known) && (known - ADDRESSES) % STEP == 0 => {
                Some(Value::Known((known - ADDRESSES) / STEP))
            }
            Value::Known(_) => None,
            Value::Unknown(e) => {
                // Others would become addresses when they come around.
                self.limit(between(LEAST, e, MOST - 1), place);
                let offset = binary(program::BinaryOp::Sub, e.clone(), c(ADDRESSES as i32));
                let address = binary(program::BinaryOp::Div, offset, c(STEP as i32));
                let tag = binary(program::BinaryOp::BitAnd, e.clone(), c(STEP as i32 - 1));
                let is_clear = binary(program::BinaryOp::Eq, tag, c(0));
                let number = binary(program::BinaryOp::Add, e.clone(), c(NUMBERS as i32));
                let number = Expr::conditional(e.clone(), number, c(0));
                let is_address = and(is_number(value), is_clear);
                Some(Value::Unknown(Expr::conditional(
                    is_address, address, number,
                )))
            }
        }
    }

    /// How the cells of an object are aligned, in bytes.
    fn alignments(&self, object: &Object) -> Vec<u64> {
        let own = self.unit.layout(&object.ty).map_or(1, |(_, align)| align);
        let all = self.memory.scalars_of(object).iter();
        all.map(|scalar| own.min(lowest_bit(scalar.offset)))
            .collect()
    }

    /// How a known address is aligned, in bytes.
    fn alignment_at(&self, address: i64) -> u64 {
        let Some(object) = self.memory.object_at(address) else {
            return 1;
        };
        let at = usize::try_from(address - object.start).ok();
        let all = self.alignments(object);
        at.and_then(|at| all.get(at).copied()).unwrap_or(1)
    }

    /// A condition that a number, if it is that of an address, is aligned to so many bytes.
    pub(super) fn is_aligned(&self, number: &Bits, to: u64) -> Bits {
        let mut fits = c(1);
        for object in &self.memory.placed {
            let mut alignments = self.alignments(object);
            let guard = object.guard.iter().flat_map(Clone::clone);
            alignments.extend(guard.map(|_| 1));
            let mut cell = object.start;
            for run in alignments.chunk_by(|a, b| (*a < to) == (*b < to)) {
                let end = cell + run.len() as i64;
                if run[0] < to {
                    let (low, high) = (ADDRESSES + STEP * cell, ADDRESSES + STEP * end - 1);
                    fits = and(fits, not(between(low, number, high)));
                }
                cell = end;
            }
        }
        fits
    }

    /// The tags that a number of an address has room for, as far as that is known.
    fn tags(&self, number: &Value) -> Range<i64> {
        match number {
            Value::Known(number) if RANGE.contains(number) => {
                let align = self.alignment_at((number - ADDRESSES) / STEP);
                0..(align as i64).min(STEP)
            }
            // The rest is a question (`needs_room`).
            Value::Known(_) | Value::Unknown(_) => 0..STEP,
        }
    }

    /// If a value is the number of an address, what the operation sets, looks at or clears are zeros in it: which objects
    /// there are is known at the end.
    fn needs_room(&mut self, op: BinaryOp, number: &Value, other: &Value, place: Place) {
        let Value::Unknown(e) = number else {
            return;
        };
        let tags = match other {
            Value::Known(other) if op == BinaryOp::BitAnd && *other < 0 => !other,
            Value::Known(other) => *other,
            Value::Unknown(_) => STEP - 1,
        };
        if (1..STEP).contains(&tags) {
            let to = (tags as u64 + 1).next_power_of_two();
            let number = e.clone();
            self.gap(Question::Aligned { number, to }, place);
        }
    }

    /// An operation on values of a type of 64 bits that yields this: it treats numbers of addresses alike, wherever
    /// objects are.
    pub(super) fn treats_numbers(
        &mut self,
        operation: &Operation<'_>,
        result: &Value,
        place: Place,
    ) {
        let Operation {
            op,
            left: (a, a_ty),
            right: (b, b_ty),
            ty,
        } = operation;
        if !self.has_numbers(a_ty) && !self.has_numbers(b_ty) {
            return;
        }
        let (a, b) = (&extended(a, a_ty), &extended(b, b_ty));
        let (a, b) = (&self.named(a, place), &self.named(b, place));
        let is_first = if self.has_numbers(a_ty) {
            is_number(a)
        } else {
            c(0)
        };
        let is_second = if self.has_numbers(b_ty) {
            is_number(b)
        } else {
            c(0)
        };
        let fits = match op {
            BinaryOp::Eq | BinaryOp::Ne => {
                let near = |x: &Value| within(x, -SMALL..SMALL);
                and(
                    implies(is_first.clone(), or(is_second.clone(), near(b))),
                    implies(is_second, or(is_first, near(a))),
                )
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let near = |x: &Value| within(x, -SMALL..SMALL);
                and(implies(is_first, near(b)), implies(is_second, near(a)))
            }
            _ => {
                let of_result = if self.has_numbers(ty) {
                    let result = self.named(result, place);
                    implies(is_number(&result), or(is_first.clone(), is_second.clone()))
                } else {
                    c(1)
                };
                let first = self.tagged(*op, a, b, false);
                let second = self.tagged(*op, b, a, true);
                for (is, op_of, number, other) in
                    [(&is_first, &first, a, b), (&is_second, &second, b, a)]
                {
                    if *is != c(0) && *op_of != c(0) {
                        self.needs_room(*op, number, other, place);
                    }
                }
                let both = and(implies(is_first, first), implies(is_second, second));
                and(both, of_result)
            }
        };
        self.covered(fits, place);
    }

    /// Whether an operation on the number of an address and this value sets, looks at or clears tags. `swapped` if the
    /// number is on the right.
    fn tagged(&self, op: BinaryOp, number: &Value, other: &Value, swapped: bool) -> Bits {
        let tags = self.tags(number);
        let is_tag = within(other, tags.clone());
        let low = |x: &Value| match x {
            Value::Known(known) => c((known & (STEP - 1)) as i32),
            Value::Unknown(e) => binary(program::BinaryOp::BitAnd, e.clone(), c(STEP as i32 - 1)),
        };
        let bits = |x: &Value| match x {
            Value::Known(known) => c(*known as i32),
            Value::Unknown(e) => e.clone(),
        };
        let compared = |op, a: Bits, b: Bits| match (&a, &b) {
            (Expr::Const(_), Expr::Const(_)) => c(binary(op, a, b).eval(|_| 0)),
            _ => binary(op, a, b),
        };
        match op {
            BinaryOp::BitAnd => or(is_tag, within(other, -tags.end..0)),
            BinaryOp::BitOr | BinaryOp::BitXor => is_tag,
            BinaryOp::Add => {
                let sum = match (low(number), bits(other)) {
                    (Expr::Const(a), Expr::Const(b)) => c(a.wrapping_add(b)),
                    (a, b) => binary(program::BinaryOp::Add, a, b),
                };
                let stays = compared(program::BinaryOp::Lt, sum, c(tags.end as i32));
                and(is_tag, stays)
            }
            BinaryOp::Sub if !swapped => {
                let stays = compared(program::BinaryOp::Ge, low(number), bits(other));
                and(is_tag, stays)
            }
            _ => c(0),
        }
    }

    /// A value of this type is computed or converted in another way: it is no number of an address.
    pub(super) fn no_number(&mut self, value: &Value, ty: &Type, place: Place) {
        if self.has_numbers(ty) {
            let is_none = match is_number(value) {
                Expr::Const(is) => c(i32::from(is == 0)),
                is => not(is),
            };
            self.covered(is_none, place);
        }
    }

    /// Two values are ordered by their bytes, unless they are equal.
    pub(super) fn orders_bytes(&mut self, a: &Bits, b: &Bits, ty: &Type, place: Place) {
        if self.has_numbers(ty) {
            let number = |e: &Bits| between(RANGE.start, e, RANGE.end - 1);
            let equal = binary(program::BinaryOp::Eq, a.clone(), b.clone());
            let fits = implies(or(number(a), number(b)), equal);
            self.covered(fits, place);
        }
    }

    /// A conversion between integers: a number of an address stays one only in 64 bits, and nothing else becomes one.
    pub(super) fn converts_number(&mut self, value: &Value, from: &Type, to: &Type, place: Place) {
        let is_integer = |ty: &Type| matches!(ty.kind, TypeKind::Int { .. });
        if !is_integer(from) || !is_integer(to) {
            return;
        }
        match (self.holds_numbers(from), self.holds_numbers(to)) {
            (true, false) => self.no_number(value, from, place),
            (false, true) if shape(from).bits == 32 => self.no_number(value, to, place),
            _ => {}
        }
    }

    /// A value that may be named several times.
    fn named(&mut self, value: &Value, place: Place) -> Value {
        match value {
            Value::Unknown(e) if !matches!(e, Expr::Var(_)) && self.state.is_some() => {
                Value::Unknown(self.copy(e.clone(), place))
            }
            value => value.clone(),
        }
    }

    /// The execution is covered where this holds only.
    fn covered(&mut self, fits: Bits, place: Place) {
        match fits {
            Expr::Const(0) if self.state.is_some() => {
                self.report(
                    Diagnostic::error(
                        "this computes with the number of an address",
                        self.positions.span(place),
                    )
                    .note(
                        "what it is depends on the machine; it can be stored, compared for equality and converted \
                         back, and tagged in bits that the alignment of all such objects leaves free",
                    ),
                );
            }
            Expr::Const(_) => {}
            fits => {
                self.limit(fits, place);
                self.blame_limit(Fault::Address);
            }
        }
    }
}
