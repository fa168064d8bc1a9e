//! Accesses of words: one access of several cells.
//!
//! ```text
//!   x = w      WordBegin; load w.lo; load w.hi; AtomicEnd; x.lo = …; x.hi = …
//!   w = x      WordBegin; store w.lo; store w.hi; AtomicEnd
//!   ++w        AtomicBegin; load both; what is computed; store both; AtomicEnd      if it is a locked instruction
//! ```
//!
//! A structure that has words among its members is copied scalar by scalar, each word as one.
//!
//! What has to be checked about an access is checked before the block begins, or after it has ended: inside there
//! are only its accesses. Inside an atomic block nothing else takes a step anyway, so no block of its own is needed
//! there, and none is allowed: [`alone`] takes these away when all instructions are known.

use crate::facts::Flow;
use crate::lower::Lowering;
use crate::lower::arguments::Evaluated;
use crate::lower::code::{Code, Instr};
use crate::lower::deferred::Reads;
use crate::lower::layout::{bytes, cells};
use crate::lower::operation::Order;
use crate::lower::typed::{Lvalue, Stmt, Type, TypeKind, Unit, Word, WordAccess, WordOrder};
use crate::lower::value::{UNWRITTEN, Value, binary, c, shape};
use crate::program::{BinaryOp, Expr, Op, Ordering, Overlap};
use crate::text::Place;

/// Scalars of a type that are accessed at once: how many, and the word that they are, if they are one.
struct Group {
    count: usize,
    word: Option<Type>,
}

fn groups(unit: &Unit, ty: &Type, found: &mut Vec<Group>) {
    match &ty.kind {
        TypeKind::Array(element, count) => {
            for _ in 0..*count {
                groups(unit, element, found);
            }
        }
        TypeKind::Struct(id) if unit.structs[id.0].word => found.push(Group {
            count: cells(unit, ty) as usize,
            word: Some(ty.clone()),
        }),
        TypeKind::Struct(id) => {
            for member in unit.structs[id.0].stored() {
                groups(unit, &member.ty, found);
            }
        }
        TypeKind::Void => {}
        TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => {
            for _ in 0..cells(unit, ty) {
                found.push(Group {
                    count: 1,
                    word: None,
                });
            }
        }
    }
}

impl Lowering<'_> {
    /// Whether a type is one scalar in parts.
    pub(in crate::lower) fn is_word(&self, ty: &Type) -> bool {
        matches!(ty.kind, TypeKind::Struct(id) if self.unit.structs[id.0].word)
    }

    fn groups(&self, ty: &Type) -> Vec<Group> {
        let mut found = Vec::new();
        groups(self.unit, ty, &mut found);
        found
    }

    /// Statements that access a word.
    pub(in crate::lower) fn word(&mut self, word: &Word, place: Place) {
        let order = match &word.order {
            WordOrder::Fixed(order) => *order,
            WordOrder::Given(e) => {
                let value = self.eval(e);
                let (ty, place) = (&e.ty, e.place);
                let given = [Evaluated { value, ty, place }];
                self.order(Order::Argument, &given, 0)
            }
        };
        match &word.access {
            WordAccess::Plain => self.with_order(order, |this| this.acts(&word.body)),
            WordAccess::Store(object) => {
                let is_locked = matches!(order, Order::SeqCst | Order::Argument);
                self.stored_word((object, order, is_locked), &word.body, place);
            }
            WordAccess::Locked(object) => {
                let address = self.address(object);
                self.locked_word((&address, order), &word.body, place);
            }
            WordAccess::Operation(object, op, operand) => {
                let address = self.address(object);
                if self.is_dynamic(&address) {
                    let addresses = self.parts(&address, operand.len());
                    let mut parts = Vec::new();
                    for (address, e) in addresses.into_iter().zip(operand) {
                        let value = self.eval(e);
                        parts.push((address, e.ty.clone(), value));
                    }
                    self.operation(parts, *op, order, place);
                }
                self.locked_word((&address, order), &word.body, place);
            }
            WordAccess::Order => self.mark_order(order, place),
        }
    }

    fn stored_word(
        &mut self,
        (object, order, is_locked): (&Lvalue, Order, bool),
        body: &[Stmt],
        place: Place,
    ) {
        let address = self.address(object);
        if is_locked {
            self.locked_word((&address, order), body, place);
            return;
        }
        if self.is_dynamic(&address) && matches!(order, Order::Release | Order::AcqRel) {
            self.store_fence(place);
        }
        self.with_order(order, |this| this.acts(body));
    }

    fn locked_word(&mut self, (address, order): (&Value, Order), body: &[Stmt], place: Place) {
        let is_dynamic = self.is_dynamic(address);
        if is_dynamic {
            self.emit_as(Op::AtomicBegin, Ordering::Relaxed, place);
        }
        self.with_order(order, |this| this.acts(body));
        if is_dynamic {
            self.emit_as(Op::AtomicEnd, Ordering::Relaxed, place);
        }
    }

    /// The number whose halves these are, in one cell.
    pub(in crate::lower) fn narrowed(&mut self, halves: &[Evaluated], place: Place) -> Value {
        let [low, high] = halves else {
            return Value::ZERO;
        };
        if let (Value::Known(low), Value::Known(high)) = (&low.value, &high.value) {
            return Value::Known(high << 32 | low & 0xffff_ffff);
        }
        let [low, high] =
            [low, high].map(|half| self.dynamic_of(&half.value, Some(half.ty), place));
        let sign = binary(BinaryOp::Shr, low.clone(), c(31));
        self.limit(binary(BinaryOp::Eq, high, sign), place);
        Value::Unknown(low)
    }

    /// The upper half of a number. What is known is exact; of a cell it is the sign, which that of an address lacks.
    pub(in crate::lower) fn upper_half(&mut self, arguments: &[Evaluated], place: Place) -> Value {
        let [number] = arguments else {
            return Value::ZERO;
        };
        if let Value::Known(known) = number.value {
            return Value::Known(i64::from((known >> 32) as u32));
        }
        let cell = self.dynamic_of(&number.value, Some(number.ty), place);
        Value::Unknown(binary(BinaryOp::Shr, cell, c(31)))
    }

    /// What these statements do; there are no positions of the text between them.
    fn acts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.act(stmt);
        }
    }

    /// All scalars from an address on, as a structure of this type is copied, or a word is read.
    pub(in crate::lower) fn read_scalars(
        &mut self,
        address: &Value,
        ty: &Type,
        place: Place,
    ) -> Vec<Value> {
        let reads = if self.is_word(ty) {
            Reads::Uses
        } else {
            Reads::Copies
        };
        let types = self.scalars(ty);
        let mut values = Vec::new();
        for group in self.groups(ty) {
            let at = values.len();
            let own = &types[at..at + group.count];
            let first = self.offset(address, at as i64);
            let block = group.word.filter(|_| self.is_dynamic(&first));
            if let Some(word) = block {
                values.extend(self.read_word(&first, own, (&word, reads), place));
                continue;
            }
            for (at, ty) in own.iter().enumerate() {
                let address = self.offset(&first, at as i64);
                values.push(self.load(&address, ty, reads, place));
            }
        }
        values
    }

    fn read_word(
        &mut self,
        first: &Value,
        own: &[Type],
        (word, reads): (&Type, Reads),
        place: Place,
    ) -> Vec<Value> {
        let addresses = self.parts(first, own.len());
        if !self.are_seen(&addresses, own, place) {
            return vec![Value::ZERO; own.len()];
        }
        // Unless they all are, none is left out because it is fixed.
        let ordering = self.order_of_access(word);
        let fixed = addresses.iter().map(|address| {
            let known = address.known().filter(|_| ordering == Ordering::Plain)?;
            self.fixed(known)
        });
        let fixed: Option<Vec<i32>> = fixed.collect();
        if let Some(fixed) = fixed
            && let Some(known) = first.known()
            && !self.has_an_end(known)
            && !fixed.contains(&UNWRITTEN)
        {
            let values = fixed.iter().zip(own);
            return values
                .map(|(bits, ty)| Value::Known(shape(ty).value_of_bits(*bits)))
                .collect();
        }
        let block = self.begin_word(place);
        let parts = addresses.iter().zip(own);
        let values = parts
            .map(|(address, ty)| self.emit_load_as(address, ty, (reads, ordering), place))
            .collect();
        self.end_word(block, place);
        values
    }

    /// Stores scalars from an address on, as a structure of this type is copied, or a word is stored.
    pub(in crate::lower) fn write_scalars(
        &mut self,
        address: &Value,
        ty: &Type,
        values: &[Value],
        place: Place,
    ) {
        let doubtful = !self.is_word(ty);
        let types = self.scalars(ty);
        let mut at = 0;
        for group in self.groups(ty) {
            let own = &types[at..at + group.count];
            let given = &values[at..at + group.count];
            let first = self.offset(address, at as i64);
            at += group.count;
            let block = group.word.filter(|_| self.is_dynamic(&first));
            if let Some(word) = block {
                self.write_word(&first, (own, given), (&word, doubtful), place);
                continue;
            }
            for (at, (ty, value)) in own.iter().zip(given).enumerate() {
                let address = self.offset(&first, at as i64);
                if doubtful {
                    self.write_copied(&address, ty, value.clone(), place);
                } else {
                    self.write(&address, ty, value.clone(), place);
                }
            }
        }
    }

    fn write_word(
        &mut self,
        first: &Value,
        (own, values): (&[Type], &[Value]),
        (word, doubtful): (&Type, bool),
        place: Place,
    ) {
        let addresses = self.parts(first, own.len());
        if !self.are_seen(&addresses, own, place) {
            return;
        }
        let mut stored = Vec::new();
        for ((address, ty), value) in addresses.iter().zip(own).zip(values) {
            stored.push(self.stored_bits(address, ty, (value, doubtful), place));
        }
        let ordering = self.order_of_access(word);
        let block = self.begin_word(place);
        for ((address, ty), value) in addresses.iter().zip(own).zip(stored) {
            self.emit_stored(address, ty, value, ordering, place);
        }
        self.end_word(block, place);
    }

    /// The addresses of so many parts. They have the same form, from which their distances are seen.
    fn parts(&mut self, first: &Value, count: usize) -> Vec<Value> {
        let (base, from) = match first {
            Value::Unknown(Expr::Binary(BinaryOp::Add, base, by)) => match by.as_const() {
                Some(by) => (Value::Unknown((**base).clone()), i64::from(by)),
                None => (first.clone(), 0),
            },
            Value::Known(_) | Value::Unknown(_) => (first.clone(), 0),
        };
        let parts = 0..count as i64;
        parts.map(|at| self.offset(&base, from + at)).collect()
    }

    /// Whether there are these parts, where no execution has ended.
    fn are_seen(&mut self, addresses: &[Value], own: &[Type], place: Place) -> bool {
        let mut parts = addresses.iter().zip(own);
        let are_seen = parts.all(|(address, ty)| self.seen(address, ty, place).is_some());
        let bytes: i64 = own.iter().map(|ty| bytes(self.unit, ty)).sum();
        let first = addresses.first().and_then(Value::known);
        if let Some(scalar) = first.and_then(|first| self.memory.scalar(first))
            && scalar.offset % bytes.max(1) != 0
            && self.state.is_some()
        {
            self.error(
                format!("an access of {bytes} bytes is not aligned, so it may be several"),
                place,
            );
        }
        are_seen
    }

    fn begin_word(&mut self, place: Place) -> usize {
        self.emit_as(Op::WordBegin(Overlap::Combine), Ordering::Relaxed, place);
        let begin = self.code.instructions.len().saturating_sub(1);
        self.code.words.push((begin, begin));
        let block = self.code.words.len() - 1;
        self.code.word = Some(block);
        block
    }

    fn end_word(&mut self, block: usize, place: Place) {
        self.emit_as(Op::AtomicEnd, Ordering::Relaxed, place);
        self.code.words[block].1 = self.code.instructions.len().saturating_sub(1);
        self.code.word = None;
    }
}

/// Takes away the blocks of word accesses that are in atomic blocks.
pub(in crate::lower) fn alone(code: &mut Code) {
    if code.words.is_empty() {
        return;
    }
    let inside = in_blocks(code);
    for (begin, end) in code.words.clone() {
        if inside[code.instructions[begin].from] {
            code.instructions[begin].op = Op::Skip;
            code.instructions[end].op = Op::Skip;
        }
    }
}

/// For each location, whether it is inside an atomic block.
pub(in crate::lower) fn in_blocks(code: &Code) -> Vec<bool> {
    let ends: Vec<usize> = code.words.iter().map(|(_, end)| *end).collect();
    let own: Vec<*const _> = ends
        .iter()
        .map(|end| std::ptr::from_ref(&code.instructions[*end]))
        .collect();
    let leads_on =
        |instr: &Instr| instr.op != Op::AtomicEnd || own.contains(&std::ptr::from_ref(instr));
    let begins = code.instructions.iter();
    let begins = begins.filter(|instr| instr.op == Op::AtomicBegin);
    let begins: Vec<usize> = begins.map(|instr| instr.to).collect();
    Flow::forward(code).reached(begins, leads_on)
}
