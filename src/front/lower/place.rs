//! Lvalues: addresses, loads and stores.

use super::Lowering;
use super::bounds::{Reach, between};
use super::deferred::{Reads, bits_of};
use super::env::Env;
use super::layout::{cells, is_zero_in_union, member_offset, path_offset};
use super::objects::Storage;
use super::thread::is_handle;
use super::value::{UNSET, UNWRITTEN, Value, binary, shape};
use crate::lower::typed::{self, LocalId, Lvalue, LvalueKind, ObjectId, Type, TypeKind};
use crate::program::{BinaryOp, Expr, Fault, Op, Ordering, RegId};
use crate::text::{Diagnostic, Place};

impl Lowering<'_> {
    /// The address of a local of the innermost function.
    pub(super) fn address_of_local(&self, local: LocalId) -> Option<i64> {
        Some(self.env()?.frames.last()?.homes[local.0].address())
    }

    /// The address of an object with static storage duration, or of this thread's own one.
    pub(super) fn address_of_object(&mut self, id: ObjectId) -> i64 {
        let object = &self.unit.objects[id.0];
        let key = (id.0, object.thread_local.then_some(self.current));
        if let Some(address) = self.memory.objects.get(&key) {
            return *address;
        }
        if object.thread_local {
            self.refuse_in_copies("thread-local variables", object.place);
        }
        let name = if object.thread_local {
            format!("{}.{}", self.code.name, object.name)
        } else {
            object.name.clone()
        };
        let ty = match object.ty.kind {
            TypeKind::Struct(of) if object.tail > 0 => self.with_tail(of, object.tail),
            _ => object.ty.clone(),
        };
        let address = self.place(&name, &ty, Storage::Static);
        self.memory.objects.insert(key, address);
        let object = &self.unit.objects[id.0];
        for (path, e) in &object.init {
            if is_zero_in_union(self.unit, &object.ty, path, e) {
                continue;
            }
            let offset = path_offset(self.unit, &object.ty, path);
            let value = self.constant(e);
            let ty = e.ty.clone();
            if let TypeKind::Pointer(to) = &ty.kind {
                self.admit(value, to, e.place);
            }
            // In a union the cell may be that of another member.
            let cell = self.memory.scalar(address + offset);
            let cell = cell.map_or_else(|| ty.clone(), |cell| cell.ty.clone());
            let stored = self.as_stored(Value::Known(value), &ty, &cell, e.place);
            let value = stored.known().unwrap_or(value);
            match shape(&cell).to_bits(value) {
                Some(UNWRITTEN) => self.refuse_unwritten(e.place),
                Some(bits) => self.memory.set_initial(address + offset, bits),
                None => self.refuse_huge(value, &cell, e.place),
            }
        }
        address
    }

    /// The address of an lvalue.
    pub(super) fn address(&mut self, lvalue: &Lvalue) -> Value {
        match &lvalue.kind {
            LvalueKind::Object(id) => Value::Known(self.address_of_object(*id)),
            LvalueKind::Local(local) => match self.address_of_local(*local) {
                Some(address) => Value::Known(address),
                None => Value::ZERO,
            },
            LvalueKind::Deref(pointer) => {
                let address = self.accessible(pointer);
                self.not_stray(&address, &lvalue.ty, lvalue.place);
                address
            }
            LvalueKind::Member(inner, index) => {
                let base = self.address(inner);
                self.member_at(inner, base, *index, lvalue.place)
            }
            LvalueKind::Bits(unit, _) => self.address(unit),
            LvalueKind::Element(inner, index) => {
                self.element(inner, index, Reach::Access, lvalue.place)
            }
        }
    }

    /// The address of a member of what is at this one.
    pub(super) fn member_at(
        &mut self,
        object: &Lvalue,
        base: Value,
        index: usize,
        place: Place,
    ) -> Value {
        self.note_member(&object.ty, index);
        let offset = member_offset(self.unit, &object.ty, index);
        if offset > 0 {
            self.not_null(object, &base, place);
        }
        offset_by(base, offset)
    }

    /// The address of an element of an array.
    pub(super) fn element(
        &mut self,
        inner: &Lvalue,
        index: &typed::Expr,
        reach: Reach,
        place: Place,
    ) -> Value {
        let base = self.address(inner);
        let number = self.eval(index);
        let TypeKind::Array(element, count) = &inner.ty.kind else {
            return base;
        };
        let size = cells(self.unit, element);
        let last = match reach {
            Reach::Access => i64::from(*count) - 1,
            Reach::PastEnd => i64::from(*count),
        };
        match number {
            Value::Known(number) => {
                if !(0..=last).contains(&number) && self.state.is_some() {
                    self.error(
                        format!("index {number} is outside an array of {count} elements"),
                        index.place,
                    );
                }
                offset_by(base, size.wrapping_mul(number))
            }
            Value::Unknown(e) => {
                self.require(between(0, &e, last), Fault::Bounds, place);
                self.add_cells((base, element), e, size, place)
            }
        }
    }

    /// What a pointer points to has a member after its beginning: a null pointer has none. Where the
    /// member is the first one, the access itself is outside of memory.
    fn not_null(&mut self, object: &Lvalue, base: &Value, place: Place) {
        if !self.begins_at_pointer(object) || self.test.is_some() {
            return;
        }
        match base {
            Value::Known(0) => self.violation(Fault::Null, place),
            Value::Known(_) => {}
            Value::Unknown(e) => {
                let there = binary(BinaryOp::Ne, e.clone(), Expr::Const(0));
                self.require(there, Fault::Null, place);
            }
        }
    }

    /// Whether the address of an object is the value of a pointer.
    fn begins_at_pointer(&self, object: &Lvalue) -> bool {
        match &object.kind {
            LvalueKind::Deref(_) => true,
            LvalueKind::Member(inner, index) => {
                member_offset(self.unit, &inner.ty, *index) == 0 && self.begins_at_pointer(inner)
            }
            LvalueKind::Bits(inner, _) | LvalueKind::Element(inner, _) => {
                self.begins_at_pointer(inner)
            }
            LvalueKind::Object(_) | LvalueKind::Local(_) => false,
        }
    }

    /// How many cells of a structure are before a member, whose address this is.
    pub(super) fn cells_before(&mut self, member: &typed::Expr) -> i64 {
        let typed::ExprKind::AddressOf(lvalue) = &member.kind else {
            self.error("this is not a member", member.place);
            return 0;
        };
        let (mut at, mut cells) = (&**lvalue, 0);
        while let LvalueKind::Member(inner, index) = &at.kind {
            cells += member_offset(self.unit, &inner.ty, *index);
            at = inner;
        }
        if !matches!(at.kind, LvalueKind::Deref(_)) {
            self.error(
                "an element of an array is not supported as a member here",
                member.place,
            );
        }
        cells
    }

    /// An address of an object of this type and this many times so many cells.
    pub(super) fn add_cells(
        &mut self,
        (base, to): (Value, &Type),
        number: Expr<RegId>,
        size: i64,
        place: Place,
    ) -> Value {
        // What is computed here may be stored.
        self.expose(base.known().unwrap_or_default(), to);
        let base = self.pointer_bits(&base, place);
        let offset = if size == 1 {
            number
        } else {
            binary(BinaryOp::Mul, number, Expr::Const(size as i32))
        };
        Value::Unknown(binary(BinaryOp::Add, base, offset))
    }

    /// An address as a value at run time. A local in registers has none, so it has to move to memory.
    pub(super) fn pointer_bits(&mut self, address: &Value, _place: Place) -> Expr<RegId> {
        match address {
            Value::Unknown(e) => e.clone(),
            Value::Known(address) if Env::is_virtual(*address) => {
                // Its function may have ended, and the variable may be that of another thread.
                let mut homes = self.virtual_homes.range(..=*address);
                self.now
                    .in_memory
                    .extend(homes.next_back().map(|(_, home)| *home));
                Expr::Const(0)
            }
            Value::Known(address) => Expr::Const(i32::try_from(*address).unwrap_or(0)),
        }
    }

    /// The scalar of this type at an address.
    pub(super) fn read(&mut self, address: &Value, ty: &Type, place: Place) -> Value {
        self.load(address, ty, Reads::Uses, place)
    }

    /// The same as a part of a structure that is copied: it may have no value.
    pub(super) fn read_copied(&mut self, address: &Value, ty: &Type, place: Place) -> Value {
        self.load(address, ty, Reads::Copies, place)
    }

    /// What a lock or the like holds, which has to be initialised.
    pub(super) fn read_prepared(&mut self, address: &Value, ty: &Type, place: Place) -> Value {
        self.load(address, ty, Reads::Prepared, place)
    }

    /// What an integer holds of which only some bits are replaced; these others are any ones if it has no value.
    pub(super) fn read_merged(
        &mut self,
        address: &Value,
        ty: &Type,
        others: u32,
        place: Place,
    ) -> Value {
        self.load(address, ty, Reads::Merges { others }, place)
    }

    pub(super) fn load(&mut self, address: &Value, ty: &Type, reads: Reads, place: Place) -> Value {
        let Some(cell) = self.seen(address, ty, place) else {
            return Value::ZERO;
        };
        let value = self.load_cell(address, &cell, reads, place);
        self.as_seen(value, &cell, ty, place)
    }

    /// The scalar at an address where a cell of this type is.
    fn load_cell(&mut self, address: &Value, ty: &Type, reads: Reads, place: Place) -> Value {
        if let Value::Known(known) = address {
            if Env::is_virtual(*known) {
                return self.read_slot(*known, reads, place);
            }
            if is_handle(ty)
                && let Some(value) = self.certain_handle(*known)
            {
                return value;
            }
            let initial = self.memory.initial(*known).filter(|_| self.solo);
            let is_plain = self.order_of_access(ty) == Ordering::Plain;
            let fixed = || self.fixed(*known).filter(|_| is_plain);
            if let Some(bits) = initial.or_else(fixed) {
                if !self.solo && self.has_an_end(*known) {
                    self.emit_load(address, ty, reads, place);
                }
                return match (bits, reads.fault()) {
                    (UNWRITTEN, None) => self.without_value(reads, place),
                    (UNWRITTEN, Some(fault)) => {
                        self.violation(fault, place);
                        Value::ZERO
                    }
                    (bits, _) => Value::Known(shape(ty).value_of_bits(bits)),
                };
            }
        }
        self.now.handles_vary |= is_handle(ty);
        self.emit_load(address, ty, reads, place)
    }

    fn emit_load(&mut self, address: &Value, ty: &Type, reads: Reads, place: Place) -> Value {
        let ordering = self.order_of_access(ty);
        self.emit_load_as(address, ty, (reads, ordering), place)
    }

    /// Loads a scalar of a type, whose cell is one.
    pub(super) fn emit_load_as(
        &mut self,
        address: &Value,
        ty: &Type,
        (reads, ordering): (Reads, Ordering),
        place: Place,
    ) -> Value {
        let addr = self.pointer_bits(address, place);
        let into = self.temporary();
        self.emit_as(Op::Load { into, addr }, ordering, place);
        let of = Some(ty).filter(|_| reads != Reads::Prepared);
        self.accessed(of, reads);
        Value::Unknown(Expr::Var(into))
    }

    /// Stores a scalar of this type at an address, with an ordinary store.
    pub(super) fn write(&mut self, address: &Value, ty: &Type, value: Value, place: Place) {
        self.store(address, ty, value, false, place);
    }

    /// The same as a part of a structure that is copied: it may have no value.
    pub(super) fn write_copied(&mut self, address: &Value, ty: &Type, value: Value, place: Place) {
        let doubtful = matches!(value, Value::Known(UNSET) | Value::Unknown(_));
        self.store(address, ty, value, doubtful, place);
    }

    fn store(&mut self, address: &Value, ty: &Type, value: Value, doubtful: bool, place: Place) {
        let Some(cell) = self.seen(address, ty, place) else {
            return;
        };
        let value = self.as_stored(value, ty, &cell, place);
        let ty = &cell;
        if self.state.is_none() {
            return;
        }
        if let Value::Known(known) = address {
            if Env::is_virtual(*known) {
                self.write_slot(*known, ty, value, doubtful, place);
                return;
            }
            if let Value::Known(number) = value
                && is_handle(ty)
            {
                self.stores_handle(*known, number);
                if !self.learned.handles_vary {
                    return;
                }
            }
            if self.solo
                && self.memory.has(*known)
                && let Value::Known(value) = value
                && !Env::is_virtual(value)
            {
                let bits = self.bits(value, ty, place);
                self.memory.set_initial(*known, bits);
                return;
            }
        }
        self.now.handles_vary |= is_handle(ty);
        let value = self.stored_bits(address, ty, (&value, doubtful), place);
        let ordering = self.order_of_access(ty);
        self.emit_stored(address, ty, value, ordering, place);
    }

    /// The bits of a scalar that is stored next at an address; `doubtful` if it may have no value.
    pub(super) fn stored_bits(
        &mut self,
        address: &Value,
        ty: &Type,
        (value, doubtful): (&Value, bool),
        place: Place,
    ) -> Expr<RegId> {
        if let Value::Known(known) = address {
            self.changes(*known);
        }
        if doubtful {
            self.memory.copied_to(address.known(), bits_of(ty));
            if *value == Value::Known(UNSET) {
                self.memory.copies_unset();
            }
        }
        let value = self.dynamic_of(value, Some(ty), place);
        self.exclude_computed(&value, bits_of(ty), place);
        value
    }

    /// Stores these bits as a scalar of a type.
    pub(super) fn emit_stored(
        &mut self,
        address: &Value,
        ty: &Type,
        value: Expr<RegId>,
        ordering: Ordering,
        place: Place,
    ) {
        let addr = self.pointer_bits(address, place);
        self.emit_as(Op::Store { addr, value }, ordering, place);
        self.accessed(Some(ty), Reads::Copies);
    }

    fn refuse_unwritten(&mut self, place: Place) {
        self.report(
            Diagnostic::error(
                format!("the number {UNWRITTEN} is not supported"),
                self.positions.span(place),
            )
            .note("it marks memory that has not been written"),
        );
    }

    /// The 32 bits of a known value; an error if it has none.
    pub(super) fn bits(&mut self, value: i64, ty: &Type, place: Place) -> i32 {
        if let TypeKind::Pointer(to) = &ty.kind {
            self.publish(value);
            self.admit(value, to, place);
        }
        if value == UNSET {
            UNWRITTEN
        } else if let Some(bits) = shape(ty).to_bits(value) {
            if bits == UNWRITTEN {
                self.refuse_unwritten(place);
            }
            bits
        } else {
            self.refuse_huge(value, ty, place);
            0
        }
    }
}

pub(super) fn offset_by(base: Value, offset: i64) -> Value {
    match base {
        Value::Known(base) => Value::Known(base.wrapping_add(offset)),
        Value::Unknown(e) if offset == 0 => Value::Unknown(e),
        Value::Unknown(e) => Value::Unknown(binary(BinaryOp::Add, e, Expr::Const(offset as i32))),
    }
}
