//! What the instructions of a template do, as statements.
//!
//! An instruction on memory is one operation where it is locked, and a load and a store otherwise. Values
//! that later instructions need are in variables, so nothing is accessed twice.

use super::access::pointee;
use super::operands::{Assembly, Site};
use super::operations;
use super::table::{Action, BitAction, Condition, Flag, Register};
use super::template::Instruction;
use super::values::{bits_of, compare, compute, constant, uint};
use crate::c::check::{BOOL, Checked, LONG, UNSIGNED, cast, expr, folded};
use crate::lower::typed::{Asm, BinaryOp, Expr, ExprKind, StmtKind};

/// What an instruction reads and writes.
#[derive(Clone)]
pub(super) enum Object {
    Slot(usize),
    /// What this pointer points to.
    Memory(Expr),
    Value(Expr),
    Stack,
}

impl Object {
    fn is_memory(&self) -> bool {
        matches!(self, Self::Memory(_))
    }
}

/// An instruction with its operands.
pub(super) struct Step<'i> {
    pub(super) of: &'i Instruction,
    pub(super) bits: u32,
}

impl Assembly<'_, '_> {
    pub(super) fn instructions(&mut self, all: &[Instruction]) -> Checked<()> {
        self.wanted = all.iter().filter_map(|one| reads(one.action)).collect();
        let outputs = self.entries.iter().filter_map(|entry| match entry.site {
            Site::Flag(condition) => Some(condition.flag),
            Site::Slot(_) | Site::Memory(_) | Site::Constant(_) | Site::Unknown => None,
        });
        self.wanted.extend(outputs);
        for one in all {
            let bits = self.width(one)?;
            self.instruction(&Step { of: one, bits })?;
        }
        Ok(())
    }

    pub(super) fn refused<T>(&mut self, message: String) -> Checked<T> {
        let note = "compute it in C, or use the built-in functions `__atomic_…`";
        Err(self.check.error_with(message, self.place, note))
    }

    fn instruction(&mut self, step: &Step) -> Checked<()> {
        let one = step.of;
        if one.locked && !can_be_locked(one.action) {
            return self.refused(format!("`{}` cannot be locked", one.text));
        }
        match (one.action, &*one.arguments) {
            (Action::Nothing, _) => Ok(()),
            (Action::FullFence, _) => {
                self.statement(StmtKind::Asm(Asm::FullFence));
                Ok(())
            }
            (Action::StoreFence, _) => {
                self.statement(StmtKind::Asm(Asm::StoreFence));
                Ok(())
            }
            (Action::Clock, _) => self.any(&[Register::A, Register::D]),
            (Action::ClockAndProcessor, _) => self.any(&[Register::A, Register::D, Register::C]),
            (Action::Identify, _) => {
                self.statement(StmtKind::Asm(Asm::FullFence));
                self.any(&[Register::A, Register::B, Register::C, Register::D])
            }
            (action, [only]) => {
                let object = self.object(only, step)?;
                self.must_be_memory(&object, step)?;
                self.of_one(action, &object, step)
            }
            (action, [from, into]) => {
                let bits = if let Action::Extend(narrow) = action {
                    narrow
                } else {
                    step.bits
                };
                let from = self.object(from, &Step { of: one, bits })?;
                let into = self.object(into, step)?;
                if from.is_memory() && into.is_memory() {
                    return self.refused(format!("`{}` has two operands in memory", one.text));
                }
                let memory = if from.is_memory() { &from } else { &into };
                self.must_be_memory(memory, step)?;
                self.of_two(action, &from, into, step)
            }
            _ => self.refused(format!("`{}` has too few operands", one.text)),
        }
    }

    fn must_be_memory(&mut self, object: &Object, step: &Step) -> Checked<()> {
        match object {
            Object::Slot(_) | Object::Value(_) if step.of.locked => {
                self.refused(format!("`{}` locks no memory", step.of.text))
            }
            Object::Slot(_) | Object::Value(_) | Object::Memory(_) | Object::Stack => Ok(()),
        }
    }

    fn of_one(&mut self, action: Action, object: &Object, step: &Step) -> Checked<()> {
        match action {
            Action::Step(op) => {
                let one = constant(1, &uint(step.bits), self.place);
                self.combine(op, one, object, step)
            }
            Action::Complement => self.complement(object, step),
            Action::Negate => self.negate(object, step),
            Action::Set(condition) => {
                let value = self.condition(condition, &format!("`{}`", step.of.text))?;
                self.write(object, value, step)
            }
            Action::Nothing
            | Action::FullFence
            | Action::StoreFence
            | Action::Move
            | Action::Exchange
            | Action::CompareExchange
            | Action::ExchangeAdd
            | Action::Combine(_)
            | Action::Compare(_)
            | Action::Bit(_)
            | Action::Spread
            | Action::Extend(_)
            | Action::Clock
            | Action::ClockAndProcessor
            | Action::Identify => self.refused(format!("`{}` has too few operands", step.of.text)),
        }
    }

    fn of_two(&mut self, action: Action, from: &Object, into: Object, step: &Step) -> Checked<()> {
        match action {
            Action::Move => {
                let value = self.read(from, step)?;
                self.write(&into, value, step)
            }
            Action::Extend(bits) => {
                let narrow = Step { of: step.of, bits };
                let value = self.read(from, &narrow)?;
                self.write(&into, cast(value, &uint(step.bits)), step)
            }
            Action::Exchange => self.exchange(from, &into, step),
            Action::CompareExchange => self.compare_exchange(from, &into, step),
            Action::ExchangeAdd => {
                let added = self.number(from, step)?;
                let old = self.modify(BinaryOp::Add, added.clone(), &into, step)?;
                let sum = compute(BinaryOp::Add, old.clone(), added.clone(), step.bits);
                self.flags(BinaryOp::Add, old.clone(), added, sum, step)?;
                self.write(from, old, step)
            }
            Action::Combine(BinaryOp::BitXor | BinaryOp::Sub) if same(from, &into) => {
                let zero = constant(0, &uint(step.bits), self.place);
                for flag in [Flag::Zero, Flag::Carry, Flag::Sign] {
                    let set = constant(i64::from(flag == Flag::Zero), &BOOL, self.place);
                    self.set_flag(flag, set)?;
                }
                self.write(&into, zero, step)
            }
            Action::Combine(op) => {
                if matches!(into, Object::Stack) {
                    return self.on_the_stack(op, from, step);
                }
                let operand = self.number(from, step)?;
                self.combine(op, operand, &into, step)
            }
            Action::Compare(op) => {
                let operand = self.number(from, step)?;
                let old = self.number(&into, step)?;
                let result = compute(op, old.clone(), operand.clone(), step.bits);
                self.flags(op, old, operand, result, step)
            }
            Action::Bit(what) => self.bit(what, from, into, step),
            Action::Spread if same(from, &into) => {
                let carry = Condition {
                    flag: Flag::Carry,
                    set: true,
                };
                let carry = self.condition(carry, &format!("`{}`", step.of.text))?;
                let zero = constant(0, &uint(step.bits), self.place);
                let spread = compute(BinaryOp::Sub, zero, carry, step.bits);
                self.write(&into, spread, step)
            }
            Action::Nothing
            | Action::FullFence
            | Action::StoreFence
            | Action::Step(_)
            | Action::Complement
            | Action::Negate
            | Action::Spread
            | Action::Set(_)
            | Action::Clock
            | Action::ClockAndProcessor
            | Action::Identify => self.refused(format!("`{}` is not supported", step.of.text)),
        }
    }

    /// The value of `old op operand`, and the flags of that.
    fn combine(&mut self, op: BinaryOp, operand: Expr, into: &Object, step: &Step) -> Checked<()> {
        let old = self.modify(op, operand.clone(), into, step)?;
        let new = compute(op, old.clone(), operand.clone(), step.bits);
        self.flags(op, old, operand, new, step)
    }

    /// Makes an operand `old op operand`; yields the old value.
    fn modify(&mut self, op: BinaryOp, operand: Expr, into: &Object, step: &Step) -> Checked<Expr> {
        if let (true, Object::Memory(pointer)) = (step.of.locked, into) {
            let ty = pointee(pointer);
            if ty.is_pointer() || ty == BOOL {
                let message = format!("`{}` computes with a pointer or a `_Bool`", step.of.text);
                return self.refused(message);
            }
            let Some(operation) = operations::locked(op) else {
                return self.refused(format!("`{}` is not supported", step.of.text));
            };
            let operand = cast(operand, &ty);
            let old = self.called(operation, vec![pointer.clone(), operand], ty)?;
            return Ok(cast(old, &uint(step.bits)));
        }
        let old = self.number(into, step)?;
        let new = compute(op, old.clone(), operand, step.bits);
        self.write(into, new, step)?;
        Ok(old)
    }

    fn complement(&mut self, object: &Object, step: &Step) -> Checked<()> {
        let all = constant(-1, &uint(step.bits), self.place);
        self.modify(BinaryOp::BitXor, all, object, step)?;
        Ok(())
    }

    fn negate(&mut self, object: &Object, step: &Step) -> Checked<()> {
        if step.of.locked {
            self.effect(&operations::BEGIN, Vec::new());
        }
        let old = self.number(object, step)?;
        let zero = constant(0, &uint(step.bits), self.place);
        let new = compute(BinaryOp::Sub, zero.clone(), old.clone(), step.bits);
        self.write(object, new.clone(), step)?;
        if step.of.locked {
            self.effect(&operations::END, Vec::new());
        }
        self.flags(BinaryOp::Sub, zero, old, new, step)
    }

    fn exchange(&mut self, from: &Object, into: &Object, step: &Step) -> Checked<()> {
        let (other, pointer) = match (from, into) {
            (Object::Memory(pointer), _) => (into.clone(), pointer.clone()),
            (_, Object::Memory(pointer)) => (from.clone(), pointer.clone()),
            _ => {
                let (a, b) = (self.read(from, step)?, self.read(into, step)?);
                self.write(into, a, step)?;
                return self.write(from, b, step);
            }
        };
        let new = self.read(&other, step)?;
        let new = self.stored(&pointer, new)?;
        let ty = pointee(&pointer);
        let old = self.called(&operations::EXCHANGE, vec![pointer, new], ty)?;
        self.write(&other, old, step)
    }

    fn compare_exchange(&mut self, from: &Object, into: &Object, step: &Step) -> Checked<()> {
        let bits = step.bits;
        let slot = self.slot_of(Register::A, bits)?;
        if bits == 32 && bits_of(&self.slots[slot].ty) == 64 {
            return self.refused(format!(
                "`{}` changes 32 bits of an operand of 64",
                step.of.text
            ));
        }
        let expected = Object::Slot(slot);
        let (wanted, new) = (self.read(&expected, step)?, self.read(from, step)?);
        let (old, equal) = if let (true, Object::Memory(pointer)) = (step.of.locked, into) {
            let ty = pointee(pointer);
            let wanted = self.stored(pointer, wanted)?;
            let new = self.stored(pointer, new)?;
            let arguments = vec![pointer.clone(), wanted.clone(), new];
            let old = self.called(&operations::COMPARE, arguments, ty)?;
            let equal = compare(BinaryOp::Eq, old.clone(), wanted);
            (old, self.kept(equal)?)
        } else {
            let old = self.read(into, step)?;
            let (wanted, new) = (cast(wanted, &old.ty), cast(new, &old.ty));
            self.is_bool_as(&old.ty.clone(), &new, self.place)?;
            let equal = compare(BinaryOp::Eq, old.clone(), wanted);
            let equal = self.kept(equal)?;
            let chosen = ExprKind::Conditional(
                Box::new(equal.clone()),
                Box::new(new),
                Box::new(old.clone()),
            );
            let written = self.kept(expr(chosen, old.ty.clone(), self.place))?;
            // It writes in any case.
            self.write(into, written, step)?;
            (old, equal)
        };
        self.write(&expected, old, step)?;
        self.flags.clear();
        self.set_flag(Flag::Zero, equal)
    }

    /// Reads a bit, and changes it. With memory, the number of a bit in a register may be that of one in a
    /// later word, or an earlier one.
    fn bit(&mut self, what: BitAction, from: &Object, into: Object, step: &Step) -> Checked<()> {
        let bits = step.bits;
        let number = self.number(from, step)?;
        if bits < 16 {
            return self.refused(format!("`{}` has no form for bytes", step.of.text));
        }
        let known = folded(&number).ok();
        if known.is_some_and(|number| !(0..i64::from(bits)).contains(&number)) {
            return self.refused(format!("`{}` is about a bit of another word", step.of.text));
        }
        let last = constant(i64::from(bits) - 1, &uint(bits), self.place);
        let within = compute(BinaryOp::BitAnd, number.clone(), last, bits);
        let one = constant(1, &uint(bits), self.place);
        let mask = if let Some(number) = known {
            constant(1_i64 << number, &uint(bits), self.place)
        } else {
            let mask = compute(BinaryOp::Shl, one, within, bits);
            self.kept(mask)?
        };
        let into = match into {
            Object::Memory(pointer) if known.is_none() => {
                Object::Memory(self.word_of(pointer, number, bits)?)
            }
            same @ (Object::Slot(_) | Object::Memory(_) | Object::Value(_) | Object::Stack) => same,
        };
        let old = match what {
            BitAction::Test => self.number(&into, step)?,
            BitAction::Set => self.modify(BinaryOp::BitOr, mask.clone(), &into, step)?,
            BitAction::Flip => self.modify(BinaryOp::BitXor, mask.clone(), &into, step)?,
            BitAction::Reset => {
                let all = constant(-1, &uint(bits), self.place);
                let others = compute(BinaryOp::BitXor, mask.clone(), all, bits);
                self.modify(BinaryOp::BitAnd, others, &into, step)?
            }
        };
        let bit = compute(BinaryOp::BitAnd, old, mask, bits);
        let none = constant(0, &uint(bits), self.place);
        self.flags.remove(&Flag::Sign);
        self.set_flag(Flag::Carry, compare(BinaryOp::Ne, bit, none))
    }

    /// The word in which the bit with this number is.
    fn word_of(&mut self, pointer: Expr, number: Expr, bits: u32) -> Checked<Expr> {
        let signed = crate::c::check::integer(bits as u8, true);
        let number = cast(cast(number, &signed), &LONG);
        let by = constant(i64::from(bits.trailing_zeros()), &LONG, self.place);
        let kind = ExprKind::Binary(BinaryOp::Shr, Box::new(number), Box::new(by));
        let words = self.kept(expr(kind, LONG, self.place))?;
        let ty = pointer.ty.clone();
        let kind = ExprKind::Binary(BinaryOp::PointerAdd, Box::new(pointer), Box::new(words));
        self.kept(expr(kind, ty, self.place))
    }

    /// `lock; addl $0,(%rsp)` and its like leave the stack as it is.
    fn on_the_stack(&mut self, op: BinaryOp, from: &Object, step: &Step) -> Checked<()> {
        let changes = |value: &Expr| match (op, folded(value)) {
            (BinaryOp::BitAnd, Ok(value)) => cast_back(value, step.bits) != -1,
            (_, Ok(value)) => value != 0,
            (_, Err(_)) => true,
        };
        match from {
            Object::Value(value) if step.of.locked && !changes(value) => {
                self.statement(StmtKind::Asm(Asm::FullFence));
                Ok(())
            }
            Object::Slot(_) | Object::Memory(_) | Object::Value(_) | Object::Stack => {
                self.refused(format!("`{}` changes the stack", step.of.text))
            }
        }
    }

    /// Any number in each of these registers.
    fn any(&mut self, registers: &[Register]) -> Checked<()> {
        for register in registers {
            let slot = self.slot_of(*register, 32)?;
            let value = self.called(&operations::ANY, Vec::new(), UNSIGNED)?;
            self.write_slot(slot, 32, value, "rdtsc")?;
        }
        Ok(())
    }
}

fn same(a: &Object, b: &Object) -> bool {
    matches!((a, b), (Object::Slot(a), Object::Slot(b)) if a == b)
}

/// The number with these bits.
fn cast_back(value: i64, bits: u32) -> i64 {
    crate::c::check::wrapped(value, &crate::c::check::integer(bits as u8, true))
}

/// The flag that an instruction reads.
fn reads(action: Action) -> Option<Flag> {
    match action {
        Action::Set(condition) => Some(condition.flag),
        Action::Spread => Some(Flag::Carry),
        Action::Nothing
        | Action::FullFence
        | Action::StoreFence
        | Action::Move
        | Action::Exchange
        | Action::CompareExchange
        | Action::ExchangeAdd
        | Action::Combine(_)
        | Action::Step(_)
        | Action::Compare(_)
        | Action::Complement
        | Action::Negate
        | Action::Bit(_)
        | Action::Extend(_)
        | Action::Clock
        | Action::ClockAndProcessor
        | Action::Identify => None,
    }
}

/// Whether `lock` may come before an instruction.
fn can_be_locked(action: Action) -> bool {
    match action {
        Action::Exchange
        | Action::CompareExchange
        | Action::ExchangeAdd
        | Action::Combine(_)
        | Action::Step(_)
        | Action::Complement
        | Action::Negate => true,
        Action::Bit(what) => what != BitAction::Test,
        Action::Nothing
        | Action::FullFence
        | Action::StoreFence
        | Action::Move
        | Action::Compare(_)
        | Action::Spread
        | Action::Extend(_)
        | Action::Set(_)
        | Action::Clock
        | Action::ClockAndProcessor
        | Action::Identify => false,
    }
}
