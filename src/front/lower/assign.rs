//! Assignments and updates: stores, locked instructions, and what both yield.

use super::Lowering;
use super::arith::Operation;
use super::deferred::Reads;
use super::env::Env;
use super::value::{Value, shape};
use super::view::{Rep, rep};
use crate::lower::operation::Order;
use crate::lower::typed::{BinaryOp, Expr, Lvalue, LvalueKind, Type, TypeKind, Yields};
use crate::program::{self, FetchOp, Op, Ordering, Update, Written};
use crate::text::Place;

impl Lowering<'_> {
    pub(super) fn assign(&mut self, into: &Lvalue, value: &Expr, place: Place) {
        if matches!(into.ty.kind, TypeKind::Struct(_) | TypeKind::Array(..)) {
            self.assign_structure(into, value, place);
            return;
        }
        if let LvalueKind::Bits(unit, bits) = &into.kind {
            self.assign_bits((unit, *bits), value, place);
            return;
        }
        if self.stores_lost(into, value, place) {
            return;
        }
        let value = self.eval(value);
        let address = self.address(into);
        self.assign_scalar(&address, into, value, false, place);
    }

    pub(super) fn refuse_atomic(&mut self, ty: &Type, place: Place) {
        if ty.atomic && !self.is_word(ty) {
            self.error("atomic structures are not supported", place);
        }
    }

    /// `=` between structures, member by member, in order: not atomic. Yields what was assigned.
    pub(super) fn assign_structure(
        &mut self,
        into: &Lvalue,
        value: &Expr,
        place: Place,
    ) -> Vec<Value> {
        self.refuse_atomic(&into.ty, place);
        let mut values = self.eval_all(value);
        let address = self.address(into);
        if matches!(&address, Value::Known(known) if Env::is_virtual(*known)) {
            let types = self.scalars(&into.ty);
            let is_word = self.is_word(&into.ty);
            for (at, (value, ty)) in values.iter_mut().zip(&types).enumerate() {
                let address = self.offset(&address, at as i64);
                if is_word {
                    self.write(&address, ty, value.clone(), place);
                } else {
                    self.write_copied(&address, ty, value.clone(), place);
                }
                *value = self.read_copied(&address, ty, place);
            }
        } else {
            self.write_scalars(&address, &into.ty, &values, place);
        }
        values
    }

    /// `=`: on an atomic object it is a `seq_cst` store, which is a locked exchange on x86.
    pub(super) fn assign_scalar(
        &mut self,
        address: &Value,
        into: &Lvalue,
        value: Value,
        _used: bool,
        place: Place,
    ) {
        if into.ty.atomic {
            self.atomic_store(address, &into.ty, value, Order::SeqCst, place);
        } else {
            self.write(address, &into.ty, value, place);
        }
    }

    /// Whether accesses to an address are instructions.
    pub(super) fn is_dynamic(&self, address: &Value) -> bool {
        match address {
            Value::Known(known) => !Env::is_virtual(*known) && !self.solo,
            Value::Unknown(_) => true,
        }
    }

    /// A locked instruction; the value before.
    pub(super) fn locked(&mut self, address: &Value, update: Update, place: Place) -> Value {
        let addr = self.pointer_bits(address, place);
        let into = self.temporary();
        self.emit(Op::Rmw { into, addr, update }, place);
        self.accessed(None, Reads::Prepared);
        Value::Unknown(program::Expr::Var(into))
    }

    /// The same on a scalar of the program, whose cell has this type.
    pub(super) fn modify(
        &mut self,
        address: &Value,
        cell: &Type,
        update: Update,
        place: Place,
    ) -> Value {
        let old = self.locked(address, update, place);
        self.accessed(Some(cell), Reads::Uses);
        old
    }

    /// `op=`, `++`, `--`.
    pub(super) fn update(
        &mut self,
        op: BinaryOp,
        into: &Lvalue,
        operand: &Expr,
        computed_in: &Type,
        yields: Option<Yields>,
        place: Place,
    ) -> Value {
        let operand_value = self.eval(operand);
        let address = self.address(into);
        if let LvalueKind::Bits(unit, bits) = &into.kind {
            let apply = |this: &mut Self, old| {
                let operand = (operand_value, &operand.ty);
                this.apply(op, old, &into.ty, operand, computed_in, place)
            };
            return self.update_bits(&address, (unit, *bits), &into.ty, apply, yields, place);
        }
        if into.ty.atomic && self.is_dynamic(&address) {
            return self.fetch(
                &address,
                &into.ty,
                (op, operand_value, &operand.ty, computed_in),
                yields,
                place,
            );
        }
        let mut before = self.read(&address, &into.ty, place);
        let is_register = matches!(&address, Value::Known(a) if Env::is_virtual(*a));
        if is_register
            && yields == Some(Yields::Before)
            && let Value::Unknown(value) = &before
        {
            // The register changes before the value is used.
            let copy = self.temporary();
            let (value, origin) = (value.clone(), self.origin(place));
            if let Some(state) = &mut self.state {
                state.at = self.code.assign(state.at, copy, value, false, origin);
            }
            before = Value::Unknown(program::Expr::Var(copy));
        }
        let after = self.apply(
            op,
            before.clone(),
            &into.ty,
            (operand_value, &operand.ty),
            computed_in,
            place,
        );
        self.write(&address, &into.ty, after.clone(), place);
        match yields {
            Some(Yields::Before) => before,
            Some(Yields::After) if is_register => self.read(&address, &into.ty, place),
            Some(Yields::After) | None => after,
        }
    }

    /// `old op operand`, computed in a type and converted back.
    pub(super) fn apply(
        &mut self,
        op: BinaryOp,
        old: Value,
        ty: &Type,
        (operand, operand_ty): (Value, &Type),
        computed_in: &Type,
        place: Place,
    ) -> Value {
        let old = self.convert(old, ty, computed_in, place);
        let is_pointer = matches!(op, BinaryOp::PointerAdd | BinaryOp::PointerSub);
        let (operand, operand_ty) = if is_pointer || matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            (operand, operand_ty)
        } else {
            (
                self.convert(operand, operand_ty, computed_in, place),
                computed_in,
            )
        };
        let operation = Operation {
            op,
            left: (old, computed_in),
            right: (operand, operand_ty),
            ty: computed_in,
        };
        let new = self.binary(operation, place);
        self.convert(new, computed_in, ty, place)
    }

    /// An atomic read-modify-write.
    pub(super) fn fetch(
        &mut self,
        address: &Value,
        ty: &Type,
        (op, operand, operand_ty, computed_in): (BinaryOp, Value, &Type, &Type),
        yields: Option<Yields>,
        place: Place,
    ) -> Value {
        let Some(cell) = self.seen(address, ty, place) else {
            return Value::ZERO;
        };
        let wide = shape(ty).bits == 32;
        let is_bool = shape(ty).bits == 1;
        let simple = match op {
            BinaryOp::Add if wide => Some(FetchOp::Add),
            BinaryOp::Sub if wide => Some(FetchOp::Sub),
            BinaryOp::BitAnd if !is_bool => Some(FetchOp::And),
            BinaryOp::BitOr => Some(FetchOp::Or),
            _ => None,
        };
        // A pointer as a number is neither in the cell.
        let simple = simple.filter(|_| !matches!(rep(&cell), Rep::Pointer));
        // What no 32 bits represent is no operand of an instruction.
        if let Some(fetch) = simple.filter(|_| operand.huge().is_none()) {
            let operand = self.convert(operand, operand_ty, ty, place);
            let stored = self.as_stored(operand.clone(), ty, &cell, place);
            let bits = self.dynamic_of(&stored, Some(&cell), place);
            let old = self.modify(address, &cell, Update::Fetch(fetch, bits), place);
            let old = self.as_seen(old, &cell, ty, place);
            return match yields {
                Some(Yields::After) => self.apply(op, old, ty, (operand, ty), computed_in, place),
                Some(Yields::Before) | None => {
                    if self.learned.numbered {
                        // For what it must not do with numbers of addresses.
                        self.apply(op, old.clone(), ty, (operand, ty), computed_in, place);
                    }
                    old
                }
            };
        }
        // A load and a store that nothing separates, with an empty buffer before and after.
        self.emit_as(Op::AtomicBegin, Ordering::Relaxed, place);
        let old = self.read(address, ty, place);
        let new = self.apply(
            op,
            old.clone(),
            ty,
            (operand, operand_ty),
            computed_in,
            place,
        );
        self.write(address, ty, new.clone(), place);
        self.is_written_as(Written::Update);
        self.emit_as(Op::AtomicEnd, Ordering::Relaxed, place);
        match yields {
            Some(Yields::After) => new,
            Some(Yields::Before) | None => old,
        }
    }
}
