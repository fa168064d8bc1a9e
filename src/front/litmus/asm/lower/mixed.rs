//! The instructions with operands in tests with accesses of several sizes.
//!
//! They do what `operands` says, with values in parts. Locked instructions are atomic blocks: these wait for the
//! buffer and exclude other threads, as a locked instruction does.

use super::super::super::types::Size;
use super::super::instruction::{JumpCondition, Mem, Reg};
use super::parts::{Place, Whole};
use super::{ACCUMULATOR, Arithmetic, E, Expr, Instruction, Lowering, Op, Opcode, Operand};
use crate::text::Span;

/// Where the result of an instruction goes.
#[derive(Clone)]
enum Target {
    Register(Reg),
    Memory(Place),
}

impl Lowering<'_> {
    /// The steps of an instruction with operands. Requires that it has the right number of them, not two in
    /// memory, and no LOCK that is out of place.
    pub(super) fn mixed(
        &mut self,
        instruction: &Instruction,
        size: Size,
        flags: bool,
    ) -> Option<Vec<Op>> {
        self.in_use = 0;
        let mut ops = Vec::new();
        let (first, place) = &instruction.operands[0];
        match instruction.kind {
            Opcode::Cmp | Opcode::Test => {
                let (second, after) = &instruction.operands[1];
                let left = self.value(first, place, size, &mut ops)?;
                let right = self.value(second, after, size, &mut ops)?;
                if flags && instruction.kind == Opcode::Cmp {
                    self.compare_whole(left, right, size, &mut ops);
                } else if flags {
                    let both = left.with(Arithmetic::And, right, size);
                    self.compare_whole(both, zero(size), size, &mut ops);
                }
            }
            Opcode::Mov | Opcode::ZeroExtend(_) | Opcode::SignExtend(_) => {
                self.mixed_mov(instruction, size, &mut ops)?;
            }
            Opcode::Lea => {
                let (Operand::Register(reg), Operand::Memory(mem)) =
                    (first, &instruction.operands[1].0)
                else {
                    self.error("LEA needs a register and an address", place, "here");
                    return None;
                };
                let address = match mem {
                    Mem::Cell(..) => self.address(self.thread.place(mem, self.memory)?),
                    Mem::Through(number, _) => Expr::Var(self.register(*number)),
                };
                self.write(*reg, address.into(), &mut ops);
            }
            Opcode::Xchg => self.mixed_xchg(instruction, size, &mut ops)?,
            Opcode::Cmpxchg => self.mixed_cmpxchg(instruction, size, flags, &mut ops)?,
            Opcode::Arithmetic(Arithmetic::Xor)
                if matches!(first, Operand::Register(_)) && *first == instruction.operands[1].0 =>
            {
                // The idiom for 0 reads no register.
                if flags {
                    self.compare_whole(zero(size), zero(size), size, &mut ops);
                }
                let target = self.target(first, place, size)?;
                self.set(&target, zero(size), &mut ops);
            }
            Opcode::Xadd
            | Opcode::Inc
            | Opcode::Dec
            | Opcode::Neg
            | Opcode::Not
            | Opcode::Arithmetic(_) => self.mixed_update(instruction, size, flags, &mut ops)?,
            Opcode::Jump
            | Opcode::JumpIf(_)
            | Opcode::Mfence
            | Opcode::Sfence
            | Opcode::Nothing
            | Opcode::Ret => {}
        }
        Some(ops)
    }

    /// Reports a jump on the sign of a difference of 64 bits.
    pub(super) fn check_sign(&mut self, test: JumpCondition, span: &Span) {
        let is_difference = |instruction: &Instruction| match instruction.kind {
            Opcode::Cmp | Opcode::Cmpxchg | Opcode::Neg | Opcode::Arithmetic(Arithmetic::Sub) => {
                self.size(instruction) == Size::Quad
            }
            Opcode::Mov
            | Opcode::ZeroExtend(_)
            | Opcode::SignExtend(_)
            | Opcode::Lea
            | Opcode::Xchg
            | Opcode::Xadd
            | Opcode::Inc
            | Opcode::Dec
            | Opcode::Not
            | Opcode::Arithmetic(_)
            | Opcode::Test
            | Opcode::Jump
            | Opcode::JumpIf(_)
            | Opcode::Mfence
            | Opcode::Sfence
            | Opcode::Nothing
            | Opcode::Ret => false,
        };
        let is_sign = matches!(test, JumpCondition::Negative | JumpCondition::NotNegative);
        let code = &self.thread.column.code.instructions;
        if self.memory.is_cut() && is_sign && code.iter().any(is_difference) {
            let message = "this jump may read the sign of a difference of 64 bits";
            self.error(message, span, "not supported");
        }
    }

    /// Sets the flags.
    fn compare_whole(&mut self, left: Whole, right: Whole, size: Size, ops: &mut Vec<Op>) {
        let (left, right) = left.compared(right, size);
        self.compare(left, right, ops);
    }

    /// The value of an operand, loaded first if it is in memory.
    fn value(
        &mut self,
        operand: &Operand,
        span: &Span,
        size: Size,
        ops: &mut Vec<Op>,
    ) -> Option<Whole> {
        Some(match operand {
            Operand::Immediate(number) => match Whole::number(*number, size) {
                Ok(value) => value,
                Err(message) => {
                    self.error(&message, span, "here");
                    return None;
                }
            },
            Operand::AddressOf(name) => {
                let region = self.memory.find(name)?;
                Expr::Const(self.memory.address(region).0).into()
            }
            Operand::Register(reg) => self.read(*reg),
            Operand::Memory(mem) => {
                let place = self.accessed(mem, size)?;
                self.load(&place, ops)
            }
        })
    }

    fn target(&mut self, operand: &Operand, span: &Span, size: Size) -> Option<Target> {
        match operand {
            Operand::Register(reg) => Some(Target::Register(*reg)),
            Operand::Memory(mem) => self.accessed(mem, size).map(Target::Memory),
            Operand::Immediate(_) | Operand::AddressOf(_) => {
                let message = "the destination cannot be a constant";
                self.error(message, span, "expected a register or memory");
                None
            }
        }
    }

    fn set(&mut self, target: &Target, value: Whole, ops: &mut Vec<Op>) {
        match target {
            Target::Register(reg) => self.write(*reg, value, ops),
            Target::Memory(place) => place.store(&value, ops),
        }
    }

    fn second_register(&mut self, instruction: &Instruction) -> Option<Reg> {
        self.register_operand(instruction, 1)?;
        match instruction.operands[1].0 {
            Operand::Register(reg) => Some(reg),
            Operand::Immediate(_) | Operand::AddressOf(_) | Operand::Memory(_) => None,
        }
    }

    fn mixed_mov(
        &mut self,
        instruction: &Instruction,
        size: Size,
        ops: &mut Vec<Op>,
    ) -> Option<()> {
        let [(to, place), (from, after)] = &instruction.operands[..] else {
            return None;
        };
        let target = self.target(to, place, size)?;
        let extends = match (instruction.kind, &target) {
            (Opcode::ZeroExtend(_) | Opcode::SignExtend(_), Target::Register(reg)) => {
                reg.size > size && !matches!(from, Operand::Immediate(_) | Operand::AddressOf(_))
            }
            (Opcode::ZeroExtend(_) | Opcode::SignExtend(_), Target::Memory(_)) => false,
            (_, _) => true,
        };
        if !extends {
            let message =
                "MOVZX and MOVSX need a register as destination, and a source that is smaller";
            self.error(message, &instruction.span, "here");
            return None;
        }
        let is_signed = matches!(instruction.kind, Opcode::SignExtend(_));
        if let (Target::Register(reg), Operand::Memory(mem)) = (&target, from)
            && let Some(addr) = self.accessed(mem, size)?.cell()
            && reg.size >= Size::Long
            && !is_signed
        {
            // No other value has to be kept.
            let held = self.registers[&reg.number];
            ops.push(Op::Load {
                into: held.low,
                addr,
            });
            let value = Expr::Const(0);
            ops.extend(held.high.map(|into| Op::Assign { into, value }));
            return Some(());
        }
        let mut value = self.value(from, after, size, ops)?;
        if let (Target::Register(reg), true) = (&target, is_signed) {
            value = value.sign_extended(size, reg.size);
        }
        self.set(&target, value, ops);
        Some(())
    }

    /// An exchange. It is locked if either operand is in memory.
    fn mixed_xchg(
        &mut self,
        instruction: &Instruction,
        size: Size,
        ops: &mut Vec<Op>,
    ) -> Option<()> {
        let [(first, place), (second, after)] = &instruction.operands[..] else {
            return None;
        };
        let targets = (
            self.target(first, place, size)?,
            self.target(second, after, size)?,
        );
        match targets {
            (Target::Memory(place), Target::Register(reg))
            | (Target::Register(reg), Target::Memory(place)) => {
                ops.push(Op::AtomicBegin);
                let old = self.load_in_block(&place, ops);
                let new = self.read(reg);
                place.store_in_block(&new, ops);
                ops.push(Op::AtomicEnd);
                self.write(reg, old, ops);
            }
            (Target::Register(a), Target::Register(b)) => {
                if instruction.lock {
                    self.cannot_lock(&instruction.span);
                    return None;
                }
                let [first, second] = [a, b].map(|reg| self.read(reg));
                let [first, second] = [first, second].map(|value| self.keep(value, ops));
                self.write(a, second, ops);
                self.write(b, first, ops);
            }
            // Rejected before: two operands in memory.
            (Target::Memory(_), Target::Memory(_)) => return None,
        }
        Some(())
    }

    /// Loads, computes, and stores, unless the target is a register; returns the old value.
    fn modify(
        &mut self,
        target: &Target,
        is_locked: bool,
        result: &dyn Fn(&Whole) -> Whole,
        ops: &mut Vec<Op>,
    ) -> Whole {
        match target {
            Target::Register(reg) => self.read(*reg),
            Target::Memory(place) if is_locked => {
                ops.push(Op::AtomicBegin);
                let old = self.load_in_block(place, ops);
                place.store_in_block(&result(&old), ops);
                ops.push(Op::AtomicEnd);
                old
            }
            Target::Memory(place) => {
                let old = self.load(place, ops);
                place.store(&result(&old), ops);
                old
            }
        }
    }

    fn mixed_update(
        &mut self,
        instruction: &Instruction,
        size: Size,
        flags: bool,
        ops: &mut Vec<Op>,
    ) -> Option<()> {
        let (first, place) = &instruction.operands[0];
        let target = self.target(first, place, size)?;
        let (op, operand, is_reversed) = match instruction.kind {
            Opcode::Inc => (Arithmetic::Add, one(size), false),
            Opcode::Dec => (Arithmetic::Sub, one(size), false),
            Opcode::Neg => (Arithmetic::Sub, zero(size), true),
            Opcode::Not => (Arithmetic::Xor, ones(size), false),
            Opcode::Arithmetic(op) => {
                let (second, after) = &instruction.operands[1];
                (op, self.value(second, after, size, ops)?, false)
            }
            Opcode::Xadd => {
                let with = self.second_register(instruction)?;
                (Arithmetic::Add, self.read(with), false)
            }
            Opcode::Mov
            | Opcode::ZeroExtend(_)
            | Opcode::SignExtend(_)
            | Opcode::Lea
            | Opcode::Xchg
            | Opcode::Cmpxchg
            | Opcode::Cmp
            | Opcode::Test
            | Opcode::Jump
            | Opcode::JumpIf(_)
            | Opcode::Mfence
            | Opcode::Sfence
            | Opcode::Nothing
            | Opcode::Ret => return None,
        };
        let result = |old: &Whole| {
            if is_reversed {
                operand.clone().with(op, old.clone(), size)
            } else {
                old.clone().with(op, operand.clone(), size)
            }
        };
        let old = self.modify(&target, instruction.lock, &result, ops);
        if flags && instruction.kind != Opcode::Not {
            let (left, right) = if instruction.kind == Opcode::Arithmetic(Arithmetic::Sub) {
                (old.clone(), operand.clone())
            } else if instruction.kind == Opcode::Neg {
                (zero(size), old.clone())
            } else {
                (result(&old), zero(size))
            };
            self.compare_whole(left, right, size, ops);
        }
        if instruction.kind == Opcode::Xadd {
            let with = self.second_register(instruction)?;
            let [new, old] = [result(&old), old].map(|value| self.keep(value, ops));
            self.write(with, old, ops);
            if let Target::Register(reg) = target {
                self.write(reg, new, ops);
            }
        } else if let Target::Register(reg) = target {
            self.write(reg, result(&old), ops);
        }
        Some(())
    }

    fn mixed_cmpxchg(
        &mut self,
        instruction: &Instruction,
        size: Size,
        flags: bool,
        ops: &mut Vec<Op>,
    ) -> Option<()> {
        let (first, place) = &instruction.operands[0];
        let target = self.target(first, place, size)?;
        let with = self.second_register(instruction)?;
        let accumulator = Reg {
            number: ACCUMULATOR,
            size,
            bit: 0,
        };
        let (expected, desired) = (self.read(accumulator), self.read(with));
        let result = |old: &Whole| {
            // If it fails, the instruction writes the old value back.
            let equal = old.equals(&expected);
            desired.clone().if_or(&equal, old.clone())
        };
        let old = self.modify(&target, instruction.lock, &result, ops);
        let [old, new] = [old.clone(), result(&old)].map(|value| self.keep(value, ops));
        if flags {
            self.compare_whole(expected.clone(), old.clone(), size, ops);
        }
        let equal = old.equals(&expected);
        if let Target::Register(reg) = target {
            if reg == accumulator {
                // It equals itself.
                self.write(reg, new, ops);
                return Some(());
            }
            let equal: E = self.keep(equal.into(), ops).low;
            self.write(reg, new, ops);
            self.set_accumulator(accumulator, old, equal, ops);
        } else {
            self.set_accumulator(accumulator, old, equal, ops);
        }
        Some(())
    }

    /// The accumulator after a CMPXCHG with this old value: on success nothing is written, and it holds the
    /// value already; its upper half is only cleared otherwise.
    fn set_accumulator(&mut self, accumulator: Reg, old: Whole, equal: E, ops: &mut Vec<Op>) {
        let held = self.registers[&accumulator.number];
        match held.high {
            Some(into) if accumulator.size == Size::Long => {
                let value = Expr::conditional(equal, Expr::Var(into), Expr::Const(0));
                ops.push(Op::Assign { into, value });
                let (into, value) = (held.low, old.low);
                ops.push(Op::Assign { into, value });
            }
            Some(_) | None => self.write(accumulator, old, ops),
        }
    }
}

/// A number that fits in any size.
fn small(number: i32, size: Size) -> Whole {
    Whole {
        low: Expr::Const(number),
        high: (size == Size::Quad).then_some(Expr::Const(0)),
    }
}

fn zero(size: Size) -> Whole {
    small(0, size)
}

fn one(size: Size) -> Whole {
    small(1, size)
}

/// All bits set.
fn ones(size: Size) -> Whole {
    let low = match size {
        Size::Byte => 0xff,
        Size::Word => 0xffff,
        Size::Long | Size::Quad => -1,
    };
    Whole {
        low: Expr::Const(low),
        high: (size == Size::Quad).then_some(Expr::Const(-1)),
    }
}
