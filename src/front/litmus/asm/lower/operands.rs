//! The instructions with operands.

use super::super::super::types::Size;
use super::super::instruction::Mem;
use super::{
    ACCUMULATOR, Arithmetic, BinaryOp, E, Expr, FetchOp, Instruction, Lowering, Op, Opcode,
    Operand, RegId, Scratch, UnaryOp, Update, sum,
};
use crate::text::Span;

/// Where an instruction's result goes.
#[derive(Clone)]
enum Destination {
    Register(RegId),
    /// The cell at this address, whose value is or will be loaded into the scratch register.
    Memory(E),
}

/// How the value of a destination changes.
enum Modification {
    /// Arithmetic with this operand.
    Fetch(Arithmetic, E),
    Negate,
    Complement,
}

impl Modification {
    fn apply(&self, old: E) -> E {
        match self {
            Modification::Fetch(op, operand) => sum(*op, old, operand.clone()),
            Modification::Negate => Expr::unary(UnaryOp::Neg, old),
            Modification::Complement => Expr::unary(UnaryOp::BitNot, old),
        }
    }
}

impl Lowering<'_> {
    /// The steps of an instruction with operands. Requires that it has the right number of them,
    /// and not two in memory.
    pub(super) fn with_operands(
        &mut self,
        instruction: &Instruction,
        size: Size,
        at: usize,
        flags: bool,
    ) -> Option<Vec<Op>> {
        let span = &instruction.span;
        let (first, place) = &instruction.operands[0];
        let mut ops = Vec::new();
        let is_memory = matches!(first, Operand::Memory(_));
        let xchg_from_memory = instruction.kind == Opcode::Xchg;
        if instruction.lock && !is_memory && !xchg_from_memory {
            self.cannot_lock(span);
            return None;
        }
        let lockable = !matches!(
            instruction.kind,
            Opcode::Mov
                | Opcode::ZeroExtend(_)
                | Opcode::SignExtend(_)
                | Opcode::Lea
                | Opcode::Cmp
                | Opcode::Test
        );
        if instruction.lock && !lockable {
            self.cannot_lock(span);
            return None;
        }
        if self.memory.is_cut() {
            return self.mixed(instruction, size, flags);
        }
        if matches!(instruction.kind, Opcode::Cmp | Opcode::Test) {
            let left = self.source(first, place, size, &mut ops)?;
            let (second, place) = &instruction.operands[1];
            let right = self.source(second, place, size, &mut ops)?;
            if flags && instruction.kind == Opcode::Cmp {
                self.compare(left, right, &mut ops);
            } else if flags {
                let both = sum(Arithmetic::And, left, right);
                self.compare(both, Expr::Const(0), &mut ops);
            }
            if size == Size::Quad && flags {
                self.note_wide(size, at, span);
            }
            return Some(ops);
        }
        let destination = self.destination(first, place)?;
        match instruction.kind {
            Opcode::Mov | Opcode::ZeroExtend(_) | Opcode::SignExtend(_) => {
                let (second, place) = &instruction.operands[1];
                self.mov(instruction, &destination, second, place, size, &mut ops)?;
            }
            Opcode::Lea => {
                let (Operand::Memory(mem), Destination::Register(into)) =
                    (&instruction.operands[1].0, &destination)
                else {
                    self.error("LEA needs a register and an address", span, "here");
                    return None;
                };
                let address = match mem {
                    Mem::Cell(..) => {
                        let target = self.thread.place(mem, self.memory)?;
                        self.address(target)
                    }
                    Mem::Through(number, _) => Expr::Var(self.register(*number)),
                };
                ops.push(Op::Assign {
                    into: *into,
                    value: address,
                });
            }
            Opcode::Xchg => self.xchg(instruction, &destination, &mut ops)?,
            Opcode::Xadd => {
                self.note_wide(size, at, span);
                let with = self.register_operand(instruction, 1)?;
                let change = Modification::Fetch(Arithmetic::Add, Expr::Var(with));
                self.update(
                    instruction,
                    &destination,
                    &change,
                    Some(with),
                    flags,
                    &mut ops,
                );
            }
            Opcode::Cmpxchg => {
                let with = self.register_operand(instruction, 1)?;
                self.cmpxchg(instruction, &destination, with, flags, &mut ops);
            }
            Opcode::Inc | Opcode::Dec => {
                self.note_wide(size, at, span);
                let op = if instruction.kind == Opcode::Inc {
                    Arithmetic::Add
                } else {
                    Arithmetic::Sub
                };
                let change = Modification::Fetch(op, Expr::Const(1));
                self.update(instruction, &destination, &change, None, flags, &mut ops);
            }
            Opcode::Neg | Opcode::Not => {
                self.note_wide(size, at, span);
                let change = if instruction.kind == Opcode::Neg {
                    Modification::Negate
                } else {
                    Modification::Complement
                };
                self.update(instruction, &destination, &change, None, flags, &mut ops);
            }
            Opcode::Arithmetic(op) => {
                if matches!(op, Arithmetic::Add | Arithmetic::Sub) {
                    self.note_wide(size, at, span);
                }
                let (second, place) = &instruction.operands[1];
                if op == Arithmetic::Xor
                    && let Destination::Register(into) = destination
                    && first == second
                {
                    // The idiom for 0 reads no register.
                    let value = Expr::Const(0);
                    if flags {
                        self.compare(value.clone(), Expr::Const(0), &mut ops);
                    }
                    ops.push(Op::Assign { into, value });
                    return Some(ops);
                }
                let operand = self.source(second, place, size, &mut ops)?;
                self.update(
                    instruction,
                    &destination,
                    &Modification::Fetch(op, operand),
                    None,
                    flags,
                    &mut ops,
                );
            }
            Opcode::Cmp
            | Opcode::Test
            | Opcode::Jump
            | Opcode::JumpIf(_)
            | Opcode::Mfence
            | Opcode::Sfence
            | Opcode::Nothing
            | Opcode::Ret => {}
        }
        Some(ops)
    }

    /// Sets the flags.
    pub(super) fn compare(&mut self, left: E, right: E, ops: &mut Vec<Op>) {
        let into = self.scratch(Scratch::Left);
        ops.push(Op::Assign { into, value: left });
        let into = self.scratch(Scratch::Right);
        ops.push(Op::Assign { into, value: right });
    }

    /// The value of an operand, loaded first if it is in memory.
    fn source(
        &mut self,
        operand: &Operand,
        span: &Span,
        size: Size,
        ops: &mut Vec<Op>,
    ) -> Option<E> {
        Some(match operand {
            Operand::Immediate(number) => match size.value(*number) {
                Ok(value) => Expr::Const(value),
                Err(message) => {
                    self.error(&message, span, "here");
                    return None;
                }
            },
            Operand::AddressOf(name) => {
                let region = self.memory.find(name)?;
                Expr::Const(self.memory.address(region).0)
            }
            Operand::Register(reg) => Expr::Var(self.register(reg.number)),
            Operand::Memory(mem) => {
                let target = self.thread.place(mem, self.memory)?;
                let into = self.scratch(Scratch::Memory);
                let addr = self.address(target);
                ops.push(Op::Load { into, addr });
                Expr::Var(into)
            }
        })
    }

    fn destination(&mut self, operand: &Operand, span: &Span) -> Option<Destination> {
        match operand {
            Operand::Register(reg) => Some(Destination::Register(self.register(reg.number))),
            Operand::Memory(mem) => {
                let target = self.thread.place(mem, self.memory)?;
                Some(Destination::Memory(self.address(target)))
            }
            Operand::Immediate(_) | Operand::AddressOf(_) => {
                self.error(
                    "the destination cannot be a constant",
                    span,
                    "expected a register or memory",
                );
                None
            }
        }
    }

    pub(super) fn register_operand(
        &mut self,
        instruction: &Instruction,
        at: usize,
    ) -> Option<RegId> {
        if let (Operand::Register(reg), _) = &instruction.operands[at] {
            return Some(self.register(reg.number));
        }
        let span = &instruction.operands[at].1;
        self.error(
            "this operand must be a register",
            span,
            "expected a register",
        );
        None
    }

    fn mov(
        &mut self,
        instruction: &Instruction,
        destination: &Destination,
        from: &Operand,
        span: &Span,
        size: Size,
        ops: &mut Vec<Op>,
    ) -> Option<()> {
        let extends = matches!(
            instruction.kind,
            Opcode::ZeroExtend(_) | Opcode::SignExtend(_)
        );
        if extends
            && !matches!(
                (destination, from),
                (Destination::Register(_), Operand::Memory(_))
            )
        {
            self.error(
                "MOVZX and MOVSX are only supported as loads into a register",
                &instruction.span,
                "here",
            );
            return None;
        }
        if let (Destination::Register(into), Operand::Memory(mem)) = (destination, from) {
            let target = self.thread.place(mem, self.memory)?;
            let addr = self.address(target);
            ops.push(Op::Load { into: *into, addr });
            return Some(());
        }
        let value = self.source(from, span, size, ops)?;
        ops.push(match destination {
            Destination::Register(into) => Op::Assign { into: *into, value },
            Destination::Memory(addr) => Op::Store {
                addr: addr.clone(),
                value,
            },
        });
        Some(())
    }

    /// An exchange. It is locked if either operand is in memory.
    fn xchg(
        &mut self,
        instruction: &Instruction,
        destination: &Destination,
        ops: &mut Vec<Op>,
    ) -> Option<()> {
        let (second, place) = &instruction.operands[1];
        let other = self.destination(second, place)?;
        match (destination, &other) {
            (Destination::Memory(addr), Destination::Register(reg))
            | (Destination::Register(reg), Destination::Memory(addr)) => ops.push(Op::Rmw {
                into: *reg,
                addr: addr.clone(),
                update: Update::Exchange(Expr::Var(*reg)),
            }),
            (Destination::Register(a), Destination::Register(b)) => {
                if instruction.lock {
                    self.cannot_lock(&instruction.span);
                    return None;
                }
                let kept = self.scratch(Scratch::Memory);
                for (into, from) in [(kept, *a), (*a, *b), (*b, kept)] {
                    let value = Expr::Var(from);
                    ops.push(Op::Assign { into, value });
                }
            }
            // Rejected before: two operands in memory.
            (Destination::Memory(_), Destination::Memory(_)) => return None,
        }
        Some(())
    }

    /// Loads, changes, stores; the old value goes to `old_into`, if given.
    fn update(
        &mut self,
        instruction: &Instruction,
        destination: &Destination,
        change: &Modification,
        old_into: Option<RegId>,
        flags: bool,
        ops: &mut Vec<Op>,
    ) {
        let old = match destination {
            Destination::Register(reg) => *reg,
            Destination::Memory(_) => self.scratch(Scratch::Memory),
        };
        let result = change.apply(Expr::Var(old));
        let fetch = match change {
            Modification::Fetch(op, operand) => {
                let op = match op {
                    Arithmetic::Add => Some(FetchOp::Add),
                    Arithmetic::Sub => Some(FetchOp::Sub),
                    Arithmetic::And => Some(FetchOp::And),
                    Arithmetic::Or => Some(FetchOp::Or),
                    Arithmetic::Xor => None,
                };
                op.map(|op| (op, operand.clone()))
            }
            Modification::Negate | Modification::Complement => None,
        };
        if let Destination::Memory(addr) = destination {
            match (instruction.lock, fetch) {
                (true, Some((op, operand))) => ops.push(Op::Rmw {
                    into: old,
                    addr: addr.clone(),
                    update: Update::Fetch(op, operand),
                }),
                (locked, _) => {
                    ops.extend(locked.then_some(Op::AtomicBegin));
                    ops.push(Op::Load {
                        into: old,
                        addr: addr.clone(),
                    });
                    ops.push(Op::Store {
                        addr: addr.clone(),
                        value: result.clone(),
                    });
                    ops.extend(locked.then_some(Op::AtomicEnd));
                }
            }
        }
        if flags && instruction.kind != Opcode::Not {
            match (instruction.kind, change) {
                (Opcode::Arithmetic(Arithmetic::Sub), Modification::Fetch(_, operand)) => {
                    self.compare(Expr::Var(old), operand.clone(), ops);
                }
                (Opcode::Neg, _) => self.compare(Expr::Const(0), Expr::Var(old), ops),
                (_, _) => self.compare(result.clone(), Expr::Const(0), ops),
            }
        }
        match (destination, old_into) {
            (Destination::Register(reg), None) => ops.push(Op::Assign {
                into: *reg,
                value: result,
            }),
            (Destination::Memory(_), Some(into)) => ops.push(Op::Assign {
                into,
                value: Expr::Var(old),
            }),
            (Destination::Register(reg), Some(into)) => {
                // XADD of two registers: the sum goes to the first, the old value of the first to
                // the second.
                let kept = self.scratch(Scratch::Memory);
                let before = Expr::Var(*reg);
                ops.push(Op::Assign {
                    into: kept,
                    value: result,
                });
                ops.push(Op::Assign {
                    into,
                    value: before,
                });
                ops.push(Op::Assign {
                    into: *reg,
                    value: Expr::Var(kept),
                });
            }
            (Destination::Memory(_), None) => {}
        }
    }

    fn cmpxchg(
        &mut self,
        instruction: &Instruction,
        destination: &Destination,
        with: RegId,
        flags: bool,
        ops: &mut Vec<Op>,
    ) {
        let old = self.scratch(Scratch::Memory);
        let accumulator = self.register(ACCUMULATOR);
        let (expected, desired) = (Expr::Var(accumulator), Expr::Var(with));
        // If it fails, the instruction writes the old value back.
        let after = Expr::conditional(
            Expr::binary(BinaryOp::Eq, Expr::Var(old), expected.clone()),
            desired.clone(),
            Expr::Var(old),
        );
        let written = match destination {
            Destination::Memory(addr) if instruction.lock => {
                ops.push(Op::Rmw {
                    into: old,
                    addr: addr.clone(),
                    update: Update::CompareExchange {
                        expected: expected.clone(),
                        desired,
                    },
                });
                None
            }
            Destination::Memory(addr) => {
                ops.push(Op::Load {
                    into: old,
                    addr: addr.clone(),
                });
                ops.push(Op::Store {
                    addr: addr.clone(),
                    value: after.clone(),
                });
                None
            }
            Destination::Register(reg) => {
                let value = Expr::Var(*reg);
                ops.push(Op::Assign { into: old, value });
                Some(*reg)
            }
        };
        // This comes before a register is written, which may be the accumulator.
        if flags {
            self.compare(expected, Expr::Var(old), ops);
        }
        if let Some(into) = written {
            ops.push(Op::Assign { into, value: after });
        }
        // On success it holds this value already; and as destination it equals itself and has just
        // been written.
        if written != Some(accumulator) {
            ops.push(Op::Assign {
                into: accumulator,
                value: Expr::Var(old),
            });
        }
    }
}
