//! What is known about a thread's registers and memory accesses before its code is lowered.

use super::super::memory::{Memory, Value};
use super::super::types::Size;
use super::columns::Column;
use super::instruction::{ACCUMULATOR, Instruction, Mem, Opcode, Operand, REGISTERS};
use crate::text::{Diagnostic, Span, nearest};
use std::collections::BTreeMap;

/// The target of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// Always this region's cell.
    Region(usize),
    /// The cell whose address the register holds at that time.
    Through(u8),
}

/// A register of a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct RegisterUse {
    /// Its initial value, if the test gives one.
    pub(super) init: Option<(Value, Span)>,
    /// Its size where it is used as a value, and the first such use.
    pub(super) size: Option<(Size, Span)>,
    /// Whether some instruction changes it.
    written: bool,
    /// Whether it is used as a value, and not only as an address.
    read: bool,
    /// Whether it is used at all.
    pub(super) used: bool,
}

/// A thread and how its code uses registers.
pub(super) struct Thread {
    pub(super) column: Column,
    pub(super) registers: [RegisterUse; REGISTERS],
    labels: BTreeMap<String, usize>,
    /// Whether the parts of its registers matter: some instruction uses a part, or two use different sizes.
    pub(super) is_mixed: bool,
    /// Which registers have an upper half that is modelled, in a register of its own.
    pub(super) is_wide: [bool; REGISTERS],
}

/// Whether the instruction changes the operand at this position, destination first.
fn writes(kind: Opcode, position: usize) -> bool {
    match kind {
        Opcode::Xchg | Opcode::Xadd => true,
        Opcode::Mov
        | Opcode::ZeroExtend(_)
        | Opcode::SignExtend(_)
        | Opcode::Lea
        | Opcode::Cmpxchg
        | Opcode::Inc
        | Opcode::Dec
        | Opcode::Neg
        | Opcode::Not
        | Opcode::Arithmetic(_) => position == 0,
        Opcode::Cmp
        | Opcode::Test
        | Opcode::Jump
        | Opcode::JumpIf(_)
        | Opcode::Mfence
        | Opcode::Sfence
        | Opcode::Nothing
        | Opcode::Ret => false,
    }
}

impl Thread {
    /// Analyses a thread's code. Reports errors in its labels and registers.
    pub(super) fn new(column: Column, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut labels: BTreeMap<String, usize> = BTreeMap::new();
        let mut places: BTreeMap<&str, &Span> = BTreeMap::new();
        for (label, at, span) in &column.code.labels {
            if let Some(first) = places.insert(label, span) {
                diagnostics.push(
                    Diagnostic::error(format!("label `{label}` is defined twice"), span.clone())
                        .other(first.clone(), "first defined here"),
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
            is_mixed: false,
            is_wide: [false; REGISTERS],
        };
        let code = std::mem::take(&mut thread.column.code);
        for instruction in &code.instructions {
            thread.look(instruction);
        }
        thread.column.code = code;
        thread
    }

    /// The number of the instruction that a jump leads to.
    pub(super) fn target(&self, instruction: &Instruction) -> Option<usize> {
        let (label, _) = instruction.target.as_ref()?;
        self.labels.get(label).copied()
    }

    fn look(&mut self, instruction: &Instruction) {
        for (position, (operand, span)) in instruction.operands.iter().enumerate() {
            match operand {
                Operand::Register(reg) => {
                    let register = &mut self.registers[usize::from(reg.number)];
                    register.used = true;
                    register.written |= writes(instruction.kind, position);
                    register.read = true;
                    self.is_mixed |= matches!(reg.size, Size::Byte | Size::Word);
                    self.is_mixed |= is_second_size(register, reg.size, span);
                }
                Operand::Memory(Mem::Through(number, _)) => {
                    self.registers[usize::from(*number)].used = true;
                }
                Operand::Immediate(_) | Operand::AddressOf(_) | Operand::Memory(Mem::Cell(..)) => {}
            }
        }
        if instruction.kind == Opcode::Cmpxchg {
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
                self.is_mixed |= is_second_size(accumulator, size, &instruction.span);
            }
        }
    }

    /// The target of an access: a register that initially holds an address and is never changed
    /// denotes that cell.
    pub(super) fn place(&self, mem: &Mem, memory: &Memory) -> Option<Target> {
        match mem {
            Mem::Cell(name, _) => memory.find(name).map(Target::Region),
            Mem::Through(number, _) => {
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

    /// Whether a register is only used as the base of accesses, so that its address goes nowhere
    /// else.
    pub(super) fn is_base_only(&self, number: usize) -> bool {
        let register = &self.registers[number];
        !register.written && !register.read
    }
}

/// Whether a register was used with another size before; if not, this is its size.
fn is_second_size(register: &mut RegisterUse, size: Size, span: &Span) -> bool {
    let (known, _) = register.size.get_or_insert_with(|| (size, span.clone()));
    *known != size
}
