//! Bit-fields: some bits of an integer that several share.
//!
//!   x = s.f       ─▶ load of the integer; its bits
//!   s.f = x       ─▶ load of the integer; store of it with other bits
//!   s.f += x      ─▶ one load, one store
//!
//! Adjacent bit-fields are one memory location (C17, 3.14): threads that store to two of them at a time may lose a
//! value, and compilers do lose them. No store to a bit-field is atomic. Where they are more than one scalar, a store to
//! one stores to all of them in the search for data races, and only there.

use super::Lowering;
use super::code::Code;
use super::deferred::{Reads, push};
use super::value::{UNSET, UNWRITTEN, Value, binary, c, int, not, uint};
use crate::lower::typed::{Bits, Expr, Lvalue, LvalueKind, Type, TypeKind, Yields};
use crate::program::{self, BinaryOp, Op, RegId};
use crate::text::Place;

type Word = program::Expr<RegId>;

impl Bits {
    /// The bits themselves, at the lower end.
    fn mask(self) -> u32 {
        u32::MAX >> (32 - u32::from(self.width))
    }

    /// An integer with a value in these bits.
    fn replaced(self, old: &Value, new: &Value) -> Value {
        let (mask, shift) = (self.mask(), u32::from(self.shift));
        match (old, new) {
            (Value::Known(old), Value::Known(new)) => {
                let kept = *old as u32 & !(mask << shift);
                Value::Known(i64::from(kept | (*new as u32 & mask) << shift))
            }
            (old, new) => {
                let kept = and(word(old), !(mask << shift));
                let new = shifted(BinaryOp::Shl, and(word(new), mask), shift);
                Value::Unknown(binary(BinaryOp::BitOr, kept, new))
            }
        }
    }

    /// The value in these bits, with a sign or without one.
    fn value(self, of: &Value, signed: bool) -> Value {
        let (width, shift) = (u32::from(self.width), u32::from(self.shift));
        match of {
            Value::Known(of) if signed => {
                let top = (*of as u32) << (32 - shift - width);
                Value::Known(i64::from(top as i32 >> (32 - width)))
            }
            Value::Known(of) => Value::Known(i64::from((*of as u32) >> shift & self.mask())),
            Value::Unknown(of) if signed => {
                let top = shifted(BinaryOp::Shl, of.clone(), 32 - shift - width);
                Value::Unknown(shifted(BinaryOp::Shr, top, 32 - width))
            }
            Value::Unknown(of) => {
                let low = shifted(BinaryOp::Shr, of.clone(), shift);
                Value::Unknown(and(low, self.mask()))
            }
        }
    }
}

fn word(value: &Value) -> Word {
    match value {
        Value::Known(known) => c(*known as i32),
        Value::Unknown(e) => e.clone(),
    }
}

fn and(e: Word, mask: u32) -> Word {
    if mask == u32::MAX {
        return e;
    }
    binary(BinaryOp::BitAnd, e, c(mask as i32))
}

fn shifted(op: BinaryOp, e: Word, by: u32) -> Word {
    if by == 0 {
        return e;
    }
    binary(op, e, c(by as i32))
}

/// Numbers among which are all that have no other bits than these.
fn range_of(bits: u32) -> (i32, i32) {
    match u32::BITS - bits.leading_zeros() {
        32 => (i32::MIN, i32::MAX),
        count => (0, ((1_u32 << count) - 1) as i32),
    }
}

/// After a load of an integer to which nothing may have been written, of which some bits are replaced: if so, these
/// others are any ones.
pub(super) fn any_rest(code: &mut Code, instr: usize, into: RegId, others: u32) {
    let (end, origin) = (code.instructions[instr].to, code.instructions[instr].origin);
    let [loaded, nothing, any] = [(); 3].map(|()| code.location(origin));
    code.instructions[instr].to = loaded;
    let is_written = binary(BinaryOp::Ne, program::Expr::Var(into), c(UNWRITTEN));
    let mut step = |from, op, to| push(code, (from, to), op, None, instr);
    step(loaded, Op::Assume(is_written.clone()), end);
    step(loaded, Op::Assume(not(is_written)), nothing);
    let (low, high) = range_of(others);
    step(nothing, Op::Havoc { into, low, high }, any);
    let value = binary(BinaryOp::BitAnd, program::Expr::Var(into), c(others as i32));
    step(any, Op::Assign { into, value }, end);
}

fn is_signed(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Int { signed: true, .. })
}

impl Lowering<'_> {
    /// The value of a bit-field that is declared with this type.
    pub(super) fn read_bits(
        &mut self,
        unit: &Lvalue,
        bits: Bits,
        ty: &Type,
        place: Place,
    ) -> Value {
        let address = self.address(unit);
        let whole = self.read(&address, &unit.ty, place);
        self.bits_of(&whole, (&unit.ty, bits), ty, place)
    }

    /// The bits of an integer of one type as a value of another.
    fn bits_of(
        &mut self,
        whole: &Value,
        (unit, bits): (&Type, Bits),
        ty: &Type,
        place: Place,
    ) -> Value {
        let whole = self.convert(whole.clone(), unit, &uint(), place);
        let signed = is_signed(ty);
        let value = bits.value(&whole, signed);
        let has_sign = signed || bits.width < 32;
        let computed_in = if has_sign { int() } else { uint() };
        self.convert(value, &computed_in, ty, place)
    }

    /// `s.f = value`; the value that the bit-field has then.
    pub(super) fn assign_bits(
        &mut self,
        (unit, bits): (&Lvalue, Bits),
        value: &Expr,
        place: Place,
    ) -> Value {
        let new = self.eval(value);
        let address = self.address(unit);
        let old = self.read_merged(&address, &unit.ty, bits.others, place);
        self.store_beside(&address, unit, bits, place);
        self.replace_bits(&address, (&unit.ty, bits), (&old, new), &value.ty, place)
    }

    /// Stores to the scalars of adjacent bit-fields what they hold.
    fn store_beside(&mut self, address: &Value, unit: &Lvalue, bits: Bits, place: Place) {
        let LvalueKind::Member(inner, index) = &unit.kind else {
            return;
        };
        let TypeKind::Struct(id) = inner.ty.kind else {
            return;
        };
        if !self.marks_orders || self.solo {
            return;
        }
        let (before, after) = (i64::from(bits.beside.0), i64::from(bits.beside.1));
        for by in (-before..=after).filter(|by| *by != 0) {
            let member = index.checked_add_signed(by as isize);
            let members = &self.unit.structs[id.0].members;
            let Some(member) = member.and_then(|member| members.get(member)) else {
                continue;
            };
            // No program says that it accesses them.
            let ty = super::view::unqualified(&member.ty);
            let beside = self.offset(address, by);
            let held = self.read_copied(&beside, &ty, place);
            self.write_copied(&beside, &ty, held, place);
        }
    }

    /// Stores an integer with a new value in some of its bits; the value that they have then.
    fn replace_bits(
        &mut self,
        address: &Value,
        (unit, bits): (&Type, Bits),
        (old, new): (&Value, Value),
        ty: &Type,
        place: Place,
    ) -> Value {
        let old = self.convert(old.clone(), unit, &uint(), place);
        let new = self.convert(new, ty, &uint(), place);
        let mut whole = bits.replaced(&old, &new);
        if let Value::Unknown(e) = whole {
            // It is used twice, and what it is computed from may be in the register that it is stored in.
            whole = Value::Unknown(self.copy(e, place));
        }
        let stored = self.convert(whole.clone(), &uint(), unit, place);
        self.write(address, unit, stored, place);
        self.bits_of(&whole, (&uint(), bits), ty, place)
    }

    /// `s.f op= x`, `s.f++`: one load and one store.
    pub(super) fn update_bits(
        &mut self,
        address: &Value,
        (unit, bits): (&Lvalue, Bits),
        ty: &Type,
        apply: impl FnOnce(&mut Self, Value) -> Value,
        yields: Option<Yields>,
        place: Place,
    ) -> Value {
        let mut whole = self.read(address, &unit.ty, place);
        if let Value::Unknown(e) = whole {
            whole = Value::Unknown(self.copy(e, place));
        }
        self.store_beside(address, unit, bits, place);
        let before = self.bits_of(&whole, (&unit.ty, bits), ty, place);
        let after = apply(self, before.clone());
        let after = self.replace_bits(address, (&unit.ty, bits), (&whole, after), ty, place);
        match yields {
            Some(Yields::Before) => before,
            Some(Yields::After) | None => after,
        }
    }

    /// What is read of an integer that has no value: nothing, or any bits where some are replaced.
    pub(super) fn without_value(&mut self, reads: Reads, place: Place) -> Value {
        match reads {
            Reads::Merges { others: 0 } => Value::ZERO,
            Reads::Merges { others } => Value::Unknown(self.any_bits(others, place)),
            Reads::Uses | Reads::Copies | Reads::Prepared => Value::Known(UNSET),
        }
    }

    /// What is in a register, or any of these bits if it has no value.
    pub(super) fn rest_of(&mut self, register: RegId, others: u32, place: Place) -> Value {
        let any = self.any_bits(others, place);
        let own = program::Expr::Var(register);
        let is_unset = binary(BinaryOp::Eq, own.clone(), c(UNWRITTEN));
        self.reserved.is_checked = true;
        Value::Unknown(program::Expr::conditional(is_unset, any, own))
    }

    fn any_bits(&mut self, bits: u32, place: Place) -> Word {
        if bits == 0 {
            return c(0);
        }
        let (low, high) = range_of(bits);
        let any = self.any_value(low, high, place);
        and(word(&any), bits)
    }
}
