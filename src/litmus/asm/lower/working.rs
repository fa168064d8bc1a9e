//! The instructions that work on operands.

use super::super::super::types::Size;
use super::super::instruction::Mem;
use super::{
    ACCUMULATOR, Arithmetic, BinaryOp, E, Expr, FetchOp, Instruction, Kind, Lowering, Op, Operand,
    RegId, Scratch, UnaryOp, Update, sum,
};
use crate::text::Span;

/// Where an instruction's result goes.
#[derive(Clone)]
enum Destination {
    Register(RegId),
    /// The cell at this address, whose value was or will be read into the scratch register.
    Memory(E),
}

/// How a destination changes, given what it holds.
enum Change {
    /// To this.
    Fetch(Arithmetic, E),
    Negate,
    Complement,
}

impl Change {
    fn apply(&self, old: E) -> E {
        match self {
            Change::Fetch(op, operand) => sum(*op, old, operand.clone()),
            Change::Negate => Expr::unary(UnaryOp::Neg, old),
            Change::Complement => Expr::unary(UnaryOp::BitNot, old),
        }
    }
}

impl Lowering<'_> {
    /// The steps of an instruction with operands. Requires that there are as many as it needs, and
    /// not two in memory.
    pub(super) fn working(
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
        let xchg_from_memory = instruction.kind == Kind::Xchg;
        if instruction.lock && !is_memory && !xchg_from_memory {
            self.cannot_lock(span);
            return None;
        }
        let lockable = !matches!(
            instruction.kind,
            Kind::Mov | Kind::Extend(_) | Kind::Lea | Kind::Cmp | Kind::Test
        );
        if instruction.lock && !lockable {
            self.cannot_lock(span);
            return None;
        }
        if matches!(instruction.kind, Kind::Cmp | Kind::Test) {
            let left = self.source(first, place, size, &mut ops)?;
            let (second, place) = &instruction.operands[1];
            let right = self.source(second, place, size, &mut ops)?;
            if flags && instruction.kind == Kind::Cmp {
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
            Kind::Mov | Kind::Extend(_) => {
                let (second, place) = &instruction.operands[1];
                self.mov(instruction, &destination, second, place, size, &mut ops)?;
            }
            Kind::Lea => {
                let (Operand::Memory(mem), Destination::Register(into)) =
                    (&instruction.operands[1].0, &destination)
                else {
                    self.error("LEA needs a register and an address", span, "here");
                    return None;
                };
                let address = match mem {
                    Mem::Cell(_) => {
                        let target = self.thread.place(mem, self.memory)?;
                        self.address(target)
                    }
                    Mem::Through(number) => Expr::Var(self.register(*number)),
                };
                ops.push(Op::Assign {
                    into: *into,
                    value: address,
                });
            }
            Kind::Xchg => self.xchg(instruction, &destination, &mut ops)?,
            Kind::Xadd => {
                self.note_wide(size, at, span);
                let with = self.register_operand(instruction, 1)?;
                let change = Change::Fetch(Arithmetic::Add, Expr::Var(with));
                self.update(
                    instruction,
                    &destination,
                    &change,
                    Some(with),
                    flags,
                    &mut ops,
                );
            }
            Kind::Cmpxchg => {
                let with = self.register_operand(instruction, 1)?;
                self.cmpxchg(instruction, &destination, with, flags, &mut ops);
            }
            Kind::Inc | Kind::Dec => {
                self.note_wide(size, at, span);
                let op = if instruction.kind == Kind::Inc {
                    Arithmetic::Add
                } else {
                    Arithmetic::Sub
                };
                let change = Change::Fetch(op, Expr::Const(1));
                self.update(instruction, &destination, &change, None, flags, &mut ops);
            }
            Kind::Neg | Kind::Not => {
                self.note_wide(size, at, span);
                let change = if instruction.kind == Kind::Neg {
                    Change::Negate
                } else {
                    Change::Complement
                };
                self.update(instruction, &destination, &change, None, flags, &mut ops);
            }
            Kind::Arithmetic(op) => {
                if matches!(op, Arithmetic::Add | Arithmetic::Sub) {
                    self.note_wide(size, at, span);
                }
                let (second, place) = &instruction.operands[1];
                if op == Arithmetic::Xor
                    && let Destination::Register(into) = destination
                    && first == second
                {
                    // The idiom for 0 reads nothing.
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
                    &Change::Fetch(op, operand),
                    None,
                    flags,
                    &mut ops,
                );
            }
            Kind::Cmp
            | Kind::Test
            | Kind::Jump
            | Kind::JumpIf(_)
            | Kind::Mfence
            | Kind::Sfence
            | Kind::Nothing
            | Kind::Ret => {}
        }
        Some(ops)
    }

    /// Sets the flags.
    fn compare(&mut self, left: E, right: E, ops: &mut Vec<Op>) {
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
                self.error("a constant cannot be written to", span, "the destination");
                None
            }
        }
    }

    fn register_operand(&mut self, instruction: &Instruction, at: usize) -> Option<RegId> {
        if let (Operand::Register(reg), _) = &instruction.operands[at] {
            return Some(self.register(reg.number));
        }
        let span = &instruction.operands[at].1;
        self.error("this operand must be a register", span, "here");
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
        let extends = matches!(instruction.kind, Kind::Extend(_));
        if extends
            && !matches!(
                (destination, from),
                (Destination::Register(_), Operand::Memory(_))
            )
        {
            self.error(
                "an extension loads into a register",
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

    /// An exchange, which is locked whenever memory takes part, on whichever side.
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
            // Refused before: two operands in memory.
            (Destination::Memory(_), Destination::Memory(_)) => return None,
        }
        Some(())
    }

    /// Reads, changes, writes; the value before goes to `old_into`, if that is asked for.
    fn update(
        &mut self,
        instruction: &Instruction,
        destination: &Destination,
        change: &Change,
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
            Change::Fetch(op, operand) => {
                let op = match op {
                    Arithmetic::Add => Some(FetchOp::Add),
                    Arithmetic::Sub => Some(FetchOp::Sub),
                    Arithmetic::And => Some(FetchOp::And),
                    Arithmetic::Or => Some(FetchOp::Or),
                    Arithmetic::Xor => None,
                };
                op.map(|op| (op, operand.clone()))
            }
            Change::Negate | Change::Complement => None,
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
        if flags && instruction.kind != Kind::Not {
            match (instruction.kind, change) {
                (Kind::Arithmetic(Arithmetic::Sub), Change::Fetch(_, operand)) => {
                    self.compare(Expr::Var(old), operand.clone(), ops);
                }
                (Kind::Neg, _) => self.compare(Expr::Const(0), Expr::Var(old), ops),
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
                // XADD of two registers: the sum goes to the first, what that held to the second.
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
        // Without success the instruction writes back what is there.
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
        // Before a register is written, which may be the accumulator.
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
