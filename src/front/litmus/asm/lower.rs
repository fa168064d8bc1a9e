//! Lowering of instructions: what each does to registers and memory, step by step.
//!
//! | instruction on memory | becomes |
//! |---|---|
//! | MOV, CMP, TEST | a load or a store |
//! | INC, ADD, XADD, CMPXCHG … without LOCK | a load and a store, in this order |
//! | the same with LOCK; XCHG | one locked instruction |
//! | LOCK XOR, NEG, NOT | a load and a store in an atomic block, which is equivalent |
//! | MFENCE, SFENCE | a full fence, a store fence (which matters under PSO alone) |
//!
//! A cell holds 32 bits. 64-bit arithmetic is right as long as no value overflows them. The
//! constants of the test bound the values of all runs, and arithmetic that could overflow is
//! rejected.

use super::super::memory::{Memory, Value};
use super::super::types::Size;
use super::instruction::{
    ACCUMULATOR, Arithmetic, Instruction, JumpCondition, Opcode, Operand, Reg,
};
use super::thread::{Target, Thread};
use super::{Assembly, Held, Registers, flags};
use crate::program::{
    BinaryOp, Copies, Expr, Fence, FencePlace, FetchOp, LocId, Op, ProgramBuilder, RegId, ThreadId,
    UnaryOp, Update,
};
use crate::text::{Diagnostic, Lines, Span};
use std::collections::BTreeMap;

/// The name of a register in the program and in states.
pub(super) fn register_name(assembly: Assembly, number: u8, size: Option<Size>) -> String {
    match assembly {
        Assembly::X86 => {
            let size = size.unwrap_or(Size::Long);
            Reg::name(number, size).to_ascii_uppercase()
        }
        Assembly::X86_64 => Reg::name(number, Size::Quad),
    }
}

/// Adds all threads to a program. Reports what cannot be expressed.
pub(super) fn lower(
    threads: &[Thread],
    assembly: Assembly,
    memory: &Memory,
    lines: &Lines<'_>,
    builder: &mut ProgramBuilder,
    diagnostics: &mut Vec<Diagnostic>,
) -> Registers {
    let mut wide = Vec::new();
    let mut all = Vec::new();
    for thread in threads {
        let name = format!("P{}", thread.column.number);
        let origin = lines.origin(&thread.column.name);
        let id = builder.thread(name, Copies::One, origin);
        let mut registers = BTreeMap::new();
        for (number, register) in thread.registers.iter().enumerate() {
            if !register.used && register.init.is_none() {
                continue;
            }
            let size = register.size.as_ref().map(|(size, _)| *size);
            let number = number as u8;
            let name = register_name(assembly, number, size);
            if memory.is_cut() {
                let held = parts::declare(
                    (register, thread.is_wide[usize::from(number)]),
                    (id, &name),
                    memory,
                    builder,
                    diagnostics,
                );
                registers.insert(number, held);
                continue;
            }
            let init = match &register.init {
                None => 0,
                Some((value, span)) => memory
                    .value(value, size.unwrap_or(Size::Long))
                    .unwrap_or_else(|message| {
                        diagnostics.push(Diagnostic::error(message, span.clone()));
                        0
                    }),
            };
            let low = builder.register(id, name, init);
            registers.insert(number, Held { low, high: None });
        }
        let mut lowering = Lowering {
            thread,
            id,
            memory,
            builder,
            registers: &registers,
            scratch: [None; 3],
            kept: Vec::new(),
            in_use: 0,
            wide: &mut wide,
            diagnostics,
        };
        lowering.code(lines);
        all.push(registers);
    }
    check_wide(threads, memory, &wide, diagnostics);
    all
}

/// Reports 64-bit arithmetic that may overflow 32 bits.
fn check_wide(
    threads: &[Thread],
    memory: &Memory,
    wide: &[(Span, bool)],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let numbers = |value: &Value| match value {
        Value::Number(number) => number.unsigned_abs(),
        Value::Address(_) => 0,
    };
    let cells = memory.regions().iter().flat_map(|region| &region.init);
    let registers = threads
        .iter()
        .flat_map(|thread| thread.registers.iter().filter_map(|r| r.init.as_ref()));
    let immediates = threads
        .iter()
        .flat_map(|thread| &thread.column.code.instructions)
        .flat_map(|instruction| &instruction.operands)
        .map(|(operand, _)| match operand {
            Operand::Immediate(number) => number.unsigned_abs(),
            Operand::AddressOf(_) | Operand::Register(_) | Operand::Memory(_) => 0,
        });
    let most = cells
        .chain(registers)
        .map(|(value, _)| numbers(value))
        .chain(immediates)
        .fold(1, u64::max);
    super::super::wide::check(wide, most, diagnostics);
}

/// Registers that the test cannot observe.
#[derive(Clone, Copy)]
enum Scratch {
    /// What an instruction read from memory.
    Memory,
    /// The left side of the last comparison.
    Left,
    /// The right side.
    Right,
}

struct Lowering<'l> {
    thread: &'l Thread,
    id: ThreadId,
    memory: &'l Memory,
    builder: &'l mut ProgramBuilder,
    registers: &'l BTreeMap<u8, Held>,
    scratch: [Option<RegId>; 3],
    /// Registers for parts of values within an instruction.
    kept: Vec<RegId>,
    /// How many of them the current instruction uses.
    in_use: usize,
    /// 64-bit arithmetic, and whether it may be repeated.
    wide: &'l mut Vec<(Span, bool)>,
    diagnostics: &'l mut Vec<Diagnostic>,
}

type E = Expr<RegId>;

fn sum(op: Arithmetic, a: E, b: E) -> E {
    let op = match op {
        Arithmetic::Add => BinaryOp::Add,
        Arithmetic::Sub => BinaryOp::Sub,
        Arithmetic::Xor => BinaryOp::BitXor,
        Arithmetic::And => BinaryOp::BitAnd,
        Arithmetic::Or => BinaryOp::BitOr,
    };
    Expr::binary(op, a, b)
}

impl Lowering<'_> {
    fn error(&mut self, message: &str, span: &Span, label: &str) {
        self.diagnostics
            .push(Diagnostic::error(message, span.clone()).label(label));
    }

    fn register(&self, number: u8) -> RegId {
        self.registers[&number].low
    }

    fn scratch(&mut self, which: Scratch) -> RegId {
        let (at, name) = match which {
            Scratch::Memory => (0, "$memory"),
            Scratch::Left => (1, "$left"),
            Scratch::Right => (2, "$right"),
        };
        *self.scratch[at].get_or_insert_with(|| self.builder.register(self.id, name, 0))
    }

    fn code(&mut self, lines: &Lines<'_>) {
        let thread = self.thread;
        let code = &thread.column.code;
        let needed = flags::needed(code, |i| thread.target(i), self.diagnostics);
        let origin = |at: usize| {
            let span = code
                .instructions
                .get(at)
                .map(|instruction| &instruction.span);
            lines.origin(span.unwrap_or(&thread.column.name))
        };
        let locations: Vec<LocId> = (0..=code.instructions.len())
            .map(|at| self.builder.location(self.id, origin(at)))
            .collect();
        self.builder.entry(self.id, locations[0]);
        for (label, at, span) in &code.labels {
            let origin = lines.origin(span);
            self.builder
                .name_location(self.id, locations[*at], label, origin);
        }
        for (at, instruction) in code.instructions.iter().enumerate() {
            let (from, next) = (locations[at], locations[at + 1]);
            let target = thread.target(instruction).map(|target| locations[target]);
            let place = origin(at);
            if let (Opcode::JumpIf(test), Some(target)) = (instruction.kind, target) {
                self.check_sign(test, &instruction.span);
                let taken = self.test(test);
                let not = Expr::unary(UnaryOp::Not, taken.clone());
                self.builder
                    .instruction(self.id, from, Op::Assume(taken), target, place);
                self.builder
                    .instruction(self.id, from, Op::Assume(not), next, place);
                continue;
            }
            let next = if instruction.kind == Opcode::Ret {
                locations[code.instructions.len()]
            } else {
                target.unwrap_or(next)
            };
            let ops = self.ops(instruction, at, needed[at]).unwrap_or_default();
            let count = ops.len().max(1);
            let mut here = from;
            for (step, op) in ops.into_iter().chain([Op::Skip]).take(count).enumerate() {
                let there = if step + 1 == count {
                    next
                } else {
                    self.builder.location(self.id, place)
                };
                let instr = self.builder.instruction(self.id, here, op, there, place);
                if step > 0 && self.memory.is_cut() {
                    // No row of the table is inside an instruction.
                    let inside = FencePlace::Forbidden;
                    self.builder.fence_place(self.id, instr, inside);
                }
                here = there;
            }
        }
    }

    /// Whether a jump is taken, according to the last comparison.
    fn test(&mut self, test: JumpCondition) -> E {
        let left = Expr::Var(self.scratch(Scratch::Left));
        let right = Expr::Var(self.scratch(Scratch::Right));
        let signed = |op: BinaryOp, a: E, b: E| Expr::binary(op, a, b);
        // Flipping the sign bits turns the order of unsigned numbers into that of signed ones.
        let flip = |e: E| Expr::binary(BinaryOp::BitXor, e, Expr::Const(i32::MIN));
        let unsigned = |op: BinaryOp, a: E, b: E| Expr::binary(op, flip(a), flip(b));
        let difference = |a: E, b: E| Expr::binary(BinaryOp::Sub, a, b);
        match test {
            JumpCondition::Equal => signed(BinaryOp::Eq, left, right),
            JumpCondition::NotEqual => signed(BinaryOp::Ne, left, right),
            JumpCondition::Less => signed(BinaryOp::Lt, left, right),
            JumpCondition::LessEqual => signed(BinaryOp::Le, left, right),
            JumpCondition::Greater => signed(BinaryOp::Gt, left, right),
            JumpCondition::GreaterEqual => signed(BinaryOp::Ge, left, right),
            JumpCondition::Below => unsigned(BinaryOp::Lt, left, right),
            JumpCondition::BelowEqual => unsigned(BinaryOp::Le, left, right),
            JumpCondition::Above => unsigned(BinaryOp::Gt, left, right),
            JumpCondition::AboveEqual => unsigned(BinaryOp::Ge, left, right),
            JumpCondition::Negative => {
                signed(BinaryOp::Lt, difference(left, right), Expr::Const(0))
            }
            JumpCondition::NotNegative => {
                signed(BinaryOp::Ge, difference(left, right), Expr::Const(0))
            }
        }
    }

    /// The size of an instruction: its own if it specifies one, otherwise that of its cell.
    fn size(&self, instruction: &Instruction) -> Size {
        super::Test::explicit_size(instruction).unwrap_or_else(|| {
            let place = instruction
                .operands
                .iter()
                .find_map(|(operand, _)| match operand {
                    Operand::Memory(mem) => self.thread.place(mem, self.memory),
                    Operand::Immediate(_) | Operand::AddressOf(_) | Operand::Register(_) => None,
                });
            match place {
                Some(Target::Region(region)) => {
                    let only = self.memory.only_size(region);
                    only.unwrap_or_else(|| self.memory.size(region))
                }
                Some(Target::Through(_)) | None => Size::Long,
            }
        })
    }

    fn address(&self, target: Target) -> E {
        match target {
            Target::Region(region) => Expr::Const(self.memory.address(region).0),
            Target::Through(number) => Expr::Var(self.register(number)),
        }
    }

    /// The steps of an instruction; `None` if it cannot be expressed, which is reported.
    fn ops(&mut self, instruction: &Instruction, at: usize, flags: bool) -> Option<Vec<Op>> {
        let span = &instruction.span;
        let size = self.size(instruction);
        let operands = match instruction.kind {
            Opcode::Jump
            | Opcode::JumpIf(_)
            | Opcode::Mfence
            | Opcode::Sfence
            | Opcode::Nothing
            | Opcode::Ret => 0,
            Opcode::Inc | Opcode::Dec | Opcode::Neg | Opcode::Not => 1,
            Opcode::Mov
            | Opcode::ZeroExtend(_)
            | Opcode::SignExtend(_)
            | Opcode::Lea
            | Opcode::Xchg
            | Opcode::Xadd
            | Opcode::Cmpxchg
            | Opcode::Arithmetic(_)
            | Opcode::Cmp
            | Opcode::Test => 2,
        };
        if instruction.operands.len() != operands {
            let found = instruction.operands.len();
            self.error(
                "wrong number of operands",
                span,
                &format!("expected {operands}, found {found}"),
            );
            return None;
        }
        let memories = instruction
            .operands
            .iter()
            .filter(|(operand, _)| matches!(operand, Operand::Memory(_)))
            .count();
        if memories > 1 {
            self.error(
                "both operands are in memory",
                span,
                "one of them must be a register",
            );
            return None;
        }
        if operands > 0 {
            let narrow = matches!(size, Size::Byte | Size::Word);
            if narrow
                && !self.memory.is_cut()
                && !matches!(
                    instruction.kind,
                    Opcode::Mov | Opcode::ZeroExtend(_) | Opcode::SignExtend(_) | Opcode::Cmp
                )
            {
                self.error(
                    "8-bit and 16-bit arithmetic is not supported",
                    span,
                    "expected 4 or 8 bytes",
                );
                return None;
            }
            return self.with_operands(instruction, size, at, flags);
        }
        if instruction.lock {
            self.cannot_lock(span);
        }
        let fence = match instruction.kind {
            Opcode::Mfence => Some(Fence::Full),
            Opcode::Sfence => Some(Fence::Store),
            Opcode::Nothing
            | Opcode::Ret
            | Opcode::Jump
            | Opcode::JumpIf(_)
            | Opcode::Mov
            | Opcode::ZeroExtend(_)
            | Opcode::SignExtend(_)
            | Opcode::Lea
            | Opcode::Xchg
            | Opcode::Xadd
            | Opcode::Cmpxchg
            | Opcode::Inc
            | Opcode::Dec
            | Opcode::Neg
            | Opcode::Not
            | Opcode::Arithmetic(_)
            | Opcode::Cmp
            | Opcode::Test => None,
        };
        Some(fence.map(Op::Fence).into_iter().collect())
    }

    fn cannot_lock(&mut self, span: &Span) {
        self.error(
            "LOCK needs an instruction that reads and writes memory",
            span,
            "this one does not",
        );
    }

    /// Records arithmetic whose result may overflow 32 bits.
    fn note_wide(&mut self, size: Size, at: usize, span: &Span) {
        if size != Size::Quad {
            return;
        }
        let instructions = &self.thread.column.code.instructions;
        let repeated = instructions.iter().enumerate().any(|(from, jump)| {
            let target = self.thread.target(jump);
            target.is_some_and(|target| target <= at && at <= from)
        });
        self.wide.push((span.clone(), repeated));
    }
}

mod mixed;
mod operands;
mod parts;
