//! What is known of a thread's registers and memory accesses before its code becomes a program.

use super::super::memory::{Memory, Value};
use super::super::types::Size;
use super::columns::Column;
use super::instruction::{ACCUMULATOR, Instruction, Kind, Mem, Operand, REGISTERS};
use crate::text::{Diagnostic, Span, nearest};
use std::collections::BTreeMap;

/// Where an access goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// To this region's cell, always.
    Region(usize),
    /// To the cell whose address the register holds then.
    Through(u8),
}

/// A register of a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Use {
    /// Its value at the start, if the test says one.
    pub(super) init: Option<(Value, Span)>,
    /// How wide it is where it is used as a value, and where that was seen first.
    pub(super) size: Option<(Size, Span)>,
    /// Whether some instruction changes it.
    written: bool,
    /// Whether it is used as a value, and not only as an address.
    read: bool,
    /// Whether it is mentioned at all.
    pub(super) used: bool,
}

/// A thread and what its code does with registers.
pub(super) struct Thread {
    pub(super) column: Column,
    pub(super) registers: [Use; REGISTERS],
    labels: BTreeMap<String, usize>,
}

/// Whether the instruction changes the operand at this position, destination first.
fn writes(kind: Kind, position: usize) -> bool {
    match kind {
        Kind::Xchg | Kind::Xadd => true,
        Kind::Mov
        | Kind::Extend(_)
        | Kind::Lea
        | Kind::Cmpxchg
        | Kind::Inc
        | Kind::Dec
        | Kind::Neg
        | Kind::Not
        | Kind::Arithmetic(_) => position == 0,
        Kind::Cmp
        | Kind::Test
        | Kind::Jump
        | Kind::JumpIf(_)
        | Kind::Mfence
        | Kind::Sfence
        | Kind::Nothing
        | Kind::Ret => false,
    }
}

impl Thread {
    /// Looks through a thread's code. What is wrong with its labels and registers is said.
    pub(super) fn new(column: Column, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut labels: BTreeMap<String, usize> = BTreeMap::new();
        let mut places: BTreeMap<&str, &Span> = BTreeMap::new();
        for (label, at, span) in &column.code.labels {
            if let Some(first) = places.insert(label, span) {
                diagnostics.push(
                    Diagnostic::error(format!("the label `{label}` is set twice"), span.clone())
                        .other(first.clone(), "first here"),
                );
            }
            labels.insert(label.clone(), *at);
        }
        for instruction in &column.code.instructions {
            let Some((label, span)) = &instruction.target else {
                continue;
            };
            if !labels.contains_key(label) {
                let mut error = Diagnostic::error(format!("unknown label `{label}`"), span.clone());
                if let Some(near) = nearest(label, labels.keys().map(String::as_str)) {
                    error = error.label(format!("did you mean `{near}`?"));
                }
                diagnostics.push(error);
            }
        }
        let mut thread = Self {
            registers: Default::default(),
            labels,
            column,
        };
        let code = std::mem::take(&mut thread.column.code);
        for instruction in &code.instructions {
            thread.look(instruction, diagnostics);
        }
        thread.column.code = code;
        thread
    }

    /// The number of the instruction that a jump goes to.
    pub(super) fn target(&self, instruction: &Instruction) -> Option<usize> {
        let (label, _) = instruction.target.as_ref()?;
        self.labels.get(label).copied()
    }

    fn look(&mut self, instruction: &Instruction, diagnostics: &mut Vec<Diagnostic>) {
        for (position, (operand, span)) in instruction.operands.iter().enumerate() {
            match operand {
                Operand::Register(reg) => {
                    let register = &mut self.registers[usize::from(reg.number)];
                    register.used = true;
                    register.written |= writes(instruction.kind, position);
                    register.read = true;
                    if matches!(reg.size, Size::Byte | Size::Word) {
                        diagnostics.push(
                            Diagnostic::error("a part of a register", span.clone())
                                .label(format!("{} bytes of it", reg.size.bytes()))
                                .note("registers are used whole here: 4 or 8 bytes of them"),
                        );
                    } else {
                        note_size(register, reg.size, span, diagnostics);
                    }
                }
                Operand::Memory(Mem::Through(number)) => {
                    self.registers[usize::from(*number)].used = true;
                }
                Operand::Immediate(_) | Operand::AddressOf(_) | Operand::Memory(Mem::Cell(_)) => {}
            }
        }
        if instruction.kind == Kind::Cmpxchg {
            let size = instruction
                .operands
                .iter()
                .find_map(|(operand, _)| match operand {
                    Operand::Register(reg) => Some(reg.size),
                    Operand::Immediate(_) | Operand::AddressOf(_) | Operand::Memory(_) => None,
                });
            let accumulator = &mut self.registers[usize::from(ACCUMULATOR)];
            accumulator.used = true;
            accumulator.written = true;
            accumulator.read = true;
            if let Some(size) = size.or(instruction.size) {
                note_size(accumulator, size, &instruction.span, diagnostics);
            }
        }
    }

    /// Where an access goes: a register that holds an address at the start and is never changed
    /// stands for the cell.
    pub(super) fn place(&self, mem: &Mem, memory: &Memory) -> Option<Target> {
        match mem {
            Mem::Cell(name) => memory.find(name).map(Target::Region),
            Mem::Through(number) => {
                let register = &self.registers[usize::from(*number)];
                match &register.init {
                    Some((Value::Address(name), _)) if !register.written => {
                        memory.find(name).map(Target::Region)
                    }
                    Some(_) | None => Some(Target::Through(*number)),
                }
            }
        }
    }

    /// Whether nothing but accesses through it looks at a register, so that its address stays here.
    pub(super) fn is_base_only(&self, number: usize) -> bool {
        let register = &self.registers[number];
        !register.written && !register.read
    }
}

fn note_size(register: &mut Use, size: Size, span: &Span, diagnostics: &mut Vec<Diagnostic>) {
    match &register.size {
        None => register.size = Some((size, span.clone())),
        Some((known, first)) if *known != size => diagnostics.push(
            Diagnostic::error("a register is used in two sizes", span.clone())
                .label(format!("{} bytes here", size.bytes()))
                .other(first.clone(), format!("{} bytes here", known.bytes()))
                .note("a register has one value here: mixed sizes would read it in parts"),
        ),
        Some(_) => {}
    }
}
